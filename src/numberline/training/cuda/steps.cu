// One step: two neighbouring centres, their negatives and all their contexts. The twin of
// native/training/windows_body.h; src/numberline/training/reference.py derives it.
//
// Each lane holds some columns of all output rows in registers; input rows are in shared memory.

constexpr int kGroup = 8;               // outputs scored at once
constexpr int kTile = kLanes / kGroup;  // inputs scored at once
constexpr int kMoved = 2;               // inputs moved at once
constexpr int kGroups = (kOutputs + kGroup - 1) / kGroup;
constexpr int kGradients = kGroup * kGroups;  // room for one input
constexpr int kMeanSlot = kInputs;            // CBOW: means of contexts
constexpr int kSlots = kMeanSlot + (CBOW ? CENTRES_PER_STEP : 0);
constexpr int kWarpFloats = kSlots * kSharedStride + kInputs * kGradients;

struct Totals {
    double loss;
    uint64 pairs;    // of a centre and a context (skip-gram) or its contexts (CBOW) in the loss
    uint64 centres;  // trained
};

// The next lanes of a set; what is missing at its end is filled up with the first of them.
template <int Most>
__device__ inline int take(uint32& rest, int most, int (&lanes)[Most]) {
    int count = 0;
#pragma unroll
    for (int t = 0; t < Most; ++t) {
        const bool is_there = rest != 0 && t < most;
        lanes[t] = is_there ? __ffs(rest) - 1 : lanes[0];
        if (is_there) rest &= rest - 1;
        count += is_there;
    }
    return count;
}

class StepTrainer {
  public:
    __device__ StepTrainer(const Tables& tables, float score_offset, float* shared)
        : tables_(tables), score_offset_(score_offset), rows_(shared),
          gradients_(shared + kSlots * kSharedStride) {}

  protected:
    __device__ float* slot_row(int slot) const { return rows_ + slot * kSharedStride; }
    __device__ float* input_row(int input) const { return slot_row(__shfl_sync(kAll, slot_, input)); }

    // `set` says, in the lane of each input, which centres of the step it is a context of.
    __device__ void step(const Draw& draw, int set, int centres, Totals* totals) {
#if CBOW
        cbow(draw, set, centres, totals);
#else
        skipgram(draw, set, totals);
#endif
        __syncwarp();
    }

    const Tables& tables_;
    const float score_offset_;
    float *rows_, *gradients_;  // of this warp, in shared memory
    float rate_;
    int slot_;                // lane i: of the row of input i; the same input has the same row
    bool has_double_inputs_;  // whether two inputs have the same row
    float input_part_;        // lane i: of a step, that input i takes
    int output_;              // lane k: id of output k
    Row outputs_[kOutputs], changes_[kOutputs];

  private:
    __device__ void skipgram(const Draw& draw, int set, Totals* totals) {
        const uint32 used = __ballot_sync(kAll, set != 0);
        for (uint32 rest = used; rest;) {
            int inputs[kTile];
            const int count = take(rest, kTile, inputs);
            const float* x[kTile];
#pragma unroll
            for (int t = 0; t < kTile; ++t) x[t] = input_row(inputs[t]);
            const int scored = lanes_of(inputs);
            score(x, scored, __shfl_sync(kAll, set, scored), count, totals);
        }
        __syncwarp();
        for (uint32 rest = used; rest;) {
            int inputs[kMoved];
            const int count = take(rest, has_double_inputs_ ? 1 : kMoved, inputs);
            move_inputs(draw, inputs, count);
        }
    }

    // The input whose scores this lane takes.
    __device__ static int lanes_of(const int (&inputs)[kTile]) {
        int scored = 0;
#pragma unroll
        for (int t = 0; t < kTile; ++t) scored |= warp_lane() / kGroup == t ? inputs[t] : 0;
        return scored;
    }

