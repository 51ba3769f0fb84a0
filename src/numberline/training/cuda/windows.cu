// A plan and tables of vectors → the vectors after training on it, and the numerals' bases.
//
// The twin of native/window_kernel_body.h; src/numberline/training/reference.py derives the steps. A
// warp takes a draw at a time: some neighbouring centres with their negatives, in steps of two. Each
// lane holds some columns of all output rows in registers; input rows are in shared memory.

constexpr int kOutputs = CENTRES_PER_STEP + NEGATIVES;         // of a step, centres first
constexpr int kInputs = 2 * WINDOW + CENTRES_PER_DRAW;         // most inputs of a draw
constexpr int kGroup = 8;                                      // outputs scored at once
constexpr int kTile = kLanes / kGroup;                         // inputs scored at once
constexpr int kMoved = 2;                                      // inputs moved at once
constexpr int kGroups = (kOutputs + kGroup - 1) / kGroup;
constexpr int kGradients = kGroup * kGroups;                   // room for one input
constexpr int kMeanSlot = kInputs;                             // CBOW: means of contexts
constexpr int kSlots = kMeanSlot + (CBOW ? CENTRES_PER_STEP : 0);
constexpr int kWarpFloats = kSlots * kStride + kInputs * kGradients;
constexpr int kLossEvery = 64;                                 // draws: logarithms are dear
static_assert(kInputs <= kLanes && NEGATIVES <= kLanes, "a lane looks after each of them");
static_assert(CENTRES_PER_STEP == 2, "sets of centres are written for two");
static_assert(CENTRES_PER_DRAW <= 2 * CENTRES_PER_STEP, "negatives are moved once in a draw");

struct Plan {
    const int* input_rows;     // [kept] words, or -1 - r for row r of the round's numerals
    const int* output_rows;    // [kept]
    const int* first_context;  // [kept]
    const int* last_context;   // [kept]
    const int* negative_rows;  // [draws, NEGATIVES]
    const int* first_centre;   // [draws + 1]
};

// Rows of the most frequent words are at work in many warps at once, none of which sees what the
// others add. Together they would overshoot, so each takes a part of its step only.
struct Tables {
    float *word_input, *word_output;        // [words, kStride]
    float *numeral_input, *numeral_output;  // [numerals of the round, kStride]
    const float *input_parts, *output_parts;  // [crowded] of the most frequent words
    int crowded;                              // words; all other rows take whole steps

    __device__ float input_part(int row) const {
        return row >= 0 && row < crowded ? input_parts[row] : 1.0f;
    }
    __device__ float output_part(int row) const {
        return row >= 0 && row < crowded ? output_parts[row] : 1.0f;
    }

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

// What a draw is made of, each part with the lane that looks after it.
struct Draw {
    int first, end;                    // its centres
    int own, first_context, last_context;  // lane c: of centre c
    int negative;                      // lane k: row of negative k
    int input_first, input_last;       // all that are a context of one of the centres
    int input;                         // lane i: row of input i

    __device__ void find(const Plan& plan, int draw) {
        first = plan.first_centre[draw];
        end = plan.first_centre[draw + 1];
        const int lane = warp_lane(), centre = min(first + lane, end - 1);
        if (lane < CENTRES_PER_DRAW) {
            own = plan.output_rows[centre];
            first_context = plan.first_context[centre];
            last_context = plan.last_context[centre];
        }
        if (lane < NEGATIVES) negative = plan.negative_rows[static_cast<int64>(draw) * NEGATIVES + lane];
    }
    __device__ void find_inputs(const Plan& plan) {
        input_first = __shfl_sync(kAll, first_context, 0);
        input_last = __shfl_sync(kAll, last_context, 0);
        for (int c = 1; c < CENTRES_PER_DRAW; ++c) {
            input_first = min(input_first, __shfl_sync(kAll, first_context, c));
            input_last = max(input_last, __shfl_sync(kAll, last_context, c));
        }
        const int at = input_first + warp_lane();
        if (at < input_last) input = plan.input_rows[at];
    }
};

class DrawTrainer {
  public:
    __device__ DrawTrainer(const Tables& tables, float* shared, float rate)
        : tables_(tables), rows_(shared), gradients_(shared + kSlots * kStride), rate_(rate) {}

