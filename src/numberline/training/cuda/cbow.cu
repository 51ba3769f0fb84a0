// A step of CBOW: the mean of a centre's contexts is an input; each of n contexts moves by 1/n of its
// change.

class StepTrainer : public Step {
  protected:
    using Step::Step;

    // `set` says, in the lane of each input, which centres of the step it is a context of.
    __device__ void step(const Group& group, int set, int centres, Totals* totals) {
        const float* x[kInputTile];
#pragma unroll
        for (int t = 0; t < kInputTile; ++t) x[t] = slot_row(kMeanSlot + t % CENTRES_PER_STEP);
        for (int c = 0; c < CENTRES_PER_STEP; ++c) {
            const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
            Row mean;
            mean.clear();
            for (uint32 rest = contexts; rest; rest &= rest - 1)
                mean.add(1.0f / __popc(contexts), input_row(__ffs(rest) - 1));
            mean.write(slot_row(kMeanSlot + c));
        }
        __syncwarp();
        const int mean = warp_lane() / kOutputTile;
        score(x, mean, 1 << mean % CENTRES_PER_STEP, centres, totals);
        __syncwarp();
        for (int c = 0; c < centres; ++c) move_contexts(group, c, set);
        __syncwarp();
    }

  private:
    __device__ void move_contexts(const Group& group, int c, int set) {
        const uint32 contexts = __ballot_sync(kAll, set >> c & 1);
        float gradients[kGradients];
        read_gradients(c, gradients);
        Row change;
        change.clear();
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            const Columns mean = load(slot_row(kMeanSlot + c), r);
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                add_product(change.columns[r], gradients[k] / __popc(contexts), outputs_[k].columns[r]);
                add_product(changes_[k].columns[r], gradients[k], mean);
            }
        }
        for (uint32 rest = contexts; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1, id = __shfl_sync(kAll, group.input, input);
            const float damping = __shfl_sync(kAll, input_damping_, input);
            if (tables_.is_word(id)) change.add_to(tables_.input.row(id), damping);
            Row now = change;
            now.add(1.0f, input_row(input));
            now.write(input_row(input));
        }
    }
};
