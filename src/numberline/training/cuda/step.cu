// Inputs and outputs of a step → gradients. A step is two neighbouring centres, their negatives and
// all their contexts; src/numberline/training/reference.py derives what it does.
//
// Each lane holds some columns of all output rows in registers; input rows are in shared memory.

constexpr int kOutputTile = 8;                    // outputs scored at once
constexpr int kInputTile = kLanes / kOutputTile;  // inputs scored at once
constexpr int kOutputTiles = (kOutputs + kOutputTile - 1) / kOutputTile;
constexpr int kGradients = kOutputTile * kOutputTiles;  // room for one input
constexpr float kScoreOffset = SCORE_OFFSET;      // reference.py derives it
constexpr int kMeanSlot = kInputs;            // CBOW: means of contexts
constexpr int kSlots = kMeanSlot + (CBOW ? CENTRES_PER_STEP : 0);
constexpr int kWarpFloats = kSlots * kSharedStride + kInputs * kGradients;

// Sums over a launch, or over a warp, whose lanes sum loss and pairs separately.
struct Totals {
    double loss;
    uint64 pairs;    // of a centre and a context (skip-gram) or its contexts (CBOW) in the loss
    uint64 centres;  // trained
};

class Step {
  public:
    __device__ Step(const Tables& tables, float* shared)
        : tables_(tables), rows_(shared), gradients_(shared + kSlots * kSharedStride) {}

  protected:
    __device__ float* slot_row(int slot) const { return rows_ + slot * kSharedStride; }
    __device__ float* input_row(int input) const { return slot_row(__shfl_sync(kAll, slot_, input)); }

    // Write the gradients of some inputs for all outputs: rate · count · (label - sigma(score)). A lane
    // computes one pair at a time.
    __device__ void score(const float* const (&x)[kInputTile], int input, int set, int count,
                          Totals* totals) {
#pragma unroll
        for (int tile = 0; tile < kOutputTiles; ++tile) {
            const float score = product(x, tile) - kScoreOffset;
            const int output = tile * kOutputTile + warp_lane() % kOutputTile;
            const bool is_centre = output < CENTRES_PER_STEP;
            const int as_negative = times_negative(output, set);  // all lanes take part
            const int times = is_centre ? set >> output & 1 : as_negative;
            const float sign = is_centre ? 1.0f : -1.0f;
            const float gradient = rate_ * times * sign / (1 + __expf(sign * score));
            if (warp_lane() / kOutputTile >= count) continue;
            gradients_[input * kGradients + output] = output < kOutputs ? gradient : 0.0f;
            if (totals && output < kOutputs && times) {
                const float against = -sign * score;
                totals->loss += times * (fmaxf(against, 0) + log1pf(__expf(-fabsf(against))));
                totals->pairs += is_centre;
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

    const Tables& tables_;
    float *rows_, *gradients_;  // of this warp, in shared memory
    float rate_;
    int slot_;                // lane i: of the row of input i; the same input has the same row
    float input_damping_;     // lane i: of input i
    int output_;              // lane k: id of output k
    float output_damping_;    // lane k: of output k
    Row outputs_[kOutputs], changes_[kOutputs];

  private:
    // A negative that is a centre itself does not count for that one.
    __device__ int times_negative(int output, int set) const {
        const int id = __shfl_sync(kAll, output_, output);
        return (set & 1) * (id != __shfl_sync(kAll, output_, 0)) +
               (set >> 1) * (id != __shfl_sync(kAll, output_, 1));
    }

    // Return the product of the input and the output of this lane.
    __device__ float product(const float* const (&x)[kInputTile], int tile) const {
        float sums[kLanes];
#pragma unroll
        for (int at = 0; at < kLanes; ++at) sums[at] = 0;
#pragma unroll
        for (int r = 0; r < kPerLane; ++r)
#pragma unroll
            for (int t = 0; t < kInputTile; ++t) {
                const Columns columns = load(x[t], r);
#pragma unroll
                for (int k = 0; k < kOutputTile; ++k)
                    if (tile * kOutputTile + k < kOutputs)
#pragma unroll
                        for (int c = 0; c < VECTOR; ++c)
                            sums[t * kOutputTile + k] +=
                                columns.at[c] * outputs_[tile * kOutputTile + k].columns[r].at[c];
            }
        return warp_sums(sums);
    }
};
