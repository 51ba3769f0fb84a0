// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "windows.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kOutputs = 7;  // output rows at a time: with their changes they fit in registers
constexpr size_t kInputs = 2;   // input rows beside them while scores are taken
constexpr size_t kAhead = 8;    // rows are fetched this many centres before they are used
constexpr size_t kLossEvery = 128;      // steps, one of which adds to the loss: logarithms are slow
constexpr float kLargestScore = 30.0f;  // beyond it a sigmoid is 0 or 1 in a float

static_assert(kCentresPerGroup % kCentresPerStep == 0, "a step lies within a group");
static_assert(kAhead % kCentresPerGroup == 0, "rows are fetched by steps and by groups");

float log_of_one_plus_exp(float x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// Two neighbouring centres make a step: their contexts are mostly the same rows.
class WindowTrainer : PlanView {
  public:
    WindowTrainer(const WindowPlan& plan, const Tables& tables, const WindowSettings& settings,
                  Workspace& workspace)
        : PlanView(plan, tables.words, settings.negatives), tables_(tables), settings_(settings),
          input_rows_(tables, tables.input, workspace.input),
          output_rows_(tables, tables.output, workspace.output),
          outputs_(kCentresPerStep + negatives_), sign_width_(outputs_.size() + kLanes) {
        const size_t chunks = (outputs_.size() + kOutputs - 1) / kOutputs;
        for (size_t k = 0; chunks_.size() < chunks; k += chunks_.back().size) {
            const size_t left = chunks - chunks_.size();
            chunks_.push_back({k, (outputs_.size() - k + left - 1) / left});
        }
        signs_.assign(sign_width_ << kCentresPerStep, 0.0f);
    }

    Loss train() {
        Loss loss;
        for (size_t first = plan_.first_centre; first < plan_.last_centre;) {
            const Span group{first, end_of_group(first)};
            find_rows(group);
            for (size_t centre = first; centre < group.last; centre += kCentresPerStep) {
                look_ahead(centre + kAhead);
                gather_outputs(centre);
                const size_t step = (centre - plan_.first_centre) / kCentresPerStep;
                const bool wants_loss = (step + settings_.loss_phase) % kLossEvery == 0;
                if (settings_.objective == Objective::skipgram)
                    skipgram(centre, wants_loss ? &loss : nullptr);
                else cbow(centre, wants_loss ? &loss : nullptr);
            }
            input_rows_.end_group();
            output_rows_.end_group();
            first = group.last;
        }
        return loss;
    }

  private:
    struct Chunk {
        size_t first, size;  // outputs
    };

    // Look up the rows of a group, which stay where they are until it ends.
    void find_rows(Span group) {
        Span tokens = contexts_of(group.first);
        for (size_t centre = group.first; centre < group.last; ++centre) {
            tokens.first = std::min(tokens.first, contexts_of(centre).first);
            tokens.last = std::max(tokens.last, contexts_of(centre).last);
        }
        group_ = group;
        first_token_ = tokens.first;
        context_rows_.resize(tokens.last - tokens.first);
        for (size_t at = tokens.first; at < tokens.last; ++at)
            context_rows_[at - tokens.first] = input_rows_.row(plan_.ids[at]);
        centre_rows_.resize(group.last - group.first);
        for (size_t centre = group.first; centre < group.last; ++centre)
            centre_rows_[centre - group.first] = output_rows_.row(plan_.ids[centre]);
        const int32_t* ids = negatives_of(group.first);
        negative_rows_.resize(negatives_);
        for (size_t at = 0; at < negative_rows_.size(); ++at)
            negative_rows_[at] = output_rows_.row(ids[at]);
    }
    float* context_row(size_t token) const { return context_rows_[token - first_token_]; }

    // The rows of words that a later step meets first: all outputs, and the inputs of new contexts.
    void look_ahead(size_t first) {
        ahead_.clear();
        if (first >= plan_.last_centre) return;
        const size_t end = end_of_step(first);
        for (size_t at = contexts_of(first - 1).last; at < contexts_of(end - 1).last; ++at)
            add_ahead(tables_.input, plan_.ids[at]);
        for (size_t centre = first; centre < end; ++centre)
            add_ahead(tables_.output, plan_.ids[centre]);
        if ((first - plan_.first_centre) % kCentresPerGroup == 0)
            for (size_t k = 0; k < negatives_; ++k) add_ahead(tables_.output, negatives_of(first)[k]);
    }
    void add_ahead(const SideTable& side, int32_t id) {
        if (!is_numeral(id)) ahead_.push_back(side.rows + static_cast<size_t>(id) * tables_.stride);
    }
    // Fetch one cache line of each row at a time, between arithmetic: all at once would stall.
    void fetch_ahead(size_t d) const {
        if (d % kRowAlignment == 0)
            for (const float* row : ahead_) prefetch_line(row + d);
    }

    // The centres of the step, then its negatives. signs_[set] says how often each of them counts
    // for a context of that set of centres, one bit per centre: + for a centre, - for a negative.
    // A negative that is a centre itself does not count for that one.
    void gather_outputs(size_t first) {
        const size_t end = end_of_step(first);
        const int32_t* negatives = negatives_of(first);
        for (size_t c = 0; c < kCentresPerStep; ++c)
            outputs_[c] = centre_rows_[std::min(first + c, end - 1) - group_.first];
        for (size_t k = 0; k < negatives_; ++k) outputs_[kCentresPerStep + k] = negative_rows_[k];
        for (size_t set = 1; set < size_t{1} << kCentresPerStep; ++set) {
            size_t c = 0;  // the first centre of the set; the others are counted already
            while (!(set >> c & 1)) ++c;
            const float* others = signs_.data() + (set & (set - 1)) * sign_width_;
            float* signs = signs_.data() + set * sign_width_;
            const int32_t centre = plan_.ids[std::min(first + c, end - 1)];
            for (size_t k = 0; k < kCentresPerStep; ++k) signs[k] = others[k];
            signs[c] += 1;
            others += kCentresPerStep;
            signs += kCentresPerStep;
            for (size_t k = 0; k < negatives_; ++k)
                signs[k] = others[k] - (negatives[k] != centre ? 1.0f : 0.0f);
        }
    }

    void skipgram(size_t first, Loss* loss) {
        const size_t end = end_of_step(first);
        Span contexts[kCentresPerStep] = {contexts_of(first)};
        Span all = contexts[0];
        for (size_t c = 1; c < end - first; ++c) {
            contexts[c] = contexts_of(first + c);
            all.first = std::min(all.first, contexts[c].first);
            all.last = std::max(all.last, contexts[c].last);
        }
        resize(all.last - all.first);
        for (size_t at = all.first; at < all.last; ++at) {
            size_t set = 0;
            for (size_t c = 0; c < kCentresPerStep; ++c) {
                bool is_context = (at - contexts[c].first < contexts[c].last - contexts[c].first) &
                                  (at != first + c);
                set |= static_cast<size_t>(is_context) << c;
            }
            inputs_[at - all.first] = context_row(at);
            put_signs(at - all.first, set);
        }
        step(loss);
    }

    // The mean of the contexts is the input; each of n contexts moves by 1/n of its change.
    void cbow(size_t first, Loss* loss) {
        const size_t end = end_of_step(first), stride = tables_.stride;
        resize(end - first);
        means_.assign((end - first) * stride, 0.0f);
        for (size_t centre = first; centre < end; ++centre) {
            float* mean = means_.data() + (centre - first) * stride;
            inputs_[centre - first] = mean;
            put_signs(centre - first, size_t{1} << (centre - first));
            each_context(centre, [&](float* row, float weight) {
                for (size_t d = 0; d < stride; ++d) mean[d] += weight * row[d];
            });
        }
        before_ = means_;
        step(loss);
        for (size_t centre = first; centre < end; ++centre) {
            const float* mean = means_.data() + (centre - first) * stride;
            const float* before = before_.data() + (centre - first) * stride;
            each_context(centre, [&](float* row, float weight) {
                for (size_t d = 0; d < stride; ++d) row[d] += weight * (mean[d] - before[d]);
            });
        }
    }

    template <class Body>
    void each_context(size_t centre, Body body) const {
        const Span contexts = contexts_of(centre);
        const float weight = 1.0f / static_cast<float>(contexts.last - contexts.first - 1);
        for (size_t at = contexts.first; at < contexts.last; ++at)
            if (at != centre) body(context_row(at), weight);
    }

    void resize(size_t inputs) {
        inputs_.resize(inputs);
        const size_t pairs = inputs * outputs_.size() + kLanes * chunks_.size();
        if (gradients_.size() < pairs) {
            pair_signs_.resize(pairs);
            gradients_.resize(pairs);
        }
    }

    // Outputs are taken in chunks of nearly one size; what belongs to a chunk lies together.
    template <class Body>
    void each_chunk(Body body) const {
        size_t begin = 0;
        for (const Chunk& chunk : chunks_) {
            body(chunk.first, chunk.size, begin);
            begin += chunk.size * inputs_.size() + kLanes;
        }
    }

    // Call this in the order of inputs: whole registers are written, and the next input overwrites
    // what is beyond the end of this one's signs.
    void put_signs(size_t input, size_t set) {
        each_chunk([&](size_t k, size_t size, size_t begin) {
            float* to = pair_signs_.data() + begin + input * size;
            for (size_t at = 0; at < size; at += kLanes)
                store(to + at, load(signs_.data() + set * sign_width_ + k + at));
        });
    }

    void step(Loss* loss) {
        if (loss) add_loss(*loss);
        each_chunk([&](size_t k, size_t size, size_t begin) {
            with_size<kOutputs>(size, [&](auto outputs) { score<outputs>(k, begin); });
        });
        if (chunks_.size() > 1) return update_by_chunks();
        with_size<kOutputs>(outputs_.size(), [&](auto outputs) { update<outputs>(); });
    }

    // Inputs and outputs → gradients of a chunk.
    template <size_t Outputs>
    void score(size_t k, size_t begin) {
        size_t p = 0;
        for (; p + kInputs <= inputs_.size(); p += kInputs)
            score_tile<Outputs, kInputs>(p, k, begin + p * Outputs);
        for (; p < inputs_.size(); ++p) score_tile<Outputs, 1>(p, k, begin + p * Outputs);
        float* gradients = gradients_.data() + begin;
        const float* signs = pair_signs_.data() + begin;
        for (size_t at = 0; at < inputs_.size() * Outputs; at += kLanes)
            store(gradients + at, gradient(load(gradients + at), load(signs + at)));
    }

    template <size_t Outputs, size_t Inputs>
    void score_tile(size_t first_input, size_t first_output, size_t begin) {
        constexpr size_t kSums = (Inputs * Outputs + kLanes - 1) / kLanes * kLanes;
        Vector sums[kSums];  // [inputs, outputs]
        NUMBERLINE_UNROLL
        for (size_t at = 0; at < kSums; ++at) sums[at] = all(0);
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            Vector x[Inputs];
            NUMBERLINE_UNROLL
            for (size_t c = 0; c < Inputs; ++c) x[c] = load(inputs_[first_input + c] + d);
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k) {
                Vector o = load(outputs_[first_output + k] + d);
                NUMBERLINE_UNROLL
                for (size_t c = 0; c < Inputs; ++c) {
                    Vector& sum = sums[c * Outputs + k];
                    sum = sum + x[c] * o;
                }
            }
        }
        NUMBERLINE_UNROLL
        for (size_t at = 0; at < kSums; at += kLanes)
            store(gradients_.data() + begin + at, lane_sums(sums + at));
    }

    // A centre: rate (1 - sigma(score)) = rate sigma(-score). A negative: -rate sigma(score).
    Vector gradient(const Vector& product, const Vector& signs) const {
        Vector x = with_sign_of(signs, clamped(product - all(settings_.score_offset), kLargestScore));
        return all(settings_.learning_rate) * signs / (all(1) + exponential(x));
    }

    // -log sigma(score) of a centre, -log sigma(-score) of a negative, as often as they count.
    void add_loss(Loss& loss) const {
        each_chunk([&](size_t first, size_t size, size_t begin) {
            for (size_t p = 0; p < inputs_.size(); ++p)
                for (size_t k = 0; k < size; ++k) {
                    const float sign = pair_signs_[begin + p * size + k];
                    if (sign == 0) continue;
                    const float* output = outputs_[first + k];
                    float score = -settings_.score_offset;
                    for (size_t d = 0; d < tables_.stride; ++d) score += inputs_[p][d] * output[d];
                    loss.sum += std::abs(sign) * log_of_one_plus_exp(sign > 0 ? -score : score);
                    if (sign > 0) ++loss.pairs;
                }
        });
    }

    // Inputs in their order: one that is met twice has moved the second time.
    template <size_t Outputs>
    void update() {
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            Vector o[Outputs], change[Outputs];
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k) {
                o[k] = load(outputs_[k] + d);
                change[k] = all(0);
            }
            fetch_ahead(d);
            const float* gradient = gradients_.data();
            for (float* input : inputs_) {
                Vector x = load(input + d), moved = x;
                NUMBERLINE_UNROLL
                for (size_t k = 0; k < Outputs; ++k) {
                    Vector g = all(gradient[k]);
                    moved = moved + g * o[k];
                    change[k] = change[k] + g * x;
                }
                store(input + d, moved);
                gradient += Outputs;
            }
            // Added, not stored: a row may be there twice.
            NUMBERLINE_UNROLL
            for (size_t k = 0; k < Outputs; ++k)
                store(outputs_[k] + d, load(outputs_[k] + d) + change[k]);
        }
    }

    void update_by_chunks() {
        const size_t outputs = outputs_.size();
        old_.resize(outputs * kLanes);
        change_.resize(outputs * kLanes);
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            fetch_ahead(d);
            for (size_t k = 0; k < outputs; ++k)
                store(old_.data() + k * kLanes, load(outputs_[k] + d));
            std::fill(change_.begin(), change_.end(), 0.0f);
            for (size_t p = 0; p < inputs_.size(); ++p) {
                Vector x = load(inputs_[p] + d), moved = x;
                each_chunk([&](size_t first, size_t size, size_t begin) {
                    const float* gradient = gradients_.data() + begin + p * size;
                    for (size_t k = 0; k < size; ++k) {
                        Vector g = all(gradient[k]);
                        float* change = change_.data() + (first + k) * kLanes;
                        moved = moved + g * load(old_.data() + (first + k) * kLanes);
                        store(change, load(change) + g * x);
                    }
                });
                store(inputs_[p] + d, moved);
            }
            for (size_t k = 0; k < outputs; ++k)
                store(outputs_[k] + d, load(outputs_[k] + d) + load(change_.data() + k * kLanes));
        }
    }

    const Tables& tables_;
    const WindowSettings& settings_;
    GroupRows input_rows_, output_rows_;
    Span group_{0, 0};
    size_t first_token_ = 0;             // of the group's contexts
    std::vector<float*> context_rows_;   // [tokens of the group]
    std::vector<float*> centre_rows_;    // [centres of the group]
    std::vector<float*> negative_rows_;  // [negatives]
    std::vector<float*> inputs_, outputs_;  // rows of the step: contexts; centres and negatives
    std::vector<const float*> ahead_;       // rows of a later step
    std::vector<Chunk> chunks_;             // of the outputs
    const size_t sign_width_;
    std::vector<float> signs_;        // [sets of centres, sign width]
    std::vector<float> pair_signs_;   // [chunks][inputs, outputs of the chunk]
    std::vector<float> gradients_;    // likewise; products of rows first
    std::vector<float> means_, before_, old_, change_;
};

}  // namespace

Loss train_windows(const WindowPlan& plan, const Tables& tables, const WindowSettings& settings,
                   Workspace& workspace) {
    return WindowTrainer(plan, tables, settings, workspace).train();
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
