// Plans and training ↔ Python: ids and tables in; plans and losses out.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include "training/kernels.h"
#include "training/plan.h"

namespace numberline {

namespace {

AliasTable alias_table(ConstArray<uint32_t> thresholds, ConstArray<int32_t> others) {
    AliasTable table;
    require(others.size() == thresholds.size(),
            "the parts of an alias table do not fit: there must be as many others as thresholds");
    require(others.size() <= INT32_MAX, "an alias table has more entries than 32 bits count");
    require_aligned(others, "others");
    require_aligned(thresholds, "thresholds");
    for (size_t index = 0; index < others.size(); ++index) {
        const int32_t other = others.data()[index];
        require(other >= 0 && static_cast<size_t>(other) < others.size(), "an alias beyond the table");
        table.push_back({thresholds.data()[index], other});
    }
    return table;
}

Sampling make_sampling(ConstArray<float> keep_probability, AliasTable negatives,
                       AliasTable numeral_negatives, uint32_t window, uint32_t negatives_per_group,
                       uint32_t numerals_per_group) {
    const size_t words = keep_probability.size(), ids = negatives.size();
    if (words > ids || ids == 0 || numerals_per_group > negatives_per_group ||
        (numerals_per_group && numeral_negatives.size() != ids - words))
        throw std::invalid_argument("the parts of a sampling do not fit");
    require(window > 0 && window <= kLargestWindow, "window must be 1 to 1000");
    require(negatives_per_group > 0 && negatives_per_group <= kMostNegatives,
            "negatives_per_group must be 1 to 1000");
    require_aligned(keep_probability, "keep_probability");
    return {{keep_probability.data(), keep_probability.data() + words},
            std::move(negatives),
            std::move(numeral_negatives),
            window,
            negatives_per_group,
            numerals_per_group};
}

// The trainer of one thread, with a plan and composed rows of its own.
class BlockTrainer {
  public:
    BlockTrainer(const Corpus& corpus, const Sampling& sampling, const Tables& tables,
                 Objective objective, float score_offset)
        : sampling_(sampling), tables_(tables), objective_(objective), score_offset_(score_offset),
          planner_(corpus, sampling), workspace_(sampling, tables) {}

    int64_t tokens() const { return planner_.tokens(); }
    const WindowPlan& plan(const Block& block, uint64_t key) { return planner_.plan(block, key); }
    Loss train(const Block& block, uint64_t key, float learning_rate, size_t loss_phase) {
        return kernels().train_windows(
            planner_.plan(block, key), tables_,
            {objective_, sampling_.negatives_per_group, score_offset_, learning_rate, loss_phase},
            workspace_);
    }
    std::atomic_flag is_used = ATOMIC_FLAG_INIT;  // a second thread would write into the same plan

  private:
    const Sampling& sampling_;
    const Tables tables_;
    const Objective objective_;
    const float score_offset_;
    Planner planner_;
    Workspace workspace_;
};

constexpr size_t kLargestStride = 1 << 14;  // floats; dim is 10,000 at most

// NumPy arrays: they are not copied, and these structs keep them alive.
struct CorpusArrays {
    ConstArray<int32_t> ids;
    ConstArray<int64_t> sentence_offsets;

    Corpus view() const {
        return {ids.data(), static_cast<int64_t>(ids.size()), sentence_offsets.data(),
                sentence_offsets.size() - 1};
    }
};

struct SideArrays {
    MutableTable rows;
    ConstArray<int64_t> offsets;
    ConstArray<int32_t> indices;
    ConstArray<float> weights;

