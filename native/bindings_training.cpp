// Plans and training ↔ Python: ids and tables in; plans and losses out.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include "kernels.h"
#include "window_plan.h"

namespace numberline {

namespace {

std::vector<AliasPlace> alias_table(ConstArray<uint32_t> thresholds, ConstArray<int32_t> others) {
    std::vector<AliasPlace> table;
    if (others.size() != thresholds.size())
        throw std::invalid_argument("the parts of a table do not fit");
    for (size_t place = 0; place < others.size(); ++place) {
        int32_t other = others.data()[place];
        if (other < 0 || static_cast<size_t>(other) >= others.size())
            throw std::invalid_argument("an alias beyond the table");
        table.push_back({thresholds.data()[place], other});
    }
    return table;
}

Sampling sampling(ConstArray<float> keep_share, std::vector<AliasPlace> negatives, uint32_t window,
                  uint32_t negatives_per_centre, std::vector<AliasPlace> numerals,
                  uint32_t numeral_negatives) {
    const size_t words = keep_share.size(), ids = negatives.size();
    if (words > ids || ids == 0 || window == 0 || numeral_negatives > negatives_per_centre ||
        (numeral_negatives && numerals.size() != ids - words))
        throw std::invalid_argument("the parts of a sampling do not fit");
    std::vector<float> copied_share(keep_share.data(), keep_share.data() + words);
    return {words,  std::move(copied_share), std::move(negatives), window, negatives_per_centre,
            std::move(numerals), numeral_negatives};
}

// A planner and what it needs to live; one for each thread.
struct BlockTrainer {
    BlockTrainer(const Sampling& shared, std::vector<int32_t> groups, size_t group_count)
        : planner(shared, std::move(groups), group_count) {}
    Planner planner;
};

void make_block_trainer(BlockTrainer* self, const Sampling& shared, ConstArray<int32_t> groups) {
    if (groups.size() != shared.negatives.size() - shared.words)
        throw std::invalid_argument("one group per numeral");
    int32_t group_count = 0;
    for (size_t numeral = 0; numeral < groups.size(); ++numeral) {
        if (groups.data()[numeral] < 0) throw std::invalid_argument("a group below 0");
        group_count = std::max(group_count, groups.data()[numeral] + 1);
    }
    std::vector<int32_t> copied(groups.data(), groups.data() + groups.size());
    new (self) BlockTrainer(shared, std::move(copied), static_cast<size_t>(group_count));
}

void plan(BlockTrainer& self, ConstArray<int32_t> ids, ConstArray<int64_t> sentence_ends,
          int64_t first_token, int64_t last_token, uint64_t key) {
    if (first_token < 0 || last_token > static_cast<int64_t>(ids.size()))
        throw std::invalid_argument("tokens beyond the corpus");
    const auto known = static_cast<int32_t>(self.planner.sampling().negatives.size());
    nb::gil_scoped_release release;
    for (int64_t at = first_token; at < last_token; ++at)
        if (ids.data()[at] < 0 || ids.data()[at] >= known)
            throw std::invalid_argument("an id beyond the vocabulary");
    self.planner.plan(ids.data(), sentence_ends.data(), sentence_ends.size(), first_token,
                      last_token, key);
}

// A copy: the planner writes into its own memory again.
nb::object copied(const std::vector<int32_t>& values) {
    return nb::cast(to_array(std::vector<int32_t>(values)));
}

nb::dict plan_arrays(const BlockTrainer& self) {
    const WindowPlan& latest = self.planner.latest();
    nb::dict arrays;
    arrays["input_rows"] = copied(latest.input_rows);
    arrays["output_rows"] = copied(latest.output_rows);
    arrays["first_context"] = copied(latest.first_context);
    arrays["last_context"] = copied(latest.last_context);
    arrays["negative_rows"] = copied(latest.negative_rows);
    arrays["input_numerals"] = copied(latest.input_numerals);
    arrays["output_numerals"] = copied(latest.output_numerals);
    return arrays;
}

nb::tuple train_planned(const BlockTrainer& self, MutableTable word_input, MutableTable word_output,
                        MutableTable numeral_input, MutableTable numeral_output,
                        float learning_rate, bool cbow, size_t loss_phase) {
    const WindowPlan& plan = self.planner.latest();
    const size_t stride = word_input.shape(1), words = self.planner.sampling().words;
    for (const MutableTable* table : {&word_output, &numeral_input, &numeral_output})
        if (table->shape(1) != stride) throw std::invalid_argument("rows of different length");
    if (stride % kRowAlignment != 0) throw std::invalid_argument("rows are not padded");
    if (word_input.shape(0) < words || word_output.shape(0) < words ||
        numeral_input.shape(0) < plan.input_numerals.size() ||
        numeral_output.shape(0) < plan.output_numerals.size())
        throw std::invalid_argument("tables have fewer rows than the plan");
    PlanView view{plan.input_rows.size(),     self.planner.sampling().negatives_per_centre,
                  plan.input_rows.data(),     plan.output_rows.data(),
                  plan.first_context.data(),  plan.last_context.data(),
                  plan.negative_rows.data()};
    TablesView tables{stride, word_input.data(), word_output.data(), numeral_input.data(),
                      numeral_output.data()};
    Objective objective = cbow ? Objective::cbow : Objective::skipgram;
    Loss loss;
    {
        nb::gil_scoped_release release;
        loss = kernels().train_windows(view, tables, learning_rate, objective, loss_phase);
    }
    return nb::make_tuple(loss.sum, loss.pairs);
}

}  // namespace

void bind_training(nb::module_& module) {
    nb::class_<Sampling>(module, "Sampling")
        .def("__init__",
             [](Sampling* self, ConstArray<float> keep_share, ConstArray<uint32_t> thresholds,
                ConstArray<int32_t> others, uint32_t window, uint32_t negatives_per_centre,
                ConstArray<uint32_t> numeral_thresholds, ConstArray<int32_t> numeral_others,
                uint32_t numeral_negatives) {
                 new (self) Sampling(sampling(keep_share, alias_table(thresholds, others), window,
                                              negatives_per_centre,
                                              alias_table(numeral_thresholds, numeral_others),
                                              numeral_negatives));
             },
             nb::kw_only(), nb::arg("keep_share"), nb::arg("thresholds"), nb::arg("others"),
             nb::arg("window"), nb::arg("negatives_per_centre"), nb::arg("numeral_thresholds"),
             nb::arg("numeral_others"), nb::arg("numeral_negatives"));

    nb::class_<BlockTrainer>(module, "BlockTrainer")
        .def("__init__", &make_block_trainer, nb::arg("sampling"), nb::arg("groups"),
             nb::keep_alive<1, 2>())
        .def("plan", &plan, nb::kw_only(), nb::arg("ids"), nb::arg("sentence_ends"),
             nb::arg("first_token"), nb::arg("last_token"), nb::arg("key"))
        .def("plan_arrays", &plan_arrays)
        .def_prop_ro("input_numerals",
                     [](const BlockTrainer& self) {
                         return copied(self.planner.latest().input_numerals);
                     })
        .def_prop_ro("output_numerals",
                     [](const BlockTrainer& self) {
                         return copied(self.planner.latest().output_numerals);
                     })
        .def("train", &train_planned, nb::kw_only(), nb::arg("word_input").noconvert(),
             nb::arg("word_output").noconvert(), nb::arg("numeral_input").noconvert(),
             nb::arg("numeral_output").noconvert(), nb::arg("learning_rate"), nb::arg("cbow"),
             nb::arg("loss_phase"));
}

}  // namespace numberline