    // Inputs and negatives are fetched once, and stay here from one step to the next. Where a row is
    // there twice, outputs are fetched anew for each step, or one would not see the other's changes.
    __device__ void train(const Draw& draw, Loss* loss) {
        const int lane = warp_lane(), count = draw.input_last - draw.input_first;
        const uint32 active = __ballot_sync(kAll, lane < count);
        int slot = lane;
        if (lane < count) slot = __ffs(__match_any_sync(active, draw.input)) - 1;
        const bool is_first = lane < count && slot == lane;
        has_double_inputs_ = __ballot_sync(kAll, is_first) != active;
        input_part_ = lane < count ? tables_.input_part(draw.input) : 1.0f;
        for (uint32 rest = __ballot_sync(kAll, is_first); rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            stage(input, tables_.input_row(__shfl_sync(kAll, draw.input, input)));
        }
        const bool keeps_negatives = !has_double_outputs(draw);
        for (int c = 0; c < draw.end - draw.first; c += CENTRES_PER_STEP) {
            const bool is_last = c + CENTRES_PER_STEP >= draw.end - draw.first;
            read_centres(draw, c);
            if (c == 0 || !keeps_negatives) read_negatives(draw);
            if (c == 0) wait_for_copies();
            step(draw, c, slot, loss);
            give_centres();
            if (is_last || !keeps_negatives) give_negatives(draw);
            else move_negatives(draw);
            __syncwarp();
        }
    }

