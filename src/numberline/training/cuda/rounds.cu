// The rounds of a stretch of text, one after the other, in one launch.
//
// A round is some text that is trained between two looks at the encoder:
//
//     compose   rows of its numerals, weights times a basis: input rows of contexts, output rows of
//               centres and negatives
//     train     all draws of the round, shared out among the warps
//     absorb    what has changed in those rows, through the transposed weights, into the basis
//
// After each of them all processors wait for each other.

// Numerals of dense weights that share one look at the basis.
constexpr int kComposed = kSlots < 8 ? kSlots : 8;
constexpr int kAbsorbed = 16;
constexpr int kPart = kStride < kLanes * VECTOR ? kStride : kLanes * VECTOR;  // columns at a time
constexpr int kAtOnce = 16;  // rows of the basis that are on their way at the same time
constexpr int kFewAtOnce = 4;  // the same, of sparse weights, most of which have few
static_assert(kLanes % kAtOnce == 0 && kLanes % kFewAtOnce == 0, "weights come by warps");

struct Weights {
    const int64* offsets;  // [numerals + 1] of sparse weights, or null
    const int* columns;    // of sparse weights, or null
    const float* shares;   // of sparse weights, or dense [numerals, basis]
};

struct Numerals {
    Weights input, output;      // both sparse, or both dense
    int basis_size;             // 0: rows come from outside and go there again
    bool is_trained;
    float *input_basis, *output_basis;    // [basis, kStride]
    float *input_before, *output_before;  // [members, kStride] as composed

    __device__ bool are_sparse() const { return input.offsets != nullptr; }
};

// Numerals of a round whose rows are needed on one side, all or some; and where these rows are.
struct Members {
    const int* numbers;
    int count;
    Weights weights;
    int basis_size;
    float *basis, *rows, *before;

    __device__ Members from(int first) const {
        Members rest = *this;
        rest.numbers += first;
        rest.count -= first;
        rest.before += int64{first} * kStride;
        return rest;
    }
};

__device__ inline int warp_number() { return (blockIdx.x * blockDim.x + threadIdx.x) / kLanes; }
__device__ inline int warp_count() { return gridDim.x * blockDim.x / kLanes; }

// Weights of up to 32 elements of the basis, one in each lane; 0 beyond the last.
struct LaneWeights {
    int column;
    float weight;

    __device__ void read(const Weights& weights, int64 at, int64 end) {
        const bool is_there = at + warp_lane() < end;
        column = is_there ? weights.columns[at + warp_lane()] : 0;
        weight = is_there ? weights.shares[at + warp_lane()] : 0.0f;
    }
};

// The first of the numerals.
__device__ inline void compose_sparse(const Members& own) {
    Row sum;
    sum.clear();
    const int64 number = own.numbers[0], end = own.weights.offsets[number + 1];
    for (int64 first = own.weights.offsets[number]; first < end; first += kLanes) {
        LaneWeights some;
        some.read(own.weights, first, end);
        for (int at = 0; at < min(static_cast<int64>(kLanes), end - first); at += kFewAtOnce)
#pragma unroll
            for (int k = at; k < at + kFewAtOnce; ++k) {
                const int64 place = __shfl_sync(kAll, some.column, k);
                const float weight = __shfl_sync(kAll, some.weight, k);
#pragma unroll
                for (int r = 0; r < kPerLane; ++r)
                    add_product(sum.part[r], weight, from_global(own.basis + place * kStride, r));
            }
    }
#pragma unroll
    for (int r = 0; r < kPerLane; ++r) {
        store(own.rows + number * kStride, r, sum.part[r]);
        store(own.before, r, sum.part[r]);
    }
}

__device__ inline Columns change_of(const float* row, const float* before, int r) {
    Columns change = from_global(row, r);
    add_product(change, -1.0f, from_global(before, r));
    return change;
}

__device__ inline void absorb_sparse(const Members& own) {
    const int64 number = own.numbers[0], end = own.weights.offsets[number + 1];
    Row change;
#pragma unroll
    for (int r = 0; r < kPerLane; ++r)
        change.part[r] = change_of(own.rows + number * kStride, own.before, r);
    for (int64 first = own.weights.offsets[number]; first < end; first += kLanes) {
        LaneWeights some;
        some.read(own.weights, first, end);
        for (int at = 0; at < min(static_cast<int64>(kLanes), end - first); ++at) {
            const int64 place = __shfl_sync(kAll, some.column, at);
            const float weight = __shfl_sync(kAll, some.weight, at);
#pragma unroll
            for (int r = 0; r < kPerLane; ++r) {
                Columns part = zeros();
                add_product(part, weight, change.part[r]);
                add_to_global(own.basis + place * kStride, r, part);
            }
        }
    }
}

// The weights of some numerals for element first + lane of the basis; 0 from `end` on.
template <int Count>
struct LaneTable {
    float weights[Count];

    __device__ void read(const Members& own, int first, int end) {
        const int at = first + warp_lane();
#pragma unroll
        for (int t = 0; t < Count; ++t) {
            const int64 number = own.numbers[min(t, own.count - 1)];
            weights[t] = at < end ? own.weights.shares[number * own.basis_size + at] : 0.0f;
        }
    }
};

