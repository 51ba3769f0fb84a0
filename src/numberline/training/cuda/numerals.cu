// The vectors of one side. A word's row lies in its table. A numeral's row is composed where it is
// used, as a weighted sum of prototypes. Its change, times these weights, moves the prototypes, which
// other warps then see. src/numberline/training/reference.py derives that.
//
// Rows that many warps use at once move by a fraction of each change: see damping.py.

struct SparseRows {
    const int64* offsets;  // [numerals + 1] numeral n has entries offsets[n] … offsets[n + 1] - 1
    const int* indices;    // [entries] of prototypes
    const float* weights;  // [entries]
    int size;              // number of prototypes
};

constexpr int kRowsInFlight = kPerLane == 1 ? 4 : 2;  // of prototypes
static_assert(kLanes % kRowsInFlight == 0, "a warp reads kLanes entries at once");

// Up to 32 entries of a numeral, one in each lane.
struct LaneEntries {
    int count;
    int index;
    float weight;

    __device__ LaneEntries(const SparseRows& rows, int64 first, int64 last)
        : count(static_cast<int>(min(last - first, static_cast<int64>(kLanes)))), index(0), weight(0) {
        if (warp_lane() >= count) return;
        index = __ldg(rows.indices + first + warp_lane());
        weight = __ldg(rows.weights + first + warp_lane());
    }
};

struct SideTable {
    float* rows;           // inout [words + prototypes, kStride]
    const float* damping;  // [words + prototypes] fraction of each change that a row takes
    const float* lengths;  // [numerals] sums of their absolute weights
    SparseRows numerals;

    __device__ float* row(int id) const { return rows + static_cast<int64>(id) * kStride; }
    __device__ float damping_of(int id) const { return __ldg(damping + id); }

    template <class Body>
    __device__ void each_32_entries(int numeral, Body body) const {
        const int64 last = __ldg(numerals.offsets + numeral + 1);
        for (int64 first = __ldg(numerals.offsets + numeral); first < last; first += kLanes)
            body(LaneEntries(numerals, first, last));
    }
};

// These two functions are not inlined, so that the code which every group needs fits into the
// instruction cache: inlined, they cost a quarter of the speed of text without numerals (D = 300 on an
// H200).
__device__ __noinline__ void compose(const SideTable side, int numeral, int words,
                                     float* row) {  // out [kStride]
    Row sum;
    sum.clear();
    side.each_32_entries(numeral, [&](const LaneEntries& some) {
        for (int first = 0; first < some.count; first += kRowsInFlight) {
            Row prototypes[kRowsInFlight];
            float weights[kRowsInFlight];
#pragma unroll
            for (int k = 0; k < kRowsInFlight; ++k) {
                const int index = __shfl_sync(kAll, some.index, first + k);
                weights[k] = __shfl_sync(kAll, some.weight, first + k);
                if (first + k < some.count) prototypes[k].read(side.row(words + index));
                else prototypes[k].clear();
            }
#pragma unroll
            for (int k = 0; k < kRowsInFlight; ++k) sum.add(weights[k], prototypes[k]);
        }
    });
    sum.write(row);
}

// Return the fraction of its change that each of the moving numerals takes, one in each of these lanes:
// that which brings the loads of its prototypes down to LARGEST_LOAD. reference.py says why.
__device__ __noinline__ float load_fraction(const SideTable side, uint32 moving, int numeral,
                                            float* loads) {  // [LOAD_SLOTS] zeros, and zeros again
    constexpr float kLargestLoad = static_cast<float>(LARGEST_LOAD);
    bool is_first = false;  // a numeral that occurs twice is one row
    if (moving >> warp_lane() & 1)
        is_first = __ffs(__match_any_sync(moving, numeral)) - 1 == warp_lane();
    const uint32 rows = __ballot_sync(kAll, is_first);
    const float length = is_first ? __ldg(side.lengths + numeral) : 0.0f;
    float bound = length * length;  // no load is larger than the sum of all lanes
    for (int half = kLanes / 2; half; half /= 2) bound += __shfl_xor_sync(kAll, bound, half);
    if (bound <= kLargestLoad) return 1;
    for (uint32 rest = rows; rest; rest &= rest - 1) {
        const int lane = __ffs(rest) - 1;
        const float whole = __shfl_sync(kAll, length, lane);
        side.each_32_entries(__shfl_sync(kAll, numeral, lane), [&](const LaneEntries& some) {
            if (warp_lane() < some.count)
                atomicAdd(loads + some.index % LOAD_SLOTS, whole * fabsf(some.weight));
        });
    }
    __threadfence_block();
    __syncwarp();
    float fraction = 1;
    for (uint32 rest = moving; rest; rest &= rest - 1) {
        const int lane = __ffs(rest) - 1;
        float largest = kLargestLoad;
        side.each_32_entries(__shfl_sync(kAll, numeral, lane), [&](const LaneEntries& some) {
            if (warp_lane() < some.count)
                largest = fmaxf(largest, __ldcg(loads + some.index % LOAD_SLOTS));
        });
        for (int half = kLanes / 2; half; half /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(kAll, largest, half));
        if (warp_lane() == lane) fraction = kLargestLoad / largest;
    }
    __syncwarp();
    for (int at = warp_lane(); at < LOAD_SLOTS; at += kLanes) loads[at] = 0;
    __threadfence_block();
    __syncwarp();
    return fraction;
}

__device__ __noinline__ void move_prototypes(const SideTable side, int numeral, int words,
                                             float fraction,
                                             const float* change_row) {  // in [kStride]
    Row change;
    change.clear();
    change.add(fraction, change_row);
    side.each_32_entries(numeral, [&](const LaneEntries& some) {
        const float damped = some.weight * side.damping_of(words + some.index);
        for (int at = 0; at < some.count; ++at) {
            const int index = __shfl_sync(kAll, some.index, at);
            change.add_to(side.row(words + index), __shfl_sync(kAll, damped, at));
        }
    });
}

struct Tables {
    SideTable input, output;
    int words;       // ids below are words, the others numerals
    int is_frozen;   // 1: prototypes never move
    float* scratch;  // [warps, kScratchRows, kStride] rows of the numerals of a group
    float* loads;    // [warps, LOAD_SLOTS] zeros, but within load_fraction

    __device__ bool is_word(int id) const { return id < words; }
    // A numeral's row is not damped; its prototypes are, when they move.
    __device__ float damping(const SideTable& side, int id) const {
        return is_word(id) ? side.damping_of(id) : 1.0f;
    }
    __device__ void compose_numeral(const SideTable& side, int id, float* row) const {
        compose(side, id - words, words, row);
    }
    // Return in each of these lanes, which are numerals, the fraction of its change that it takes.
    __device__ float fraction_of(const SideTable& side, uint32 moving, int id, float* loads) const {
        return is_frozen ? 0.0f : load_fraction(side, moving, id - words, loads);
    }
    __device__ void move_prototypes_of(const SideTable& side, int id, float fraction,
                                       const float* change) const {
        if (!is_frozen) move_prototypes(side, id - words, words, fraction, change);
    }
};
