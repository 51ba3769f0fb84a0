// A plan and tables of vectors → the tables after training on it.
//
// A warp trains one group after another: four neighbouring windows with their negatives. Warps do not
// wait for each other: they add their changes atomically, and other warps see them when they next
// fetch the row. Warps take groups in turns, so that all train nearly the same text, whose rarer words
// are then in the cache.

constexpr int kLossEvery = 64;  // groups, one of which adds to the loss: logarithms are slow

struct Launch {
    float first_rate, last_rate;  // learning rates, between which it falls linearly
    int loss_phase;               // shifts which groups the loss is taken of
    Totals* totals;               // inout
};

class GroupTrainer : StepTrainer {
  public:
    __device__ GroupTrainer(const Tables& tables, float* shared, int warp)
        : StepTrainer(tables, shared),
          scratch_(tables.scratch + static_cast<int64>(warp) * kScratchRows * kStride),
          loads_(tables.loads + static_cast<int64>(warp) * LOAD_SLOTS) {}

    // Inputs and negatives are fetched once per group. If an output occurs twice, negatives are fetched
    // anew for each step, so that they see each other's changes.
    __device__ void train(const Group& group, float rate, Totals* totals) {
        rate_ = rate;
        fetch_inputs(group);
        const bool keeps_negatives = !group.has_double_outputs();
        for (int c = 0; c < group.last - group.first; c += CENTRES_PER_STEP) {
            const int centres = min(CENTRES_PER_STEP, group.last - group.first - c);
            const bool is_last = c + CENTRES_PER_STEP >= group.last - group.first;
            find_outputs(group, c);
            const bool fetches_negatives = c == 0 || !keeps_negatives;
            const bool writes_negatives = is_last || !keeps_negatives;
            compose_outputs(fetches_negatives);
            fetch_outputs<0, CENTRES_PER_STEP>();
            if (fetches_negatives) fetch_outputs<CENTRES_PER_STEP, kOutputs>();
            if (c == 0) wait_for_copies();
            int set = 0;
#pragma unroll
            for (int k = 0; k < CENTRES_PER_STEP; ++k) set |= group.is_context(c, k) << k;
            step(group, set, centres, totals);
            write_outputs<0, CENTRES_PER_STEP>();
            if (writes_negatives) write_outputs<CENTRES_PER_STEP, kOutputs>();
            else move_negatives();
            move_output_prototypes(writes_negatives);
            __syncwarp();
        }
        move_input_prototypes(group);
        __syncwarp();  // the next group overwrites the inputs
    }

  private:
    __device__ float* scratch_row(int index) const { return scratch_ + index * kStride; }
    // A word's row is read from its table, a numeral's from scratch memory.
    __device__ const float* source(const SideTable& side, int id, int scratch_index) const {
        return tables_.is_word(id) ? side.row(id) : scratch_row(scratch_index);
    }

    __device__ void fetch_inputs(const Group& group) {
        const int lane = warp_lane();
        const uint32 active = __ballot_sync(kAll, lane < group.inputs());
        slot_ = lane;
        if (lane < group.inputs()) slot_ = __ffs(__match_any_sync(active, group.input)) - 1;
        const bool is_first = lane < group.inputs() && slot_ == lane;
        const uint32 rows = __ballot_sync(kAll, is_first);
        numerals_ = rows & ~__ballot_sync(kAll, tables_.is_word(group.input));
        input_damping_ = lane < group.inputs() ? tables_.damping(tables_.input, group.input) : 1.0f;
        for (uint32 rest = numerals_; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            const int id = __shfl_sync(kAll, group.input, input);
            tables_.compose_numeral(tables_.input, id, scratch_row(input));
        }
        if (numerals_) __threadfence_block();  // other lanes copy what a lane has composed
        __syncwarp();
        for (uint32 rest = rows; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1, id = __shfl_sync(kAll, group.input, input);
            stage(slot_row(input), source(tables_.input, id, input));
        }
    }
    __device__ static void stage(float* to, const float* from) {
        for (int at = 4 * warp_lane(); at < kSharedStride; at += 4 * kLanes)
            copy_ahead(to + at, from + at);
    }
    __device__ void move_input_prototypes(const Group& group) const {
        if (!numerals_) return;
        const float fractions = tables_.fraction_of(tables_.input, numerals_, group.input, loads_);
        for (uint32 rest = numerals_; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            Row change;  // written to the slot, which is no longer needed
            change.clear();
            change.add(1.0f, slot_row(input));
            change.add(-1.0f, scratch_row(input));
            change.write(slot_row(input));
            const int id = __shfl_sync(kAll, group.input, input);
            const float fraction = __shfl_sync(kAll, fractions, input);
            tables_.move_prototypes_of(tables_.input, id, fraction, slot_row(input));
        }
    }

