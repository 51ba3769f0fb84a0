// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "window_plan.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kOutputs = 6;                      // output rows that are kept in registers
constexpr size_t kContexts = kLanes >= 16 ? 4 : 2;  // input rows beside them
constexpr size_t kAhead = 4;                        // windows that rows are fetched ahead
constexpr size_t kLossEvery = 64;                   // windows: logarithms are dear
constexpr float kLargestScore = 30.0f;              // beyond it a sigmoid is 0 or 1 in a float

float log_of_one_plus_exp(float x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

class WindowTrainer {
  public:
    WindowTrainer(const PlanView& plan, const TablesView& tables, float learning_rate)
        : plan_(plan), tables_(tables), rate_(learning_rate), outputs_(plan.negatives + 1) {}

    Loss train(Objective objective, size_t loss_phase) {
        Loss loss;
        for (size_t centre = 0; centre < plan_.tokens; ++centre) {
            gather(centre);
            if (centre + kAhead < plan_.tokens) prefetch(centre + kAhead);
            if (inputs_.empty()) continue;
            bool wants_loss = (centre + loss_phase) % kLossEvery == 0;
            if (objective == Objective::skipgram) skipgram(wants_loss ? &loss : nullptr);
            else cbow(wants_loss ? &loss : nullptr);
        }
        return loss;
    }

  private:
    float* input_row(int32_t row) const {
        return row >= 0 ? tables_.word_input + static_cast<size_t>(row) * tables_.stride
                        : tables_.numeral_input + static_cast<size_t>(-1 - row) * tables_.stride;
    }
    float* output_row(int32_t row) const {
        return row >= 0 ? tables_.word_output + static_cast<size_t>(row) * tables_.stride
                        : tables_.numeral_output + static_cast<size_t>(-1 - row) * tables_.stride;
    }

    void gather(size_t centre) {
        inputs_.clear();
        const auto last = static_cast<size_t>(plan_.last_context[centre]);
        for (auto at = static_cast<size_t>(plan_.first_context[centre]); at < last; ++at)
            if (at != centre) inputs_.push_back(input_row(plan_.input_rows[at]));
        outputs_.clear();
        outputs_.push_back(output_row(plan_.output_rows[centre]));
        const int32_t* negatives = plan_.negative_rows + centre * plan_.negatives;
        for (size_t k = 0; k < plan_.negatives; ++k)
            if (negatives[k] != kNoRow) outputs_.push_back(output_row(negatives[k]));
    }

    // Output rows come from anywhere in a large table; of the input rows only the last is new.
    void prefetch(size_t centre) const {
        prefetch_row(input_row(plan_.input_rows[plan_.last_context[centre] - 1]));
        prefetch_row(output_row(plan_.output_rows[centre]));
        const int32_t* negatives = plan_.negative_rows + centre * plan_.negatives;
        for (size_t k = 0; k < plan_.negatives; ++k)
            if (negatives[k] != kNoRow) prefetch_row(output_row(negatives[k]));
    }
    void prefetch_row(const float* row) const {
        for (size_t d = 0; d < tables_.stride; d += 16) prefetch_line(row + d);
    }

    void skipgram(Loss* loss) {
        size_t pairs = inputs_.size() * outputs_.size();
        scores_.resize(pairs + kLanes);
        score(inputs_.data(), inputs_.size());
        if (loss) add_loss(*loss, inputs_.size());
        to_gradients(pairs);
        update(inputs_.data(), inputs_.size());
    }

    // The mean of the contexts is one input; its gradient goes to each of them by its share.
    void cbow(Loss* loss) {
        const float share = 1.0f / static_cast<float>(inputs_.size());
        mean_.assign(tables_.stride, 0.0f);
        for (const float* row : inputs_)
            for (size_t d = 0; d < tables_.stride; ++d) mean_[d] += share * row[d];
        moved_ = mean_;
        float* mean = moved_.data();
        scores_.resize(outputs_.size() + kLanes);
        score(&mean, 1);
        if (loss) add_loss(*loss, 1);
        to_gradients(outputs_.size());
        update(&mean, 1);
        for (float* row : inputs_)
            for (size_t d = 0; d < tables_.stride; ++d) row[d] += share * (moved_[d] - mean_[d]);
    }

    // scores_[c, k] = input c · output k.
    void score(float* const* inputs, size_t count) {
        for (size_t k = 0; k < outputs_.size(); k += kOutputs) {
            switch (std::min(kOutputs, outputs_.size() - k)) {
                case 1: score_outputs<1>(inputs, count, k); break;
                case 2: score_outputs<2>(inputs, count, k); break;
                case 3: score_outputs<3>(inputs, count, k); break;
                case 4: score_outputs<4>(inputs, count, k); break;
                case 5: score_outputs<5>(inputs, count, k); break;
                default: score_outputs<kOutputs>(inputs, count, k);
            }
        }
    }

    template <size_t Outputs>
    void score_outputs(float* const* inputs, size_t count, size_t k) {
        size_t c = 0;
        for (; c + kContexts <= count; c += kContexts) score_tile<Outputs, kContexts>(inputs, c, k);
        if constexpr (kContexts > 2)
            for (; c + 2 <= count; c += 2) score_tile<Outputs, 2>(inputs, c, k);
        for (; c < count; ++c) score_tile<Outputs, 1>(inputs, c, k);
    }

    template <size_t Outputs, size_t Contexts>
    void score_tile(float* const* inputs, size_t first_context, size_t first_output) {
        constexpr size_t kSums = (Contexts * Outputs + 3) / 4 * 4;
        Vector sums[kSums];  // [contexts, outputs]
        NUMBERLINE_UNROLL
        for (size_t at = 0; at < kSums; ++at) sums[at] = all(0);
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            Vector x[Contexts];
            NUMBERLINE_UNROLL
            for (size_t c = 0; c < Contexts; ++c) x[c] = load(inputs[first_context + c] + d);
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k) {
                Vector o = load(outputs_[first_output + k] + d);
                NUMBERLINE_UNROLL
                for (size_t c = 0; c < Contexts; ++c) {
                    Vector& sum = sums[c * Outputs + k];
                    sum = sum + x[c] * o;
                }
            }
        }
        float totals[kSums];
        NUMBERLINE_UNROLL
        for (size_t at = 0; at < kSums; at += 4)
            store_four_sums(totals + at, sums[at], sums[at + 1], sums[at + 2], sums[at + 3]);
        for (size_t c = 0; c < Contexts; ++c) {
            float* scores = scores_.data() + (first_context + c) * outputs_.size() + first_output;
            for (size_t k = 0; k < Outputs; ++k) scores[k] = totals[c * Outputs + k];
        }
    }

    // -log sigma(score) of the centre, -log sigma(-score) of each negative.
    void add_loss(Loss& loss, size_t contexts) const {
        for (size_t c = 0; c < contexts; ++c)
            for (size_t k = 0; k < outputs_.size(); ++k) {
                float score = scores_[c * outputs_.size() + k];
                loss.sum += log_of_one_plus_exp(k == 0 ? -score : score);
            }
        loss.pairs += static_cast<int64_t>(contexts);
    }

    // score → rate (1 or 0 - sigma(score)): 1 for the centre, which is the first of each row.
    void to_gradients(size_t pairs) {
        for (size_t at = 0; at < pairs; at += kLanes) {
            Vector x = clamped(load(scores_.data() + at), kLargestScore);
            store(scores_.data() + at, all(-rate_) / (all(1) + exponential(all(0) - x)));
        }
        for (size_t at = 0; at < pairs; at += outputs_.size()) scores_[at] += rate_;
    }

    void update(float* const* inputs, size_t count) {
        switch (outputs_.size()) {
            case 1: return update_outputs<1>(inputs, count);
            case 2: return update_outputs<2>(inputs, count);
            case 3: return update_outputs<3>(inputs, count);
            case 4: return update_outputs<4>(inputs, count);
            case 5: return update_outputs<5>(inputs, count);
            case kOutputs: return update_outputs<kOutputs>(inputs, count);
            default: return update_many_outputs(inputs, count);
        }
    }

    // Inputs in their order: one that is met twice in a window has moved the second time.
    template <size_t Outputs>
    void update_outputs(float* const* inputs, size_t count) {
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            Vector o[Outputs], change[Outputs];
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k) {
                o[k] = load(outputs_[k] + d);
                change[k] = all(0);
            }
            const float* gradient = scores_.data();
            for (size_t c = 0; c < count; ++c, gradient += Outputs) {
                Vector x = load(inputs[c] + d), moved = x;
                NUMBERLINE_UNROLL
                for (size_t k = 0; k < Outputs; ++k) {
                    Vector g = all(gradient[k]);
                    moved = moved + g * o[k];
                    change[k] = change[k] + g * x;
                }
                store(inputs[c] + d, moved);
            }
            // Added, not stored: a row may be drawn twice.
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k)
                store(outputs_[k] + d, load(outputs_[k] + d) + change[k]);
        }
    }

    void update_many_outputs(float* const* inputs, size_t count) {
        const size_t outputs = outputs_.size();
        old_.resize(outputs * kLanes);
        change_.resize(outputs * kLanes);
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            for (size_t k = 0; k < outputs; ++k)
                store(old_.data() + k * kLanes, load(outputs_[k] + d));
            std::fill(change_.begin(), change_.end(), 0.0f);
            const float* gradient = scores_.data();
            for (size_t c = 0; c < count; ++c, gradient += outputs) {
                Vector x = load(inputs[c] + d), moved = x;
                for (size_t k = 0; k < outputs; ++k) {
                    Vector g = all(gradient[k]);
                    float* change = change_.data() + k * kLanes;
                    moved = moved + g * load(old_.data() + k * kLanes);
                    store(change, load(change) + g * x);
                }
                store(inputs[c] + d, moved);
            }
            for (size_t k = 0; k < outputs; ++k)
                store(outputs_[k] + d, load(outputs_[k] + d) + load(change_.data() + k * kLanes));
        }
    }

    const PlanView& plan_;
    const TablesView& tables_;
    const float rate_;
    std::vector<float*> inputs_, outputs_;  // rows of the window: contexts; centre and negatives
    std::vector<float> scores_;             // then gradients, [inputs, outputs]
    std::vector<float> mean_, moved_, old_, change_;
};

}  // namespace

Loss train_windows(const PlanView& plan, const TablesView& tables, float learning_rate,
                   Objective objective, size_t loss_phase) {
    return WindowTrainer(plan, tables, learning_rate).train(objective, loss_phase);
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