    // Gradients of some inputs for all outputs: rate · count · (label - sigma(score)). A lane has
    // one pair of them at a time.
    __device__ void score(const float* const (&x)[kTile], int input, int set, int count,
                          Totals* totals) {
#pragma unroll
        for (int group = 0; group < kGroups; ++group) {
            const float score = product(x, group) - score_offset_;
            const int output = group * kGroup + warp_lane() % kGroup;
            const bool is_centre = output < CENTRES_PER_STEP;
            const int as_negative = times_negative(output, set);  // all lanes take part
            const int told = is_centre ? set >> output & 1 : as_negative;
            const float sign = is_centre ? 1.0f : -1.0f;
            const float gradient = rate_ * told * sign / (1 + __expf(sign * score));
            if (warp_lane() / kGroup >= count) continue;
            gradients_[input * kGradients + output] = output < kOutputs ? gradient : 0.0f;
            if (totals && output < kOutputs && told) {
                const float against = -sign * score;
                totals->loss += told * (fmaxf(against, 0) + log1pf(__expf(-fabsf(against))));
                totals->pairs += is_centre;
            }
        }
    }

    // A negative that is a centre itself does not count for that one.
    __device__ int times_negative(int output, int set) const {
        const int id = __shfl_sync(kAll, output_, output);
        return (set & 1) * (id != __shfl_sync(kAll, output_, 0)) +
               (set >> 1) * (id != __shfl_sync(kAll, output_, 1));
    }

    // Of the input and the output of this lane.
    __device__ float product(const float* const (&x)[kTile], int group) const {
        float sums[kLanes];
#pragma unroll
        for (int at = 0; at < kLanes; ++at) sums[at] = 0;
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
                            sums[t * kGroup + k] +=
                                columns.at[c] * outputs_[group * kGroup + k].part[r].at[c];
            }
        return warp_sums(sums);
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

    // Moves inputs, and adds to the changes of the outputs. Words move in their table, too; numerals
    // when the draw ends.
    __device__ void move_inputs(const Draw& draw, const int (&inputs)[kMoved], int count) {
        float *x[kMoved], *table_rows[kMoved], parts[kMoved], gradients[kMoved][kGradients];
        bool is_word[kMoved];
#pragma unroll
        for (int t = 0; t < kMoved; ++t) {
            const int id = __shfl_sync(kAll, draw.input, inputs[t]);
            x[t] = input_row(inputs[t]);
            is_word[t] = t < count && tables_.is_word(id);
            table_rows[t] = tables_.input.row(id);
            parts[t] = __shfl_sync(kAll, input_part_, inputs[t]);
            read_gradients(inputs[t], gradients[t]);
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
            for (int t = 0; t < kMoved; ++t) {
                Columns damped = zeros();
                add_product(damped, parts[t], change[t]);
                if (is_word[t]) add_to_global(table_rows[t], r, damped);
                add_product(now[t], 1.0f, change[t]);
                if (t < count) store(x[t], r, now[t]);
            }
        }
    }

#if CBOW
    // The mean of the contexts is the input; what moves it goes to each of them by its share.
    __device__ void cbow(const Draw& draw, int set, int centres, Totals* totals) {
        const float* x[kTile];
#pragma unroll
        for (int t = 0; t < kTile; ++t) x[t] = slot_row(kMeanSlot + t % CENTRES_PER_STEP);
        for (int c = 0; c < CENTRES_PER_STEP; ++c) {
            const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
            Row mean;
            mean.clear();
            for (uint32 rest = contexts; rest; rest &= rest - 1)
                mean.add_shared(1.0f / __popc(contexts), input_row(__ffs(rest) - 1));
            mean.store_shared(slot_row(kMeanSlot + c));
        }
        __syncwarp();
        const int mean = warp_lane() / kGroup;
        score(x, mean, 1 << mean % CENTRES_PER_STEP, centres, totals);
        __syncwarp();
        for (int c = 0; c < centres; ++c) move_contexts(draw, c, set);
    }

    __device__ void move_contexts(const Draw& draw, int c, int set) {
        const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
        float gradients[kGradients];
        read_gradients(c, gradients);
        Row change;
        change.clear();
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            const Columns mean = from_shared(slot_row(kMeanSlot + c), r);
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                add_product(change.part[r], gradients[k] / __popc(contexts), outputs_[k].part[r]);
                add_product(changes_[k].part[r], gradients[k], mean);
            }
        }
        for (uint32 rest = contexts; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1, id = __shfl_sync(kAll, draw.input, input);
            const float part = __shfl_sync(kAll, input_part_, input);
            if (tables_.is_word(id)) change.add_to(tables_.input.row(id), part);
            Row now = change;
            now.add_shared(1.0f, input_row(input));
            now.store_shared(input_row(input));
        }
    }
#endif
};
