// Plans and training ↔ Python: ids and tables in; plans and losses out.
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include "training/kernels.h"
#include "training/plan.h"

namespace numberline {

namespace {

AliasTable alias_table(ConstArray<uint32_t> thresholds, ConstArray<int32_t> others) {
    AliasTable table;
    if (others.size() != thresholds.size())
        throw std::invalid_argument("the parts of an alias table do not fit");
    for (size_t index = 0; index < others.size(); ++index) {
        const int32_t other = others.data()[index];
        if (other < 0 || static_cast<size_t>(other) >= others.size())
            throw std::invalid_argument("an alias beyond the table");
        table.push_back({thresholds.data()[index], other});
    }
    return table;
}

Sampling make_sampling(ConstArray<float> keep_probability, AliasTable negatives,
                       AliasTable numeral_negatives, uint32_t window, uint32_t negatives_per_draw,
                       uint32_t numerals_per_draw) {
    const size_t words = keep_probability.size(), ids = negatives.size();
    if (words > ids || ids == 0 || window == 0 || negatives_per_draw == 0 ||
        numerals_per_draw > negatives_per_draw ||
        (numerals_per_draw && numeral_negatives.size() != ids - words))
        throw std::invalid_argument("the parts of a sampling do not fit");
    return {{keep_probability.data(), keep_probability.data() + words},
            std::move(negatives),
            std::move(numeral_negatives),
            window,
            negatives_per_draw,
            numerals_per_draw};
}

// What a thread trains with: a plan of its own, and rows that it composes.
class RangeTrainer {
  public:
    RangeTrainer(const Sampling& sampling, Tables tables, RunLimits limits)
        : sampling_(sampling), tables_(tables), planner_(sampling),
          workspace_(sampling.ids() - sampling.words(), tables.stride, sampling, limits) {}

    const WindowPlan& plan(const TextRange& range, uint64_t key) { return planner_.plan(range, key); }
    Loss train(const TextRange& range, uint64_t key, const WindowSettings& settings) {
        return kernels().train_windows(planner_.plan(range, key), sampling_.negatives_per_draw,
                                       tables_, settings, workspace_);
    }
    // Two threads would write into one plan.
    std::atomic_flag is_busy = ATOMIC_FLAG_INIT;

  private:
    const Sampling& sampling_;
    Tables tables_;
    Planner planner_;
    Workspace workspace_;
};

class Busy {
  public:
    explicit Busy(RangeTrainer& trainer) : trainer_(trainer) {
        if (trainer.is_busy.test_and_set())
            throw std::invalid_argument("another thread uses this trainer");
    }
    ~Busy() { trainer_.is_busy.clear(); }

