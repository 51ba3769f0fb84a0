// The rounds of a stretch of text, one after the other, in one launch.
//
// A round is a number of blocks that are trained between two looks at the encoder:
//
//     compose   rows of the round's numerals: their weights times the basis, on either side
//     train     all draws of the round, shared out among the warps
//     absorb    what has changed in those rows, through the transposed weights, into the basis
//
// After each of them all processors wait for each other.

constexpr int kTile = 8;  // numerals of dense weights that share one look at the basis

struct Numerals {
    const int* members;         // [numerals of the stretch] which numeral each row is of
    const int64* offsets;       // [all numerals + 1] of sparse weights, or null
    const int* columns;         // of sparse weights, or null
    const float* weights;       // shares of sparse weights, or dense [all numerals, basis]
    int basis_size;             // 0: rows come from outside and go there again
    bool is_trained;
    float *input_basis, *output_basis;    // [basis, kStride]
    float *input_before, *output_before;  // [numerals of a round, kStride] as composed
};

__device__ inline int warp_number() { return (blockIdx.x * blockDim.x + threadIdx.x) / kLanes; }
__device__ inline int warp_count() { return gridDim.x * blockDim.x / kLanes; }

__device__ inline void compose_sparse(const Numerals& numerals, int member, const float* basis,
                                      float* row, float* before) {
    Row sum;
    sum.clear();
    for (int64 at = numerals.offsets[member]; at < numerals.offsets[member + 1]; ++at) {
        const float* from = basis + static_cast<int64>(numerals.columns[at]) * kStride;
#pragma unroll
        for (int r = 0; r < kPerLane; ++r)
            add_product(sum.part[r], numerals.weights[at], from_global(from, r));
    }
#pragma unroll
    for (int r = 0; r < kPerLane; ++r) {
        store(row, r, sum.part[r]);
        store(before, r, sum.part[r]);
    }
}

__device__ inline void absorb_sparse(const Numerals& numerals, int member, const Row& change,
                                     float* basis) {
    for (int64 at = numerals.offsets[member]; at < numerals.offsets[member + 1]; ++at) {
        float* to = basis + static_cast<int64>(numerals.columns[at]) * kStride;
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            Columns part = zeros();
            add_product(part, numerals.weights[at], change.part[r]);
            add_to_global(to, r, part);
        }
    }
}

// A part r of the columns of some rows at a time: more would not fit into registers.
__device__ inline void compose_dense(const Numerals& numerals, const int* members, int count, int r,
                                     const float* basis, float* rows, float* before) {
    Columns sums[kTile];
    const float* weights[kTile];
#pragma unroll
    for (int t = 0; t < kTile; ++t) {
        sums[t] = zeros();
        weights[t] = numerals.weights + static_cast<int64>(members[min(t, count - 1)]) *
                                            numerals.basis_size;
    }
    for (int at = 0; at < numerals.basis_size; ++at) {
        const Columns from = from_global(basis + static_cast<int64>(at) * kStride, r);
#pragma unroll
        for (int t = 0; t < kTile; ++t) add_product(sums[t], weights[t][at], from);
    }
#pragma unroll
    for (int t = 0; t < kTile; ++t)
        if (t < count) {
            store(rows + static_cast<int64>(t) * kStride, r, sums[t]);
            store(before + static_cast<int64>(t) * kStride, r, sums[t]);
        }
}

__device__ inline Columns change_of(const float* row, const float* before, int r) {
    Columns change = from_global(row, r);
    add_product(change, -1.0f, from_global(before, r));
    return change;
}

__device__ inline void absorb_dense(const Numerals& numerals, const int* members, int count, int r,
                                    float* basis, const float* rows, const float* before) {
    Columns changes[kTile];
    const float* weights[kTile];
#pragma unroll
    for (int t = 0; t < kTile; ++t) {
        const int64 at = static_cast<int64>(min(t, count - 1)) * kStride;
        changes[t] = t < count ? change_of(rows + at, before + at, r) : zeros();
        weights[t] = numerals.weights + static_cast<int64>(members[min(t, count - 1)]) *
                                            numerals.basis_size;
    }
    for (int at = 0; at < numerals.basis_size; ++at) {
        Columns part = zeros();
#pragma unroll
        for (int t = 0; t < kTile; ++t) add_product(part, weights[t][at], changes[t]);
        add_to_global(basis + static_cast<int64>(at) * kStride, r, part);
    }
}

