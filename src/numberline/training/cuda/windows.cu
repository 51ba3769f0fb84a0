// A plan and tables of vectors → the tables after training on it.
//
// A warp trains one draw after another: some neighbouring centres with their negatives. Nobody waits
// for anybody: what a warp has changed is added atomically, and other warps see it when they fetch a
// row next. Warps take draws in turns, so that all are at nearly the same text: the rows of its
// rarer words are then in the cache.

constexpr int kLossEvery = 64;  // draws: logarithms are dear

struct Settings {
    float first_rate, last_rate;  // learning rates; they fall in a straight line through the launch
    float score_offset;           // log of the odds that scores start from, or 0
    int loss_phase;               // the loss is looked at in some draws only; this is the first
};

class DrawTrainer : StepTrainer {
  public:
    __device__ DrawTrainer(const Tables& tables, float score_offset, float* shared, float* scratch)
        : StepTrainer(tables, score_offset, shared), scratch_(scratch) {}

    // Inputs and negatives are fetched once, and stay here from one step to the next. Where an output
    // is there twice, negatives are fetched anew for each step: so they see each other's changes.
    __device__ void train(const Draw& draw, float rate, Totals* totals) {
        rate_ = rate;
        fetch_inputs(draw);
        const bool keeps_negatives = !draw.has_double_outputs();
        for (int c = 0; c < draw.last - draw.first; c += CENTRES_PER_STEP) {
            const int centres = min(CENTRES_PER_STEP, draw.last - draw.first - c);
            const bool is_last = c + CENTRES_PER_STEP >= draw.last - draw.first;
            find_outputs(draw, c);
            const bool fetches_negatives = c == 0 || !keeps_negatives;
            const bool gives_negatives = is_last || !keeps_negatives;
            compose_outputs(fetches_negatives);
            fetch_outputs<0, CENTRES_PER_STEP>();
            if (fetches_negatives) fetch_outputs<CENTRES_PER_STEP, kOutputs>();
            if (c == 0) wait_for_copies();
            int set = 0;
#pragma unroll
            for (int k = 0; k < CENTRES_PER_STEP; ++k) set |= draw.is_context(c, k) << k;
            step(draw, set, centres, totals);
            give_outputs<0, CENTRES_PER_STEP>();
            if (gives_negatives) give_outputs<CENTRES_PER_STEP, kOutputs>();
            else move_negatives();
            give_numeral_outputs(gives_negatives);
            __syncwarp();
        }
        give_numeral_inputs(draw);
        __syncwarp();  // the next draw overwrites the inputs
    }

  private:
    __device__ float* scratch_row(int index) const { return scratch_ + index * kStride; }
    // Where a row is read: a word's in its table, a numeral's in scratch memory.
    __device__ const float* source(const Side& side, int id, int scratch_index) const {
        return tables_.is_word(id) ? side.row(id) : scratch_row(scratch_index);
    }

    __device__ void fetch_inputs(const Draw& draw) {
        const int lane = warp_lane();
        const uint32 active = __ballot_sync(kAll, lane < draw.inputs());
        slot_ = lane;
        if (lane < draw.inputs()) slot_ = __ffs(__match_any_sync(active, draw.input)) - 1;
        const bool is_first = lane < draw.inputs() && slot_ == lane;
        const uint32 rows = __ballot_sync(kAll, is_first);
        numerals_ = rows & ~__ballot_sync(kAll, tables_.is_word(draw.input));
        input_part_ = lane < draw.inputs() ? tables_.part(tables_.input, draw.input) : 1.0f;
        for (uint32 rest = numerals_; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            const int id = __shfl_sync(kAll, draw.input, input);
            tables_.compose_numeral(tables_.input, id, scratch_row(input));
        }
        if (numerals_) __threadfence_block();  // other lanes copy what a lane has composed
        __syncwarp();
        for (uint32 rest = rows; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1, id = __shfl_sync(kAll, draw.input, input);
            stage(slot_row(input), source(tables_.input, id, input));
        }
    }
    __device__ static void stage(float* to, const float* from) {
        for (int at = 4 * warp_lane(); at < kSharedStride; at += 4 * kLanes)
            copy_ahead(to + at, from + at);
    }
    __device__ void give_numeral_inputs(const Draw& draw) const {
        for (uint32 rest = numerals_; rest; rest &= rest - 1) {
            const int input = __ffs(rest) - 1;
            Row change;  // its slot is not needed any more, but for this
            change.clear();
            change.add(1.0f, slot_row(input));
            change.add(-1.0f, scratch_row(input));
            change.write(slot_row(input));
            const int id = __shfl_sync(kAll, draw.input, input);
            tables_.give_numeral_back(tables_.input, id, slot_row(input));
        }
    }

    __device__ void find_outputs(const Draw& draw, int c) {
        output_ = draw.outputs(c);
        output_part_ = warp_lane() < kOutputs ? tables_.part(tables_.output, output_) : 1.0f;
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
    // Added, not stored: a word may be there twice, or be changed by others.
    template <int First, int Last>
    __device__ void give_outputs() const {
#pragma unroll
        for (int k = First; k < Last; ++k) {
            const int id = __shfl_sync(kAll, output_, k);
            const float part = __shfl_sync(kAll, output_part_, k);
            if (tables_.is_word(id)) changes_[k].add_to(tables_.output.row(id), part);
            else changes_[k].write(scratch_row(kInputs + k));
        }
    }
    __device__ void give_numeral_outputs(bool with_negatives) const {
        for (uint32 rest = numeral_outputs(with_negatives); rest; rest &= rest - 1) {
            const int k = __ffs(rest) - 1, id = __shfl_sync(kAll, output_, k);
            tables_.give_numeral_back(tables_.output, id, scratch_row(kInputs + k));
        }
    }
    // Here alone; their table gets the changes of all steps together.
    __device__ void move_negatives() {
#pragma unroll
        for (int k = CENTRES_PER_STEP; k < kOutputs; ++k) outputs_[k].add(1.0f, changes_[k]);
    }

    float* scratch_;   // [kScratchRows, kStride] of this warp: inputs, then outputs
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

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
train_windows(const Plan plan, int ranges, const Tables tables, const Settings settings,
              Totals* totals) {  // inout
    extern __shared__ __align__(16) float shared[];
    const int draws = plan.draws_before[ranges];
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
    const int warps = gridDim.x * blockDim.x / kLanes;
    if (warp >= draws) return;
    DrawTrainer trainer(tables, settings.score_offset,
                        shared + threadIdx.x / kLanes * kWarpFloats,
                        tables.scratch + static_cast<int64>(warp) * kScratchRows * kStride);
    Totals mine{0, 0, 0};
    Draw draw;
    draw.find(plan, warp);
    draw.find_inputs(plan);
    for (int number = warp; number < draws; number += warps) {
        Draw next = draw;  // looked up while the one before it is trained
        const bool has_next = number + warps < draws;
        if (has_next) next.find(plan, number + warps);
        const float done = static_cast<float>(number) / draws;
        const float rate = settings.first_rate + done * (settings.last_rate - settings.first_rate);
        const bool is_looked_at = (number + settings.loss_phase) % kLossEvery == 0;
        trainer.train(draw, rate, is_looked_at ? &mine : nullptr);
        mine.centres += draw.last - draw.first;
        if (has_next) next.find_inputs(plan);
        draw = next;
    }
    add_totals(mine, totals);
}
