// A plan and tables of vectors → the vectors after training on it, and the numerals' bases.
//
// The twin of native/window_kernel_body.h; src/numberline/training/reference.py derives the steps. A
// warp takes a draw at a time: some neighbouring centres with their negatives, in steps of two. Each
// lane holds some columns of all output rows in registers; input rows wait in shared memory. Rows
// are read past the nearest cache, which does not see what other processors write, and changed by
// atomic additions: plain stores would lose what others add meanwhile, and with it quality.

constexpr int kLanes = 32;
constexpr int kOutputs = CENTRES_PER_STEP + NEGATIVES;    // centres first
constexpr int kInputs = 2 * WINDOW + CENTRES_PER_STEP;    // most inputs of a step
constexpr int kStride = STRIDE;                           // floats from one row to the next
constexpr int kVectors = (DIM + VECTOR - 1) / VECTOR;     // VECTOR columns each
constexpr int kPerLane = (kVectors + kLanes - 1) / kLanes;
constexpr int kGroup = 8;                                 // outputs whose sums are taken together
constexpr int kGroups = (kOutputs + kGroup - 1) / kGroup;
constexpr int kGradients = kGroup * kGroups;              // room for one input
constexpr int kSlots = CBOW ? kInputs + CENTRES_PER_STEP : kInputs;
constexpr int kWarpFloats = kSlots * kStride + kInputs * kGradients;
constexpr int kLossEvery = 64;                            // draws: logarithms are dear
constexpr uint32 kAll = 0xFFFFFFFFu;
static_assert(kInputs <= kLanes, "a lane looks after each input");
static_assert(CENTRES_PER_STEP == 2, "signs are made for two");

struct Columns {
    float at[VECTOR];
};

__device__ inline int warp_lane() { return threadIdx.x % kLanes; }

__device__ inline Columns zeros() {
    Columns columns;
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) columns.at[c] = 0;
    return columns;
}

// Column numbers beyond the last row's end belong to no lane.
__device__ inline bool is_column(int r) { return r * kLanes + warp_lane() < kVectors; }
__device__ inline int column(int r) { return (r * kLanes + warp_lane()) * VECTOR; }

__device__ inline Columns from_global(const float* row, int r) {
    Columns columns = zeros();
    if (!is_column(r)) return columns;
#if VECTOR == 4
    const float4 read = __ldcg(reinterpret_cast<const float4*>(row + column(r)));
    columns.at[0] = read.x, columns.at[1] = read.y, columns.at[2] = read.z, columns.at[3] = read.w;
#else
    const float2 read = __ldcg(reinterpret_cast<const float2*>(row + column(r)));
    columns.at[0] = read.x, columns.at[1] = read.y;
#endif
    return columns;
}

__device__ inline Columns from_shared(const float* row, int r) {
    Columns columns = zeros();
    if (!is_column(r)) return columns;
#if VECTOR == 4
    const float4 read = *reinterpret_cast<const float4*>(row + column(r));
    columns.at[0] = read.x, columns.at[1] = read.y, columns.at[2] = read.z, columns.at[3] = read.w;
#else
    const float2 read = *reinterpret_cast<const float2*>(row + column(r));
    columns.at[0] = read.x, columns.at[1] = read.y;
#endif
    return columns;
}

__device__ inline void store(float* row, int r, const Columns& columns) {
    if (!is_column(r)) return;
#if VECTOR == 4
    *reinterpret_cast<float4*>(row + column(r)) =
        make_float4(columns.at[0], columns.at[1], columns.at[2], columns.at[3]);
#else
    *reinterpret_cast<float2*>(row + column(r)) = make_float2(columns.at[0], columns.at[1]);
#endif
}

__device__ inline void add_to_global(float* row, int r, const Columns& columns) {
    if (!is_column(r)) return;
    float* to = row + column(r);
#if __CUDA_ARCH__ >= 900 && VECTOR == 4
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(columns.at[0]),
                 "f"(columns.at[1]), "f"(columns.at[2]), "f"(columns.at[3])
                 : "memory");