__device__ inline void compose(const Numerals& numerals, const Tables& tables, const int* members,
                               int count) {
    for (int task = warp_number();; task += warp_count()) {
        const bool is_output = task & 1;
        const float* basis = is_output ? numerals.output_basis : numerals.input_basis;
        float* rows = is_output ? tables.numeral_output : tables.numeral_input;
        float* before = is_output ? numerals.output_before : numerals.input_before;
        if (numerals.offsets) {
            const int64 member = task / 2;
            if (member >= count) return;
            compose_sparse(numerals, members[member], basis, rows + member * kStride,
                           before + member * kStride);
        } else {
            const int r = task / 2 % kPerLane;
            const int64 first = static_cast<int64>(task / 2 / kPerLane) * kTile;
            if (first >= count) return;
            compose_dense(numerals, members + first, static_cast<int>(count - first), r, basis,
                          rows + first * kStride, before + first * kStride);
        }
    }
}

__device__ inline void absorb(const Numerals& numerals, const Tables& tables, const int* members,
                              int count) {
    for (int task = warp_number();; task += warp_count()) {
        const bool is_output = task & 1;
        float* basis = is_output ? numerals.output_basis : numerals.input_basis;
        const float* rows = is_output ? tables.numeral_output : tables.numeral_input;
        const float* before = is_output ? numerals.output_before : numerals.input_before;
        if (numerals.offsets) {
            const int64 member = task / 2;
            if (member >= count) return;
            Row change;
#pragma unroll
            for (int r = 0; r < kPerLane; ++r)
                change.part[r] = change_of(rows + member * kStride, before + member * kStride, r);
            absorb_sparse(numerals, members[member], change, basis);
        } else {
            const int r = task / 2 % kPerLane;
            const int64 first = static_cast<int64>(task / 2 / kPerLane) * kTile;
            if (first >= count) return;
            absorb_dense(numerals, members + first, static_cast<int>(count - first), r, basis,
                         rows + first * kStride, before + first * kStride);
        }
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

extern "C" __global__ void __launch_bounds__(THREADS)
train_rounds(const int* input_rows, const int* output_rows, const int* first_context,
             const int* last_context, const int* negative_rows, const int* first_centre,
             float* word_input, float* word_output, float* numeral_input, float* numeral_output,
             const int* members, const int64* offsets, const int* columns, const float* weights,
             int basis_size, int is_trained, float* input_basis, float* output_basis,
             float* input_before, float* output_before,
             const int* draw_bounds,     // in [rounds + 1] draws of each round
             const int* member_bounds,   // in [rounds + 1] numerals of each round
             const float* rates,         // in [rounds]
             int rounds, int loss_phase,
             uint32* arrived,            // inout, 0
             double* loss_sum, uint64* loss_pairs) {  // inout
    extern __shared__ __align__(16) float shared[];
    const Plan plan{input_rows,   output_rows,   first_context,
                    last_context, negative_rows, first_centre};
    const Tables tables{word_input, word_output, numeral_input, numeral_output};
    const Numerals numerals{members,      offsets,      columns,      weights,
                            basis_size,   is_trained != 0, input_basis, output_basis,
                            input_before, output_before};
    float* mine = shared + threadIdx.x / kLanes * kWarpFloats;
    uint32 goal = 0;
    Loss loss{0, 0};
    for (int round = 0; round < rounds; ++round) {
        const int* own_members = members + member_bounds[round];
        const int count = member_bounds[round + 1] - member_bounds[round];
        if (basis_size && count) {
            compose(numerals, tables, own_members, count);
            wait_for_all(arrived, goal);
        }
        DrawTrainer trainer(plan, tables, mine, rates[round]);
        for (int draw = draw_bounds[round] + warp_number(); draw < draw_bounds[round + 1];
             draw += warp_count())
            trainer.train(draw, (draw + loss_phase) % kLossEvery == 0, loss);
        if (basis_size && count && is_trained) {
            wait_for_all(arrived, goal);
            absorb(numerals, tables, own_members, count);
        }
        if (round + 1 < rounds) wait_for_all(arrived, goal);
    }
    if (loss.pairs || loss.sum != 0) {
        atomicAdd(loss_sum, loss.sum);
        atomicAdd(loss_pairs, static_cast<uint64>(loss.pairs));
    }
}
