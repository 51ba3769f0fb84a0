// Python ↔ C++: arrays in, arrays out. Nothing but checks and conversions happens here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "index.h"
#include "kernels.h"
#include "window_plan.h"

namespace nb = nanobind;
using namespace numberline;

namespace {

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using ConstArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using ConstTable = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using MutableTable = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr size_t kCodePoints = 0x110000;

// Hands the vector's memory over to NumPy.
template <class T>
Array<T> to_array(std::vector<T>&& values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    size_t size = owned->size();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array<T>(data, {size}, owner);
}

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::shared_ptr<const CharacterTables> character_tables(
    ConstArray<uint8_t> shape, ConstArray<uint32_t> folded, ConstArray<uint32_t> zeros,
    std::vector<std::pair<uint32_t, double>> vulgar) {
    if (shape.size() != kCodePoints || folded.size() != kCodePoints || zeros.size() == 0)
        throw std::invalid_argument("character tables must cover all code points");
    auto tables = std::make_shared<CharacterTables>();
    tables->shape.assign(shape.data(), shape.data() + shape.size());
    tables->folded.assign(folded.data(), folded.data() + folded.size());
    tables->zeros.assign(zeros.data(), zeros.data() + zeros.size());
    tables->vulgar = std::move(vulgar);
    return tables;
}

nb::list tokens_of(const Scanner& scanner, const nb::bytes& bytes) {
    Line line = scanner.line();
    InvalidBytes invalid;
    line.assign(view(bytes), 0, invalid);
    std::vector<Token> tokens;
    tokenize(line, tokens);
    nb::list result;
    for (const Token& token : tokens) {
        std::string_view text = line.spelling(token.start, token.end);
        nb::object value = token.is_numeral ? nb::cast(token.value) : nb::none();
        result.append(
            nb::make_tuple(nb::bytes(text.data(), text.size()), value, token.start, token.end));
    }
    return result;
}

nb::tuple indexed_tuple(IndexedText&& indexed) {
    return nb::make_tuple(to_array(std::move(indexed.ids)), to_array(std::move(indexed.line_lengths)),
                          indexed.invalid.replaced, indexed.invalid.first);
}

MixtureView mixture_view(const ConstArray<double>& constants, const ConstArray<double>& means,
                         const ConstArray<double>& precisions) {
    if (constants.size() != means.size() || precisions.size() != means.size() || means.size() == 0)
        throw std::invalid_argument("a mixture's arrays must have one length, above zero");
    return {means.size(), constants.data(), means.data(), precisions.data()};
}

nb::tuple expectation(ConstArray<double> values, ConstArray<double> weights,
                      ConstArray<double> constants, ConstArray<double> means,
                      ConstArray<double> precisions, bool hard) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    if (values.size() != weights.size()) throw std::invalid_argument("one weight per value");
    std::vector<double> mass(means.size()), moment(means.size()), square(means.size());
    MixtureSums sums{mass.data(), moment.data(), square.data()};
    {
        nb::gil_scoped_release release;
        kernels().mixture_expectation(mixture, values.data(), weights.data(), values.size(), hard, sums);
    }
    return nb::make_tuple(to_array(std::move(mass)), to_array(std::move(moment)),
                          to_array(std::move(square)), sums.log_likelihood);
}

nb::tuple posterior(ConstArray<double> values, ConstArray<double> constants,
                    ConstArray<double> means, ConstArray<double> precisions,
                    double smallest_share) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    SparseRows rows;
    {
        nb::gil_scoped_release release;
        rows = kernels().mixture_posterior(mixture, values.data(), values.size(), smallest_share);
    }
    return nb::make_tuple(to_array(std::move(rows.offsets)), to_array(std::move(rows.columns)),
                          to_array(std::move(rows.shares)));
}

// Checks what could make the kernels reach beyond an array, once per call.
SparseView sparse_view(const ConstArray<int64_t>& offsets, const ConstArray<int32_t>& columns,
                       const ConstArray<float>& shares, size_t rows, size_t basis_size) {
    if (offsets.size() != rows + 1 || offsets.data()[0] != 0 || columns.size() != shares.size() ||
        offsets.data()[rows] != static_cast<int64_t>(columns.size()))
        throw std::invalid_argument("the parts of sparse weights do not fit");
    for (size_t row = 0; row < rows; ++row)
        if (offsets.data()[row] > offsets.data()[row + 1])
            throw std::invalid_argument("offsets must not fall");
    for (size_t at = 0; at < columns.size(); ++at)
        if (columns.data()[at] < 0 || static_cast<size_t>(columns.data()[at]) >= basis_size)
            throw std::invalid_argument("a column beyond the basis");
    return {rows, offsets.data(), columns.data(), shares.data()};
}

