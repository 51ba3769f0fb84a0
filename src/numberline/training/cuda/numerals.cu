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

__device__ __noinline__ void move_prototypes(const SideTable side, int numeral, int words,
                                             const float* change_row) {  // in [kStride]
    Row change;
    change.clear();
    change.add(1.0f, change_row);
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

    __device__ bool is_word(int id) const { return id < words; }
    // A numeral's row is not damped; its prototypes are, when they move.
    __device__ float damping(const SideTable& side, int id) const {
        return is_word(id) ? side.damping_of(id) : 1.0f;
    }
    __device__ void compose_numeral(const SideTable& side, int id, float* row) const {
        compose(side, id - words, words, row);
    }
    __device__ void move_prototypes_of(const SideTable& side, int id, const float* change) const {
        if (!is_frozen) move_prototypes(side, id - words, words, change);
    }
};