// What elements [first, end) of the basis give to part r of the columns of some rows.
__device__ inline void sum_dense(const Members& own, int r, int first, int end,
                                 Columns (&sums)[kComposed]) {
#pragma unroll
    for (int t = 0; t < kComposed; ++t) sums[t] = zeros();
    for (; first < end; first += kLanes) {
        LaneTable<kComposed> some;
        some.read(own, first, end);
        for (int at = 0; at < min(kLanes, end - first); at += kAtOnce) {
            Columns from[kAtOnce];
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int64 place = min(first + at + k, end - 1);
                from[k] = from_global(own.basis + place * kStride, r);
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
#pragma unroll
                for (int t = 0; t < kComposed; ++t)
                    add_product(sums[t], __shfl_sync(kAll, some.weights[t], at + k), from[k]);
        }
    }
}

// Where row t of a warp would begin, if there were room for more than part r of its columns.
__device__ inline float* part_of_row(float* shared, int warp, int t, int r) {
    return shared + (warp * kComposed + t) * kPart - r * kLanes * VECTOR;
}

// By a block: each warp takes some of the basis, and they meet in its shared memory.
__device__ inline void compose_dense(const Members& own, int r, float* shared) {
    static_assert(kComposed * kPart <= kWarpFloats, "sums fit in");
    const int warp = threadIdx.x / kLanes, warps = blockDim.x / kLanes;
    const int size = own.basis_size;
    Columns sums[kComposed];
    sum_dense(own, r, warp * size / warps, (warp + 1) * size / warps, sums);
#pragma unroll
    for (int t = 0; t < kComposed; ++t) store(part_of_row(shared, warp, t, r), r, sums[t]);
    __syncthreads();
    for (int t = warp; t < min(kComposed, own.count); t += warps) {
        Columns sum = zeros();
        for (int other = 0; other < warps; ++other)
            add_product(sum, 1.0f, from_shared(part_of_row(shared, other, t, r), r));
        store(own.rows + int64{own.numbers[t]} * kStride, r, sum);
        store(own.before + int64{t} * kStride, r, sum);
    }
    __syncthreads();
}

// By a warp: some elements of the basis, from `first` on.
__device__ inline void absorb_dense(const Members& own, int r, int first) {
    Columns changes[kAbsorbed];
#pragma unroll
    for (int t = 0; t < kAbsorbed; ++t) {
        const int64 at = min(t, own.count - 1), row = own.numbers[at];
        changes[t] = t < own.count
                         ? change_of(own.rows + row * kStride, own.before + at * kStride, r)
                         : zeros();
    }
    LaneTable<kAbsorbed> some;
    some.read(own, first, own.basis_size);
    for (int at = 0; at < min(kLanes, own.basis_size - first); ++at) {
        Columns part = zeros();
#pragma unroll
        for (int t = 0; t < kAbsorbed; ++t)
            add_product(part, __shfl_sync(kAll, some.weights[t], at), changes[t]);
        add_to_global(own.basis + static_cast<int64>(first + at) * kStride, r, part);
    }
}

// Numerals of both sides in tiles of so many.
struct Tiles {
    Members input, output;
    int size;

    __device__ Tiles(const Numerals& numerals, const Tables& tables, const int* members,
                     const int* bounds, int size)
        : input{members + bounds[0],  bounds[1] - bounds[0], numerals.input,
                numerals.basis_size,  numerals.input_basis,  tables.numeral_input,
                numerals.input_before},
          output{members + bounds[1],  bounds[2] - bounds[1], numerals.output,
                 numerals.basis_size,  numerals.output_basis, tables.numeral_output,
                 numerals.output_before},
          size(size) {}

    __device__ int of(const Members& members) const { return (members.count + size - 1) / size; }
    __device__ int count() const { return of(input) + of(output); }
    // The members from a tile on, on its side.
    __device__ Members from(int tile) const {
        const int inputs = of(input);
        return tile < inputs ? input.from(tile * size) : output.from((tile - inputs) * size);
    }
};

__device__ inline void compose(const Numerals& numerals, const Tables& tables, const int* members,
                               const int* bounds, float* shared) {
    if (numerals.are_sparse()) {
        const Tiles tiles(numerals, tables, members, bounds, 1);
        for (int task = warp_number(); task < tiles.count(); task += warp_count())
            compose_sparse(tiles.from(task));
    } else {
        const Tiles tiles(numerals, tables, members, bounds, kComposed);
        for (int task = blockIdx.x; task < tiles.count() * kPerLane; task += gridDim.x)
            compose_dense(tiles.from(task / kPerLane), task % kPerLane, shared);
    }
}