void product(ConstArray<int64_t> offsets, ConstArray<int32_t> columns, ConstArray<float> shares,
             ConstTable basis, MutableTable rows) {
    SparseView view = sparse_view(offsets, columns, shares, rows.shape(0), basis.shape(0));
    if (basis.shape(1) != rows.shape(1)) throw std::invalid_argument("dimensions differ");
    nb::gil_scoped_release release;
    kernels().sparse_product(view, basis.shape(1), basis.data(), rows.data());
}

void adjoint(ConstArray<int64_t> offsets, ConstArray<int32_t> columns, ConstArray<float> shares,
             ConstTable changes, MutableTable total) {
    SparseView view = sparse_view(offsets, columns, shares, changes.shape(0), total.shape(0));
    if (changes.shape(1) != total.shape(1)) throw std::invalid_argument("dimensions differ");
    nb::gil_scoped_release release;
    kernels().sparse_adjoint(view, changes.shape(1), changes.data(), total.data());
}

// The chosen rows of sparse weights.
nb::tuple chosen_rows(ConstArray<int64_t> offsets, ConstArray<int32_t> columns,
                      ConstArray<float> shares, ConstArray<int32_t> rows) {
    const auto size = static_cast<int64_t>(columns.size());
    if (offsets.size() == 0 || columns.size() != shares.size())
        throw std::invalid_argument("the parts of sparse weights do not fit");
    std::vector<int64_t> chosen_offsets{0};
    std::vector<int32_t> chosen_columns;
    std::vector<float> chosen_shares;
    for (size_t at = 0; at < rows.size(); ++at) {
        const auto row = static_cast<size_t>(rows.data()[at]);
        if (rows.data()[at] < 0 || row + 1 >= offsets.size())
            throw std::invalid_argument("a row beyond the weights");
        const int64_t first = offsets.data()[row], last = offsets.data()[row + 1];
        if (first < 0 || first > last || last > size)
            throw std::invalid_argument("the parts of sparse weights do not fit");
        chosen_columns.insert(chosen_columns.end(), columns.data() + first, columns.data() + last);
        chosen_shares.insert(chosen_shares.end(), shares.data() + first, shares.data() + last);
        chosen_offsets.push_back(static_cast<int64_t>(chosen_columns.size()));
    }
    return nb::make_tuple(to_array(std::move(chosen_offsets)), to_array(std::move(chosen_columns)),
                          to_array(std::move(chosen_shares)));
}

Sampling sampling(ConstArray<float> keep_share, ConstArray<uint32_t> thresholds,
                  ConstArray<int32_t> others, uint32_t window, uint32_t negatives_per_centre) {
    const size_t ids = thresholds.size();
    if (others.size() != ids || keep_share.size() > ids || ids == 0 || window == 0)
        throw std::invalid_argument("the parts of a sampling do not fit");
    Sampling made{keep_share.size(), {}, {}, window, negatives_per_centre};
    made.keep_share.assign(keep_share.data(), keep_share.data() + keep_share.size());
    for (size_t place = 0; place < ids; ++place) {
        int32_t other = others.data()[place];
        if (other < 0 || static_cast<size_t>(other) >= ids)
            throw std::invalid_argument("an alias beyond the table");
        made.negatives.push_back({thresholds.data()[place], other});
    }
    return made;
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

nb::list instruction_set_names() {
    nb::list names;
    for (const Kernels* found : available_kernels())
        names.append(nb::cast(std::string(found->instruction_set)));
    return names;
}

void use_instruction_set(std::string_view name) {
    if (!use_kernels(name)) throw std::invalid_argument("no such instruction set on this machine");
}

// rows += weights @ basis, or with `transposed` weights.T @ basis.
void dense_product(ConstTable weights, ConstTable basis, MutableTable rows, bool transposed) {
    const size_t height = weights.shape(0), width = weights.shape(1);
    StridedMatrix matrix = transposed ? StridedMatrix{width, height, weights.data(), 1, width}
                                      : StridedMatrix{height, width, weights.data(), width, 1};
    if (basis.shape(0) != matrix.columns || rows.shape(0) != matrix.rows ||
        basis.shape(1) != rows.shape(1))
        throw std::invalid_argument("the shapes of a product do not fit");
    nb::gil_scoped_release release;
    kernels().matrix_product(matrix, basis.shape(1), basis.data(), rows.data());
}

}  // namespace