    __device__ void find_outputs(const Group& group, int c) {
        output_ = group.outputs(c);
        output_damping_ = warp_lane() < kOutputs ? tables_.damping(tables_.output, output_) : 1.0f;
    }
    __device__ uint32 numeral_outputs(bool with_negatives) const {
        const uint32 mask = with_negatives ? kCentreMask | kNegativeMask : kCentreMask;
        return mask & ~__ballot_sync(kAll, tables_.is_word(output_));
    }
    __device__ void compose_outputs(bool with_negatives) const {
        for (uint32 rest = numeral_outputs(with_negatives); rest; rest &= rest - 1) {
            const int k = __ffs(rest) - 1, id = __shfl_sync(kAll, output_, k);
            tables_.compose_numeral(tables_.output, id, scratch_row(kInputs + k));
        }
    }
    template <int First, int Last>
    __device__ void fetch_outputs() {
#pragma unroll
        for (int k = First; k < Last; ++k) {
            outputs_[k].read(source(tables_.output, __shfl_sync(kAll, output_, k), kInputs + k));
            changes_[k].clear();
        }
    }
    // Added, not stored: a word may occur twice, or be changed by other warps.
    template <int First, int Last>
    __device__ void write_outputs() const {
#pragma unroll
        for (int k = First; k < Last; ++k) {
            const int id = __shfl_sync(kAll, output_, k);
            const float damping = __shfl_sync(kAll, output_damping_, k);
            if (tables_.is_word(id)) changes_[k].add_to(tables_.output.row(id), damping);
            else changes_[k].write(scratch_row(kInputs + k));
        }
    }
    __device__ void move_output_prototypes(bool with_negatives) const {
        const uint32 moving = numeral_outputs(with_negatives);
        if (!moving) return;
        const float fractions = tables_.fraction_of(tables_.output, moving, output_, loads_);
        for (uint32 rest = moving; rest; rest &= rest - 1) {
            const int k = __ffs(rest) - 1, id = __shfl_sync(kAll, output_, k);
            const float fraction = __shfl_sync(kAll, fractions, k);
            tables_.move_prototypes_of(tables_.output, id, fraction, scratch_row(kInputs + k));
        }
    }
    // Only in registers: the table gets the changes of all steps together.
    __device__ void move_negatives() {
#pragma unroll
        for (int k = CENTRES_PER_STEP; k < kOutputs; ++k) outputs_[k].add(1.0f, changes_[k]);
    }

    float* scratch_;   // [kScratchRows, kStride] of this warp: inputs, then outputs
    float* loads_;     // [LOAD_SLOTS] of this warp
    uint32 numerals_;  // lanes of inputs
};

__device__ inline void add_totals(Totals mine, Totals* totals) {
    for (int half = kLanes / 2; half; half /= 2) {
        mine.loss += __shfl_xor_sync(kAll, mine.loss, half);
        mine.pairs += __shfl_xor_sync(kAll, mine.pairs, half);
    }
    if (warp_lane() != 0) return;
    atomicAdd(&totals->loss, mine.loss);
    atomicAdd(&totals->pairs, mine.pairs);
    atomicAdd(&totals->centres, mine.centres);
}

extern "C" __global__ void __launch_bounds__(THREADS, THREAD_BLOCKS)
train_windows(const Plan plan, const Tables tables, const Launch launch) {
    extern __shared__ __align__(16) float shared[];
    const int groups = plan.groups_before[plan.block_count];
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
    const int warps = gridDim.x * blockDim.x / kLanes;
    if (warp >= groups) return;
    GroupTrainer trainer(tables, shared + threadIdx.x / kLanes * kWarpFloats, warp);
    Totals mine{0, 0, 0};
    Group group;
    group.read(plan, warp);
    group.read_inputs(plan);
    for (int number = warp; number < groups; number += warps) {
        Group next = group;  // read while the one before it is trained
        const bool has_next = number + warps < groups;
        if (has_next) next.read(plan, number + warps);
        const float done = static_cast<float>(number) / groups;
        const float rate = launch.first_rate + done * (launch.last_rate - launch.first_rate);
        const bool takes_loss = (number + launch.loss_phase) % kLossEvery == 0;
        trainer.train(group, rate, takes_loss ? &mine : nullptr);
        mine.centres += group.last - group.first;
        if (has_next) next.read_inputs(plan);
        group = next;
    }
    add_totals(mine, launch.totals);
}