    SideTable view() const {
        return {rows.data(), {indices.size(), offsets.data(), indices.data(), weights.data()}};
    }
    void require_fit(size_t words, size_t numerals) const {
        require(rows.shape(1) > 0 && rows.shape(1) <= kLargestStride &&
                    rows.shape(1) % kRowAlignment == 0,
                "rows are not padded: their length must be a multiple of 16, up to 16384");
        require(reinterpret_cast<uintptr_t>(rows.data()) % (kRowAlignment * sizeof(float)) == 0,
                "rows are not aligned: they must begin at a multiple of 64 bytes");
        require(rows.shape(0) >= words, "a table has fewer rows than there are words");
        require_sparse_rows(offsets, indices, weights, numerals, rows.shape(0) - words);
    }
};

void make_corpus(CorpusArrays* self, ConstArray<int32_t> ids,
                 ConstArray<int64_t> sentence_offsets) {
    require_aligned(ids, "ids");
    require_aligned(sentence_offsets, "sentence_offsets");
    const auto tokens = static_cast<int64_t>(ids.size());
    int64_t before = 0;
    for (size_t at = 0; at < sentence_offsets.size(); ++at) {
        const int64_t offset = sentence_offsets.data()[at];
        require(offset >= before && offset <= tokens, "sentences beyond the corpus: offsets must "
                                                      "rise from 0 to its number of tokens");
        before = offset;
    }
    require(sentence_offsets.size() > 0, "sentences beyond the corpus: there are no offsets");
    new (self) CorpusArrays{std::move(ids), std::move(sentence_offsets)};
}

void make_side(SideArrays* self, MutableTable rows, ConstArray<int64_t> offsets,
               ConstArray<int32_t> indices, ConstArray<float> weights) {
    new (self) SideArrays{std::move(rows), std::move(offsets), std::move(indices),
                          std::move(weights)};
}

void make_trainer(BlockTrainer* self, const CorpusArrays& corpus, const Sampling& sampling,
                  const SideArrays& input, const SideArrays& output, bool is_frozen, bool is_cbow,
                  float score_offset) {
    require(std::isfinite(score_offset), "score_offset must be finite");
    const size_t words = sampling.words(), stride = input.rows.shape(1);
    if (output.rows.shape(1) != stride || output.rows.shape(0) != input.rows.shape(0))
        throw std::invalid_argument("tables of different shape");
    for (const SideArrays* side : {&input, &output})
        side->require_fit(words, sampling.ids() - words);
    const Tables tables{words,     input.rows.shape(0) - words, stride, is_frozen, input.view(),
                        output.view()};
    new (self) BlockTrainer(corpus.view(), sampling, tables,
                            is_cbow ? Objective::cbow : Objective::skipgram, score_offset);
}

Block block_of(const BlockTrainer& trainer, int64_t first_token, int64_t last_token) {
    if (first_token < 0 || first_token > last_token || last_token > trainer.tokens())
        throw std::invalid_argument("tokens beyond the corpus");
    require(last_token - first_token <= kMostBlockTokens, "a block of more than 2^28 tokens");
    return {first_token, last_token};
}

// Return a copy, since the planner reuses its memory.
template <class T>
nb::object copied(const std::vector<T>& values) {
    return nb::cast(to_array(std::vector<T>(values)));
}

nb::dict plan(BlockTrainer& self, int64_t first_token, int64_t last_token, uint64_t key) {
    const Use use(self.is_used, "trainer");
    const WindowPlan& planned = self.plan(block_of(self, first_token, last_token), key);
    nb::dict arrays;
    arrays["ids"] = copied(planned.ids);
    arrays["first_context"] = copied(planned.first_context);
    arrays["last_context"] = copied(planned.last_context);
    arrays["first_centre"] = planned.first_centre;
    arrays["last_centre"] = planned.last_centre;
    arrays["negatives"] = copied(planned.negatives);
    return arrays;
}

nb::tuple train(BlockTrainer& self, int64_t first_token, int64_t last_token, uint64_t key,
                float learning_rate, size_t loss_phase) {
    require(std::isfinite(learning_rate), "learning_rate must be finite");
    const Block block = block_of(self, first_token, last_token);
    const Use use(self.is_used, "trainer");
    Loss loss;
    {
        nb::gil_scoped_release release;
        loss = self.train(block, key, learning_rate, loss_phase);
    }
    return nb::make_tuple(loss.sum, loss.pairs);
}

}  // namespace

void bind_training(nb::module_& module) {
    nb::class_<Sampling>(module, "Sampling")
        .def("__init__",
             [](Sampling* self, ConstArray<float> keep_probability, ConstArray<uint32_t> thresholds,
                ConstArray<int32_t> others, ConstArray<uint32_t> numeral_thresholds,
                ConstArray<int32_t> numeral_others, uint32_t window, uint32_t negatives_per_group,
                uint32_t numerals_per_group) {
                 new (self) Sampling(make_sampling(
                     keep_probability, alias_table(thresholds, others),
                     alias_table(numeral_thresholds, numeral_others), window, negatives_per_group,
                     numerals_per_group));
             },
             nb::kw_only(), nb::arg("keep_probability"), nb::arg("thresholds"), nb::arg("others"),
             nb::arg("numeral_thresholds"), nb::arg("numeral_others"), nb::arg("window"),
             nb::arg("negatives_per_group"), nb::arg("numerals_per_group"));

    nb::class_<CorpusArrays>(module, "Corpus")
        .def("__init__", &make_corpus, nb::kw_only(), nb::arg("ids"), nb::arg("sentence_offsets"));

    nb::class_<SideArrays>(module, "SideTable")
        .def("__init__", &make_side, nb::kw_only(), nb::arg("rows").noconvert(),
             nb::arg("offsets"), nb::arg("indices"), nb::arg("weights"));

    nb::class_<BlockTrainer>(module, "BlockTrainer")
        .def("__init__", &make_trainer, nb::kw_only(), nb::arg("corpus"), nb::arg("sampling"),
             nb::arg("input"), nb::arg("output"), nb::arg("is_frozen"), nb::arg("is_cbow"),
             nb::arg("score_offset"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
        .def("plan", &plan, nb::kw_only(), nb::arg("first_token"), nb::arg("last_token"),
             nb::arg("key"))
        .def("train", &train, nb::kw_only(), nb::arg("first_token"), nb::arg("last_token"),
             nb::arg("key"), nb::arg("learning_rate"), nb::arg("loss_phase"));
}

}  // namespace numberline