NB_MODULE(_native, module) {
    nb::class_<Scanner>(module, "Scanner")
        .def("__init__",
             [](Scanner* self, ConstArray<uint8_t> shape, ConstArray<uint32_t> folded,
                ConstArray<uint32_t> zeros, std::vector<std::pair<uint32_t, double>> vulgar,
                bool lowercase, bool punctuation, bool magnitudes, bool number_words,
                bool decimal_comma) {
                 new (self) Scanner{
                     character_tables(shape, folded, zeros, std::move(vulgar)),
                     {lowercase, punctuation, magnitudes, number_words, decimal_comma}};
             },
             nb::kw_only(), nb::arg("shape"), nb::arg("folded"), nb::arg("zeros"),
             nb::arg("vulgar"), nb::arg("lowercase"), nb::arg("punctuation"),
             nb::arg("magnitudes"), nb::arg("number_words"), nb::arg("decimal_comma"))
        .def("tokenize", &tokens_of, nb::arg("text"));

    nb::class_<Index>(module, "Index")
        .def(nb::init<const Scanner&>(), nb::arg("scanner"))
        .def("add_text",
             [](Index& self, const nb::bytes& text, bool keep_ids) {
                 IndexedText indexed;
                 {
                     nb::gil_scoped_release release;
                     indexed = self.add_text(view(text), keep_ids);
                 }
                 return indexed_tuple(std::move(indexed));
             },
             nb::arg("text"), nb::arg("keep_ids"))
        .def("add_tokens",
             [](Index& self, const nb::bytes& tokens, bool keep_ids) {
                 IndexedText indexed;
                 {
                     nb::gil_scoped_release release;
                     indexed = self.add_tokens(view(tokens), keep_ids);
                 }
                 return indexed_tuple(std::move(indexed));
             },
             nb::arg("tokens"), nb::arg("keep_ids"));

    nb::class_<Renumbering>(module, "Renumbering")
        .def("apply",
             [](const Renumbering& self, MutableArray<int32_t> ids,
                MutableArray<int64_t> line_lengths) {
                 int64_t total = 0;
                 for (size_t i = 0; i < line_lengths.size(); ++i) total += line_lengths.data()[i];
                 if (total != static_cast<int64_t>(ids.size()))
                     throw std::invalid_argument("line lengths do not add up to the ids");
                 nb::gil_scoped_release release;
                 return renumber(self, ids.data(), line_lengths.data(), line_lengths.size());
             },
             nb::arg("ids"), nb::arg("line_lengths"));

    nb::class_<Sampling>(module, "Sampling")
        .def("__init__",
             [](Sampling* self, ConstArray<float> keep_share, ConstArray<uint32_t> thresholds,
                ConstArray<int32_t> others, uint32_t window, uint32_t negatives_per_centre) {
                 new (self) Sampling(
                     sampling(keep_share, thresholds, others, window, negatives_per_centre));
             },
             nb::kw_only(), nb::arg("keep_share"), nb::arg("thresholds"), nb::arg("others"),
             nb::arg("window"), nb::arg("negatives_per_centre"));

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
    module.def("instruction_sets", &instruction_set_names);
    module.def("use_instruction_set", &use_instruction_set, nb::arg("name"));
    module.def("instruction_set",
               [] { return std::string(kernels().instruction_set); });
    module.def("dense_product", &dense_product, nb::kw_only(), nb::arg("weights"),
               nb::arg("basis"), nb::arg("rows").noconvert(), nb::arg("transposed"));

    module.def("mixture_expectation", &expectation, nb::kw_only(), nb::arg("values"),
               nb::arg("weights"), nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("hard"));
    module.def("mixture_posterior", &posterior, nb::kw_only(), nb::arg("values"),
               nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("smallest_share"));
    module.def("sparse_rows", &chosen_rows, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("rows"));
    module.def("sparse_product", &product, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("basis"), nb::arg("rows").noconvert());
    module.def("sparse_adjoint", &adjoint, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("changes"), nb::arg("total").noconvert());

    module.def("merge",
               [](const std::vector<const Index*>& indexes, int64_t min_count,
                  int64_t max_vocabulary) {
                   MergedVocabulary merged;
                   {
                       nb::gil_scoped_release release;
                       merged = merge(indexes, min_count, max_vocabulary);
                   }
                   nb::list renumberings;
                   for (Renumbering& renumbering : merged.renumberings)
                       renumberings.append(nb::cast(std::move(renumbering)));
                   return nb::make_tuple(nb::bytes(merged.words.data(), merged.words.size()),
                                         to_array(std::move(merged.word_counts)),
                                         to_array(std::move(merged.numeral_values)),
                                         to_array(std::move(merged.numeral_counts)),
                                         merged.distinct_words, merged.word_tokens, renumberings);
               },
               nb::arg("indexes"), nb::arg("min_count"), nb::arg("max_vocabulary"));
}