  private:
    RangeTrainer& trainer_;
};


SparseRows sparse_rows(const nb::tuple& arrays, size_t numerals, size_t prototypes) {
    auto offsets = nb::cast<ConstArray<int64_t>>(arrays[0], false);
    auto indices = nb::cast<ConstArray<int32_t>>(arrays[1], false);
    auto weights = nb::cast<ConstArray<float>>(arrays[2], false);
    require_sparse_rows(offsets, indices, weights, numerals, prototypes);
    return {offsets.data(), indices.data(), weights.data()};
}

void make_trainer(RangeTrainer* self, const Sampling& sampling, MutableTable input,
                  MutableTable output, nb::tuple input_rows, nb::tuple output_rows, bool is_frozen,
                  size_t run_draws, size_t run_numerals) {
    const size_t words = sampling.words(), numerals = sampling.ids() - words;
    const size_t stride = input.shape(1), rows = input.shape(0);
    if (output.shape(1) != stride || output.shape(0) != rows)
        throw std::invalid_argument("tables of different shape");
    if (stride % kRowAlignment != 0) throw std::invalid_argument("rows are not padded");
    for (const float* table : {input.data(), output.data()})
        if (reinterpret_cast<uintptr_t>(table) % (kRowAlignment * sizeof(float)) != 0)
            throw std::invalid_argument("rows are not aligned");
    if (rows < words) throw std::invalid_argument("tables have fewer rows than there are words");
    if (run_draws == 0 || run_numerals == 0) throw std::invalid_argument("an empty run");
    const Tables tables{words,
                        rows - words,
                        stride,
                        is_frozen,
                        {input.data(), sparse_rows(input_rows, numerals, rows - words)},
                        {output.data(), sparse_rows(output_rows, numerals, rows - words)}};
    new (self) RangeTrainer(sampling, tables, {run_draws, run_numerals});
}

TextRange text_range(const ConstArray<int32_t>& ids, const ConstArray<int64_t>& sentence_offsets,
                     int64_t first_token, int64_t last_token) {
    const auto tokens = static_cast<int64_t>(ids.size());
    if (first_token < 0 || first_token > last_token || last_token > tokens ||
        sentence_offsets.size() == 0)
        throw std::invalid_argument("tokens beyond the corpus");
    int64_t before = 0;
    for (size_t at = 0; at < sentence_offsets.size(); ++at) {
        const int64_t offset = sentence_offsets.data()[at];
        if (offset < before || offset > tokens)
            throw std::invalid_argument("sentences beyond the corpus");
        before = offset;
    }
    return {ids.data(), sentence_offsets.data(), sentence_offsets.size() - 1, first_token, last_token};
}

// A copy: the planner writes into its own memory again.
template <class T>
nb::object copied(const std::vector<T>& values) {
    return nb::cast(to_array(std::vector<T>(values)));
}

nb::dict plan(RangeTrainer& self, ConstArray<int32_t> ids, ConstArray<int64_t> sentence_offsets,
              int64_t first_token, int64_t last_token, uint64_t key) {
    const Busy busy(self);
    const WindowPlan& planned =
        self.plan(text_range(ids, sentence_offsets, first_token, last_token), key);
    nb::dict arrays;
    arrays["ids"] = copied(planned.ids);
    arrays["first_context"] = copied(planned.first_context);
    arrays["last_context"] = copied(planned.last_context);
    arrays["first_centre"] = planned.first_centre;
    arrays["last_centre"] = planned.last_centre;
    arrays["negatives"] = copied(planned.negatives);
    return arrays;
}

nb::tuple train(RangeTrainer& self, ConstArray<int32_t> ids, ConstArray<int64_t> sentence_offsets,
                int64_t first_token, int64_t last_token, uint64_t key, float learning_rate,
                float score_offset, bool cbow, size_t loss_phase) {
    const TextRange range = text_range(ids, sentence_offsets, first_token, last_token);
    const Busy busy(self);
    const WindowSettings settings{cbow ? Objective::cbow : Objective::skipgram, learning_rate,
                                  score_offset, loss_phase};
    Loss loss;
    {
        nb::gil_scoped_release release;
        loss = self.train(range, key, settings);
    }
    return nb::make_tuple(loss.sum, loss.pairs);
}

}  // namespace

void bind_training(nb::module_& module) {
    nb::class_<Sampling>(module, "Sampling")
        .def("__init__",
             [](Sampling* self, ConstArray<float> keep_probability, ConstArray<uint32_t> thresholds,
                ConstArray<int32_t> others, ConstArray<uint32_t> numeral_thresholds,
                ConstArray<int32_t> numeral_others, uint32_t window, uint32_t negatives_per_draw,
                uint32_t numerals_per_draw) {
                 new (self) Sampling(make_sampling(
                     keep_probability, alias_table(thresholds, others),
                     alias_table(numeral_thresholds, numeral_others), window, negatives_per_draw,
                     numerals_per_draw));
             },
             nb::kw_only(), nb::arg("keep_probability"), nb::arg("thresholds"), nb::arg("others"),
             nb::arg("numeral_thresholds"), nb::arg("numeral_others"), nb::arg("window"),
             nb::arg("negatives_per_draw"), nb::arg("numerals_per_draw"));

    // The arrays are not copied: whoever makes a trainer keeps them.
    nb::class_<RangeTrainer>(module, "RangeTrainer")
        .def("__init__", &make_trainer, nb::kw_only(), nb::arg("sampling"),
             nb::arg("input").noconvert(), nb::arg("output").noconvert(), nb::arg("input_rows"),
             nb::arg("output_rows"), nb::arg("is_frozen"), nb::arg("run_draws"),
             nb::arg("run_numerals"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
        .def("plan", &plan, nb::kw_only(), nb::arg("ids"), nb::arg("sentence_offsets"),
             nb::arg("first_token"), nb::arg("last_token"), nb::arg("key"))
        .def("train", &train, nb::kw_only(), nb::arg("ids"), nb::arg("sentence_offsets"),
             nb::arg("first_token"), nb::arg("last_token"), nb::arg("key"),
             nb::arg("learning_rate"), nb::arg("score_offset"), nb::arg("cbow"),
             nb::arg("loss_phase"));
}

}  // namespace numberline
