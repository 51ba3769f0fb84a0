// A step of skip-gram: each context is an input, and scores the centres whose context it is.

class StepTrainer : public Step {
  protected:
    using Step::Step;

    // `set` says, in the lane of each input, which centres of the step it is a context of.
    __device__ void step(const Group& group, int set, int /* centres */, Totals* totals) {
        const uint32 used = __ballot_sync(kAll, set != 0);
        for (uint32 rest = used; rest;) {
            int inputs[kInputTile];
            const int count = take(rest, inputs);
            const float* x[kInputTile];
#pragma unroll
            for (int t = 0; t < kInputTile; ++t) x[t] = input_row(inputs[t]);
            const int scored = input_of_lane(inputs);
            score(x, scored, __shfl_sync(kAll, set, scored), count, totals);
        }
        __syncwarp();
        for (uint32 rest = used; rest; rest &= rest - 1) move_input(group, __ffs(rest) - 1);
        __syncwarp();
    }

  private:
    // Take the next inputs out of a set; at its end, repeat the first to fill the tile.
    __device__ static int take(uint32& rest, int (&inputs)[kInputTile]) {
        int count = 0;
#pragma unroll
        for (int t = 0; t < kInputTile; ++t) {
            inputs[t] = rest ? __ffs(rest) - 1 : inputs[0];
            count += rest != 0;
            rest &= rest - 1;
        }
        return count;
    }
    // Return the input whose scores this lane computes.
    __device__ static int input_of_lane(const int (&inputs)[kInputTile]) {
        int scored = 0;
#pragma unroll
        for (int t = 0; t < kInputTile; ++t) scored |= warp_lane() / kOutputTile == t ? inputs[t] : 0;
        return scored;
    }

    // Move an input, and add to the changes of the outputs. A word moves in its table, too; the
    // prototypes of a numeral move when the group ends.
    __device__ void move_input(const Group& group, int input) {
        const int id = __shfl_sync(kAll, group.input, input);
        const float damping = __shfl_sync(kAll, input_damping_, input);
        float *x = input_row(input), *table_row = tables_.input.row(id);
        float gradients[kGradients];
        read_gradients(input, gradients);
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            Columns now = load(x, r), change = zeros(), damped = zeros();
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                add_product(change, gradients[k], outputs_[k].columns[r]);
                add_product(changes_[k].columns[r], gradients[k], now);
            }
            add_product(damped, damping, change);
            if (tables_.is_word(id)) add_to_global(table_row, r, damped);
            add_product(now, 1.0f, change);
            store(x, r, now);
        }
    }
};