  private:
    __device__ void stage(int slot, const float* from) {
        for (int at = 4 * warp_lane(); at < kStride; at += 4 * kLanes)
            copy_ahead(rows_ + slot * kStride + at, from + at);
    }
    __device__ static bool has_double_outputs(const Draw& draw) {
        const bool is_negative = warp_lane() < NEGATIVES;
        const uint32 negatives = __ballot_sync(kAll, is_negative);
        bool is_double = false;
        if (is_negative) is_double = __popc(__match_any_sync(negatives, draw.negative)) > 1;
        for (int c = 0; c < draw.end - draw.first; ++c) {
            const int centre = __shfl_sync(kAll, draw.own, c);
            is_double |= is_negative && draw.negative == centre;
        }
        return __any_sync(kAll, is_double);
    }
    // The second centre of a step may be missing; the first then stands for it, and never counts.
    __device__ void read_centres(const Draw& draw, int c) {
        has_second_ = draw.first + c + 1 < draw.end;
        own_[0] = __shfl_sync(kAll, draw.own, c);
        own_[1] = __shfl_sync(kAll, draw.own, has_second_ ? c + 1 : c);
#pragma unroll
        for (int k = 0; k < CENTRES_PER_STEP; ++k) read_output(k, own_[k]);
    }
    __device__ void read_negatives(const Draw& draw) {
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k)
            read_output(CENTRES_PER_STEP + k, __shfl_sync(kAll, draw.negative, k));
    }
    __device__ void read_output(int k, int row) {
        outputs_[k].read(tables_.output_row(row));
        changes_[k].clear();
    }
    // Added, not stored: a row may be there twice, or be changed by others.
    __device__ void give_centres() {
#pragma unroll
        for (int k = 0; k < CENTRES_PER_STEP; ++k)
            if (k == 0 || has_second_) give_output(k, own_[k]);
    }
    __device__ void give_negatives(const Draw& draw) {
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k)
            give_output(CENTRES_PER_STEP + k, __shfl_sync(kAll, draw.negative, k));
    }
    __device__ void give_output(int k, int row) {
        changes_[k].add_to(tables_.output_row(row), tables_.output_part(row));
    }
    // Here alone; their table gets the changes of all steps together.
    __device__ void move_negatives(const Draw& draw) {
#pragma unroll
        for (int k = 0; k < NEGATIVES; ++k) {
            const float part = tables_.output_part(__shfl_sync(kAll, draw.negative, k));
            outputs_[CENTRES_PER_STEP + k].add(changes_[CENTRES_PER_STEP + k], part);
        }
    }

    // `set` says, in the lane of each input, which centres of the step it is a context of.
    __device__ void step(const Draw& draw, int c, int slot, Loss* loss) {
        int set = 0;
#pragma unroll
        for (int k = 0; k < CENTRES_PER_STEP; ++k) {
            const int at = draw.input_first + warp_lane();
            const int from = __shfl_sync(kAll, draw.first_context, c + k);
            const int to = __shfl_sync(kAll, draw.last_context, c + k);
            const bool is_context = at >= from && at < to && at != draw.first + c + k;
            if (k == 0 || has_second_) set |= is_context << k;
        }
#if CBOW
        cbow(draw, set, slot, loss);
#else
        const uint32 used = __ballot_sync(kAll, set != 0);
        for (uint32 rest = used; rest;) {
            int inputs[kTile];
            const int count = take(rest, inputs);
            const float* x[kTile];
#pragma unroll
            for (int t = 0; t < kTile; ++t)
                x[t] = rows_ + __shfl_sync(kAll, slot, inputs[t]) * kStride;
            const int mine = lanes_of(inputs);
            score(x, mine, __shfl_sync(kAll, set, mine), count, draw, loss);
        }
        __syncwarp();
        for (uint32 rest = used; rest;) {
            int inputs[kMoved];
            int count = has_double_inputs_ ? take_one(rest, inputs) : take(rest, inputs);
            move_inputs(draw, slot, inputs, count);
        }
#endif
        __syncwarp();
    }

    // The next inputs of a set; what is missing at its end is filled up with one of them.
    template <int Most>
    __device__ static int take(uint32& rest, int (&inputs)[Most]) {
        int count = 0;
#pragma unroll
        for (int t = 0; t < Most; ++t) {
            count += rest != 0;
            inputs[t] = rest ? __ffs(rest) - 1 : inputs[0];
            rest &= rest - 1;
        }
        return count;
    }
    template <int Most>
    __device__ static int take_one(uint32& rest, int (&inputs)[Most]) {
#pragma unroll
        for (int t = 0; t < Most; ++t) inputs[t] = __ffs(rest) - 1;
        rest &= rest - 1;
        return 1;
    }
    // The input whose scores this lane takes.
    __device__ static int lanes_of(const int (&inputs)[kTile]) {
        int mine = 0;
#pragma unroll
        for (int t = 0; t < kTile; ++t) mine |= warp_lane() / kGroup == t ? inputs[t] : 0;
        return mine;
    }

    // Gradients of some inputs for all outputs: rate · count · (label - sigma(score)). A lane has
    // one pair of them at a time.
    __device__ void score(const float* const (&x)[kTile], int input, int set, int count,
                          const Draw& draw, Loss* loss) {
#pragma unroll
        for (int group = 0; group < kGroups; ++group) {
            float mine[kLanes];
#pragma unroll
            for (int at = 0; at < kLanes; ++at) mine[at] = 0;
#pragma unroll
            for (int r = 0; r < kPerLane; ++r)
#pragma unroll
                for (int t = 0; t < kTile; ++t) {
                    const Columns columns = from_shared(x[t], r);
#pragma unroll
                    for (int k = 0; k < kGroup; ++k)
                        if (group * kGroup + k < kOutputs)
#pragma unroll
                            for (int c = 0; c < VECTOR; ++c)
                                mine[t * kGroup + k] +=
                                    columns.at[c] * outputs_[group * kGroup + k].part[r].at[c];
                }
            const float score = warp_sums(mine) - LOG_NEGATIVES;
            const int output = group * kGroup + warp_lane() % kGroup;
            const int row = __shfl_sync(kAll, draw.negative, max(0, output - CENTRES_PER_STEP));
            const bool is_centre = output < CENTRES_PER_STEP;
            const int told = is_centre ? set >> output & 1
                                       : (set & 1) * (row != own_[0]) + (set >> 1) * (row != own_[1]);
            const float sign = is_centre ? 1.0f : -1.0f;
            const float gradient = rate_ * told * sign / (1 + __expf(sign * score));
            if (warp_lane() / kGroup >= count) continue;
            gradients_[input * kGradients + output] = output < kOutputs ? gradient : 0.0f;
            if (loss && output < kOutputs && told) {
                const float against = -sign * score;
                loss->sum += told * (fmaxf(against, 0) + log1pf(__expf(-fabsf(against))));
                loss->pairs += is_centre;
            }
        }
    }

    __device__ void read_gradients(int input, float (&gradients)[kGradients]) const {
        const float4* from = reinterpret_cast<const float4*>(gradients_ + input * kGradients);
#pragma unroll
        for (int at = 0; at < kGradients / 4; ++at) {
            const float4 four = from[at];
            gradients[4 * at] = four.x, gradients[4 * at + 1] = four.y;
            gradients[4 * at + 2] = four.z, gradients[4 * at + 3] = four.w;
        }
    }

    // Moves inputs, here and in their table, and adds to the changes of the outputs.
    __device__ void move_inputs(const Draw& draw, int slot, const int (&inputs)[kMoved], int count) {
        float *x[kMoved], *table_rows[kMoved], gradients[kMoved][kGradients], parts[kMoved];
#pragma unroll
        for (int t = 0; t < kMoved; ++t) {
            x[t] = rows_ + __shfl_sync(kAll, slot, inputs[t]) * kStride;
            table_rows[t] = tables_.input_row(__shfl_sync(kAll, draw.input, inputs[t]));
            read_gradients(inputs[t], gradients[t]);
            parts[t] = __shfl_sync(kAll, input_part_, inputs[t]);
        }
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            Columns now[kMoved], change[kMoved];
#pragma unroll
            for (int t = 0; t < kMoved; ++t) {
                now[t] = t < count ? from_shared(x[t], r) : zeros();
                change[t] = zeros();
            }
#pragma unroll
            for (int k = 0; k < kOutputs; ++k)
#pragma unroll
                for (int t = 0; t < kMoved; ++t) {
                    add_product(change[t], gradients[t][k], outputs_[k].part[r]);
                    add_product(changes_[k].part[r], gradients[t][k], now[t]);
                }
#pragma unroll
            for (int t = 0; t < kMoved; ++t)
                if (t < count) {
                    Columns taken = zeros();
                    add_product(taken, parts[t], change[t]);
                    add_to_global(table_rows[t], r, taken);
                    add_product(now[t], 1.0f, taken);
                    store(x[t], r, now[t]);
                }
        }
    }