#elif __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(columns.at[0]),
                 "f"(columns.at[1])
                 : "memory");
#else
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) atomicAdd(to + c, columns.at[c]);
#endif
}

__device__ inline void add_product(Columns& sum, float factor, const Columns& columns) {
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) sum.at[c] += factor * columns.at[c];
}

struct Row {
    Columns part[kPerLane];

    __device__ void clear() {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) part[r] = zeros();
    }
    __device__ void read(const float* row) {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) part[r] = from_global(row, r);
    }
    __device__ void add(const Row& other) {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) add_product(part[r], 1.0f, other.part[r]);
    }
    __device__ void add_to(float* row) const {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) add_to_global(row, r, part[r]);
    }
};

// 16 bytes, past the nearest cache; they are there after wait_for_copies.
__device__ inline void copy_ahead(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800
    const uint32 address = static_cast<uint32>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    *reinterpret_cast<float4*>(to) = __ldcg(reinterpret_cast<const float4*>(from));
#endif
}

__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncwarp();
}

// Sums over the warp of kGroup numbers at once: lane l gets that of number l / 4.
__device__ inline float warp_sums(const float (&mine)[kGroup]) {
    float some[4], few[2];
    const bool upper = warp_lane() & 16, odd = warp_lane() & 8, last = warp_lane() & 4;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float kept = upper ? mine[k + 4] : mine[k], given = upper ? mine[k] : mine[k + 4];
        some[k] = kept + __shfl_xor_sync(kAll, given, 16);
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const float kept = odd ? some[k + 2] : some[k], given = odd ? some[k] : some[k + 2];
        few[k] = kept + __shfl_xor_sync(kAll, given, 8);
    }
    float sum = last ? few[1] : few[0];
    sum += __shfl_xor_sync(kAll, last ? few[0] : few[1], 4);
    sum += __shfl_xor_sync(kAll, sum, 2);
    return sum + __shfl_xor_sync(kAll, sum, 1);
}

struct Plan {
    const int* input_rows;     // [kept] words, or -1 - r for row r of the round's numerals
    const int* output_rows;    // [kept]
    const int* first_context;  // [kept]
    const int* last_context;   // [kept]
    const int* negative_rows;  // [draws, NEGATIVES]
    const int* first_centre;   // [draws + 1]
};

struct Tables {
    float *word_input, *word_output;        // [words, kStride]
    float *numeral_input, *numeral_output;  // [numerals of the round, kStride]

    __device__ float* input_row(int row) const {
        return row >= 0 ? word_input + static_cast<int64>(row) * kStride
                        : numeral_input + static_cast<int64>(-1 - row) * kStride;
    }
    __device__ float* output_row(int row) const {
        return row >= 0 ? word_output + static_cast<int64>(row) * kStride
                        : numeral_output + static_cast<int64>(-1 - row) * kStride;
    }
};

struct Loss {
    double sum;
    int64 pairs;
};

class DrawTrainer {
  public:
    __device__ DrawTrainer(const Plan& plan, const Tables& tables, float* shared, float rate)
        : plan_(plan), tables_(tables), inputs_(shared), gradients_(shared + kSlots * kStride),
          rate_(rate) {}

