// A group: four neighbouring centres and the negatives that they share. Plan is that of plan.cu.

constexpr int kOutputs = CENTRES_PER_STEP + NEGATIVES;   // of a step, centres first
constexpr int kInputs = 2 * WINDOW + CENTRES_PER_GROUP;  // most inputs of a group
constexpr int kScratchRows = kInputs + kOutputs;         // each of them may be a numeral's
constexpr uint32 kCentreMask = (1u << CENTRES_PER_STEP) - 1;
constexpr uint32 kNegativeMask = (kAll >> (kLanes - kOutputs)) & ~kCentreMask;
static_assert(kInputs <= kLanes && kOutputs <= kLanes, "one lane for each of them");
static_assert(CENTRES_PER_STEP == 2, "sets of centres are written for two");
static_assert(CENTRES_PER_GROUP <= 2 * CENTRES_PER_STEP, "negatives are moved once in a group");

struct Group {
    int first, last;                            // its centres; last is the one after its end
    int centre_id, first_context, last_context; // lane c: of centre c
    int negative;                               // lane CENTRES_PER_STEP + k: id of negative k
    int input_first, input_last;                // all that are a context of one of the centres
    int input;                                  // lane i: id of input i

    __device__ void read(const Plan& plan, int number) {
        first = plan.groups[number].first;
        last = plan.groups[number].last;
        const int lane = warp_lane(), centre = min(first + lane, last - 1);
        if (lane < CENTRES_PER_GROUP) {
            centre_id = plan.ids[centre];
            first_context = plan.first_context[centre];
            last_context = plan.last_context[centre];
        }
        if (kNegativeMask >> lane & 1)
            negative = plan.negatives[static_cast<int64>(number) * NEGATIVES + lane - CENTRES_PER_STEP];
    }
    __device__ void read_inputs(const Plan& plan) {
        input_first = __shfl_sync(kAll, first_context, 0);
        input_last = __shfl_sync(kAll, last_context, 0);
        for (int c = 1; c < CENTRES_PER_GROUP; ++c) {
            input_first = min(input_first, __shfl_sync(kAll, first_context, c));
            input_last = max(input_last, __shfl_sync(kAll, last_context, c));
        }
        const int at = input_first + warp_lane();
        if (at < input_last) input = plan.ids[at];
    }
    __device__ int inputs() const { return input_last - input_first; }

    // Return the outputs of the step that begins with centre c, one per lane. If there is no second
    // centre, the first is repeated but never counts.
    __device__ int outputs(int c) const {
        const int centre = __shfl_sync(kAll, centre_id, c + min(warp_lane(), last - first - c - 1));
        return kCentreMask >> warp_lane() & 1 ? centre : negative;
    }
    // Return whether centre c + k of the step has the input of this lane as a context.
    __device__ bool is_context(int c, int k) const {
        const int at = input_first + warp_lane();
        const int from = __shfl_sync(kAll, first_context, c + k);
        const int to = __shfl_sync(kAll, last_context, c + k);
        return first + c + k < last && at >= from && at < to && at != first + c + k;
    }
    // Return whether a negative occurs twice, or is one of the centres.
    __device__ bool has_double_outputs() const {
        const bool is_negative = kNegativeMask >> warp_lane() & 1;
        bool is_double = false;
        if (is_negative) is_double = __popc(__match_any_sync(kNegativeMask, negative)) > 1;
        for (int c = 0; c < last - first; ++c)
            is_double |= is_negative & (negative == __shfl_sync(kAll, centre_id, c));
        return __any_sync(kAll, is_double);
    }
};