__device__ inline void absorb(const Numerals& numerals, const Tables& tables, const int* members,
                              const int* bounds) {
    if (numerals.are_sparse()) {
        const Tiles tiles(numerals, tables, members, bounds, 1);
        for (int task = warp_number(); task < tiles.count(); task += warp_count())
            absorb_sparse(tiles.from(task));
    } else {
        const Tiles tiles(numerals, tables, members, bounds, kAbsorbed);
        const int parts = (numerals.basis_size + kLanes - 1) / kLanes;
        const int tasks = tiles.count() * parts * kPerLane;
        for (int task = warp_number(); task < tasks; task += warp_count())
            absorb_dense(tiles.from(task / kPerLane / parts), task % kPerLane,
                         task / kPerLane % parts * kLanes);
    }
}

// All processors wait until all have come. They must all be at work at once: a cooperative launch.
__device__ inline void wait_for_all(uint32* arrived, uint32& goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        goal += gridDim.x;
        __threadfence();
        atomicAdd(arrived, 1);
        while (*reinterpret_cast<volatile uint32*>(arrived) < goal) {
        }
        __threadfence();
    }
    __syncthreads();
}

struct Range {
    int first, last;  // the one after the last
};

// The draws of a warp in a round. With a segment for each warp, it goes through that from round to
// round: what is trained at the same time is far apart in the text, and seldom needs the same rows.
// With one segment, the warps share out each round. find_rounds in plan.cu says the same.
__device__ inline Range draws_of(const int* bounds, int round, int rounds, int segments) {
    const int64 warp = warp_number(), warps = warp_count(), all = bounds[rounds];
    if (segments == 1 || all == 0) {
        const int64 draws = bounds[round + 1] - bounds[round];
        return {bounds[round] + static_cast<int>(warp * draws / warps),
                bounds[round] + static_cast<int>((warp + 1) * draws / warps)};
    }
    const int64 first = warp * all / segments;
    const int64 own = (warp + 1) * all / segments - first;
    return {static_cast<int>(first + own * bounds[round] / all),
            static_cast<int>(first + own * bounds[round + 1] / all)};
}

// `draw` is the first of them, looked up before; each other one while that before it is trained.
__device__ inline void train_draws(const Plan& plan, const Tables& tables, float* shared,
                                   float rate, Range draws, Draw& draw, int loss_phase,
                                   Loss& loss) {
    DrawTrainer trainer(tables, shared, rate);
    for (int number = draws.first; number < draws.last; ++number) {
        Draw next = draw;
        if (number + 1 < draws.last) next.find(plan, number + 1);
        trainer.train(draw, (number + loss_phase) % kLossEvery == 0 ? &loss : nullptr);
        if (number + 1 < draws.last) next.find_inputs(plan);
        draw = next;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
train_rounds(const int* input_rows, const int* output_rows, const int* first_context,
             const int* last_context, const int* negative_rows, const int* first_centre,
             float* word_input, float* word_output, float* numeral_input, float* numeral_output,
             const float* input_parts, const float* output_parts, int crowded,
             const int* members, const int64* input_offsets, const int* input_columns,
             const float* input_shares, const int64* output_offsets, const int* output_columns,
             const float* output_shares, int basis_size, int is_trained,
             float* input_basis, float* output_basis,
             float* input_before, float* output_before,
             const int* draw_bounds,     // in [rounds + 1] how far each round goes
             const int* member_bounds,   // in [2 rounds + 1] numerals of each round and side
             const float* rates,         // in [rounds]
             int first_round, int last_round, int all_rounds, int segments, int loss_phase,
             uint32* arrived,            // inout, 0
             double* loss_sum, uint64* loss_pairs) {  // inout
    extern __shared__ __align__(16) float shared[];
    const Plan plan{input_rows,   output_rows,   first_context,
                    last_context, negative_rows, first_centre};
    const Tables tables{word_input,  word_output,  numeral_input, numeral_output,
                        input_parts, output_parts, crowded};
    const Numerals numerals{{input_offsets, input_columns, input_shares},
                            {output_offsets, output_columns, output_shares},
                            basis_size,
                            is_trained != 0,
                            input_basis,
                            output_basis,
                            input_before,
                            output_before};
    float* mine = shared + threadIdx.x / kLanes * kWarpFloats;
    uint32 goal = 0;
    Loss loss{0, 0};
    for (int round = first_round; round < last_round; ++round) {
        const int* own_bounds = member_bounds + 2 * round;
        const Range draws = draws_of(draw_bounds, round, all_rounds, segments);
        Draw draw;
        if (draws.first < draws.last) draw.find(plan, draws.first);
        const bool has_basis = basis_size && own_bounds[0] < own_bounds[2];
        if (has_basis) compose(numerals, tables, members, own_bounds, shared);
        if (draws.first < draws.last) draw.find_inputs(plan);
        if (has_basis) wait_for_all(arrived, goal);
        train_draws(plan, tables, mine, rates[round], draws, draw, loss_phase, loss);
        if (has_basis && is_trained) {
            wait_for_all(arrived, goal);
            absorb(numerals, tables, members, own_bounds);
        }
        if (round + 1 < last_round) wait_for_all(arrived, goal);
    }
    if (loss.pairs || loss.sum != 0) {
        atomicAdd(loss_sum, loss.sum);
        atomicAdd(loss_pairs, static_cast<uint64>(loss.pairs));
    }
}