    // Negatives stay in registers from one step to the next, unless a row is among them twice or is
    // that of a centre: then what one of them learns must reach the other through the table.
    __device__ void train(int draw, bool wants_loss, Loss& loss) {
        const int first = plan_.first_centre[draw], end = plan_.first_centre[draw + 1];
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k) negatives_[k] = plan_.negative_rows[draw * NEGATIVES + k];
        const bool is_shared = has_shared_rows(first, end);
        read_negatives();
        for (int centre = first; centre < end; centre += CENTRES_PER_STEP) {
            own_[0] = plan_.output_rows[centre];
            has_second_ = centre + 1 < end;
            own_[1] = plan_.output_rows[has_second_ ? centre + 1 : centre];
#pragma unroll
            for (int c = 0; c < CENTRES_PER_STEP; ++c) {
                outputs_[c].read(tables_.output_row(own_[c]));
                changes_[c].clear();
            }
            step(centre, wants_loss ? &loss : nullptr);
            changes_[0].add_to(tables_.output_row(own_[0]));
            if (has_second_) changes_[1].add_to(tables_.output_row(own_[1]));
            const bool is_last = centre + CENTRES_PER_STEP >= end;
            if (is_last || is_shared) give_negatives();
            if (is_last) return;
            if (is_shared) read_negatives();
            else
#pragma unroll
                for (int k = CENTRES_PER_STEP; k < kOutputs; ++k) outputs_[k].add(changes_[k]);
        }
    }

  private:
    __device__ bool has_shared_rows(int first, int end) const {
        bool is_shared = false;
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k) {
#pragma unroll
            for (int other = 0; other < k; ++other) is_shared |= negatives_[k] == negatives_[other];
            for (int at = first; at < end; ++at) is_shared |= negatives_[k] == plan_.output_rows[at];
        }
        return is_shared;
    }
    __device__ void read_negatives() {
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k) {
            outputs_[CENTRES_PER_STEP + k].read(tables_.output_row(negatives_[k]));
            changes_[CENTRES_PER_STEP + k].clear();
        }
    }
    __device__ void give_negatives() {
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k)
            changes_[CENTRES_PER_STEP + k].add_to(tables_.output_row(negatives_[k]));
    }

    // Lane l looks after input l: its row, which centres it is a context of, and where it waits. A
    // row that is there twice waits in one place: the second time it has moved.
    __device__ void step(int centre, Loss* loss) {
        const int lane = warp_lane(), second = has_second_ ? centre + 1 : centre;
        const int first_a = plan_.first_context[centre], last_a = plan_.last_context[centre];
        const int first_b = plan_.first_context[second], last_b = plan_.last_context[second];
        const int first = min(first_a, first_b), count = max(last_a, last_b) - first;
        const int at = first + lane;
        int set = 0, row = 0;
        if (lane < count) {
            row = plan_.input_rows[at];
            set = (at >= first_a && at < last_a && at != centre) |
                  (has_second_ && at >= first_b && at < last_b && at != second) << 1;
        }
        const uint32 used = __ballot_sync(kAll, set != 0);
        int slot = lane;
        if (set) slot = __ffs(__match_any_sync(used, row)) - 1;
        __syncwarp();
        for (uint32 rest = __ballot_sync(kAll, set && slot == lane); rest; rest &= rest - 1)
            stage(__ffs(rest) - 1, __shfl_sync(kAll, row, __ffs(rest) - 1));
        wait_for_copies();
#if CBOW
        cbow(set, slot, row, loss);
#else
        for (uint32 rest = used; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            score(input, __shfl_sync(kAll, slot, input), __shfl_sync(kAll, set, input), loss);
        }
        __syncwarp();
        for (uint32 rest = used; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            float* x = inputs_ + __shfl_sync(kAll, slot, input) * kStride;
            move(input, x, tables_.input_row(__shfl_sync(kAll, row, input)));
        }
#endif
        __syncwarp();
    }

    __device__ void stage(int slot, int row) {
        const float* from = tables_.input_row(row);
        for (int at = 4 * warp_lane(); at < kStride; at += 4 * kLanes)
            copy_ahead(inputs_ + slot * kStride + at, from + at);
    }

    // How often output k counts for an input that is a context of a set of centres.
    __device__ float count_of(int k, int set) const {
        if (k < CENTRES_PER_STEP) return set >> k & 1;
        const int negative = negatives_of_lane(k);
        return (set & 1) * (negative != own_[0]) + (set >> 1) * (negative != own_[1]);
    }
    __device__ int negatives_of_lane(int k) const {
        int found = 0;
#pragma unroll
        for (int n = 0; n < NEGATIVES; ++n)
            if (k == CENTRES_PER_STEP + n) found = negatives_[n];
        return found;
    }

    // An input's gradients for all outputs: rate · count · (label - sigma(score)).
    __device__ void score(int input, int slot, int set, Loss* loss) {
        Row x;
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) x.part[r] = from_shared(inputs_ + slot * kStride, r);
#pragma unroll
        for (int group = 0; group < kGroups; ++group) {
            float mine[kGroup];
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                mine[k] = 0;
                const int output = group * kGroup + k;
                if (output >= kOutputs) continue;
#pragma unroll
                for (int r = 0; r < kPerLane; ++r)
#pragma unroll
                    for (int c = 0; c < VECTOR; ++c)
                        mine[k] += x.part[r].at[c] * outputs_[output].part[r].at[c];
            }
            const float product = warp_sums(mine);
            const int output = group * kGroup + warp_lane() / 4;
            const bool is_centre = output < CENTRES_PER_STEP;
            const float count = output < kOutputs ? count_of(output, set) : 0.0f;
            const float score = product - LOG_NEGATIVES, sign = is_centre ? 1.0f : -1.0f;
            const float gradient = rate_ * count * sign / (1 + __expf(sign * score));
            if (warp_lane() % 4 == 0) gradients_[input * kGradients + output] = gradient;
            if (loss && warp_lane() % 4 == 0 && count > 0) {
                const float against = -sign * score;
                loss->sum += count * (fmaxf(against, 0) + log1pf(expf(-fabsf(against))));
                loss->pairs += is_centre;
            }
        }
    }

    // Moves an input, here and in its table, and adds to the changes of the outputs.
    __device__ void move(int input, float* x, float* table_row) {
        const float* gradient = gradients_ + input * kGradients;
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            Columns now = from_shared(x, r), change = zeros();
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                add_product(change, gradient[k], outputs_[k].part[r]);
                add_product(changes_[k].part[r], gradient[k], now);
            }
            if (table_row) add_to_global(table_row, r, change);
            add_product(now, 1.0f, change);
            store(x, r, table_row ? now : change);
        }
    }