#if CBOW
    // The mean of the contexts is the input; what moves it goes to each of them by its share.
    __device__ void cbow(const Draw& draw, int set, int slot, Loss* loss) {
        const float* x[kTile];
#pragma unroll
        for (int t = 0; t < kTile; ++t) x[t] = rows_ + (kMeanSlot + t % CENTRES_PER_STEP) * kStride;
        const int count = has_second_ ? 2 : 1;
        for (int c = 0; c < CENTRES_PER_STEP; ++c) {
            const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
            Row mean;
            mean.clear();
            for (uint32 rest = contexts; rest; rest &= rest - 1) {
                const float* row = rows_ + __shfl_sync(kAll, slot, __ffs(rest) - 1) * kStride;
#pragma unroll
                for (int r = 0; r < kPerLane; ++r)
                    add_product(mean.part[r], 1.0f / __popc(contexts), from_shared(row, r));
            }
#pragma unroll
            for (int r = 0; r < kPerLane; ++r)
                store(rows_ + (kMeanSlot + c) * kStride, r, mean.part[r]);
        }
        __syncwarp();
        const int mine = warp_lane() / kGroup;
        score(x, mine, 1 << mine % CENTRES_PER_STEP, count, draw, loss);
        __syncwarp();
        for (int c = 0; c < count; ++c) move_contexts(draw, c, set, slot);
    }

    __device__ void move_contexts(const Draw& draw, int c, int set, int slot) {
        const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
        float gradients[kGradients];
        read_gradients(c, gradients);
        Row change;
        change.clear();
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            const Columns mean = from_shared(rows_ + (kMeanSlot + c) * kStride, r);
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                add_product(change.part[r], gradients[k] / __popc(contexts), outputs_[k].part[r]);
                add_product(changes_[k].part[r], gradients[k], mean);
            }
        }
        for (uint32 rest = contexts; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            float* row = rows_ + __shfl_sync(kAll, slot, input) * kStride;
            const float part = __shfl_sync(kAll, input_part_, input);
            change.add_to(tables_.input_row(__shfl_sync(kAll, draw.input, input)), part);
#pragma unroll
            for (int r = 0; r < kPerLane; ++r) {
                Columns now = from_shared(row, r);
                add_product(now, part, change.part[r]);
                store(row, r, now);
            }
        }
    }
#endif

    const Tables& tables_;
    float *rows_, *gradients_;  // of this warp, in shared memory
    const float rate_;
    float input_part_;  // of the input of this lane
    Row outputs_[kOutputs], changes_[kOutputs];
    int own_[CENTRES_PER_STEP];
    bool has_second_, has_double_inputs_;
};
