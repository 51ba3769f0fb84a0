// A step of skip-gram: each context is an input, told from which are the centres it belongs to.

constexpr int kMoved = 2;       // inputs moved at once

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

class StepTrainer : public Step {
  protected:
    using Step::Step;

    // `set` says, in the lane of each input, which centres of the step it is a context of.
    __device__ void step(const Draw& draw, int set, int /* centres */, Totals* totals) {
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
        __syncwarp();
    }

  private:
    // The input whose scores this lane takes.
    __device__ static int lanes_of(const int (&inputs)[kTile]) {
        int scored = 0;
#pragma unroll
        for (int t = 0; t < kTile; ++t) scored |= warp_lane() / kGroup == t ? inputs[t] : 0;
        return scored;
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
};