#if CBOW
    // The mean of the contexts is the input; what moves it goes to each of them by its share.
    __device__ void cbow(int set, int slot, int row, Loss* loss) {
        for (int c = 0; c < (has_second_ ? 2 : 1); ++c) {
            const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
            const float share = 1.0f / __popc(contexts);
            Row mean;
            mean.clear();
            for (uint32 rest = contexts; rest; rest &= rest - 1) {
                const float* x = inputs_ + __shfl_sync(kAll, slot, __ffs(rest) - 1) * kStride;
#pragma unroll
                for (int r = 0; r < kPerLane; ++r)
                    add_product(mean.part[r], share, from_shared(x, r));
            }
#pragma unroll
            for (int r = 0; r < kPerLane; ++r)
                store(inputs_ + (kInputs + c) * kStride, r, mean.part[r]);
            __syncwarp();
            score(c, kInputs + c, 1 << c, loss);
        }
        __syncwarp();
        for (int c = 0; c < (has_second_ ? 2 : 1); ++c)
            move(c, inputs_ + (kInputs + c) * kStride, nullptr);
        for (int c = 0; c < (has_second_ ? 2 : 1); ++c) {
            const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
            const float share = 1.0f / __popc(contexts);
            for (uint32 rest = contexts; rest; rest &= rest - 1) {
                float* to = tables_.input_row(__shfl_sync(kAll, row, __ffs(rest) - 1));
#pragma unroll
                for (int r = 0; r < kPerLane; ++r) {
                    Columns change = zeros();
                    add_product(change, share, from_shared(inputs_ + (kInputs + c) * kStride, r));
                    add_to_global(to, r, change);
                }
            }
        }
    }
#endif

    const Plan& plan_;
    const Tables& tables_;
    float *inputs_, *gradients_;  // of this warp, in shared memory
    const float rate_;
    Row outputs_[kOutputs], changes_[kOutputs];
    int negatives_[NEGATIVES], own_[CENTRES_PER_STEP];
    bool has_second_;
};
