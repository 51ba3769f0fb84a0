// Python ↔ C++: arrays in, arrays out. Nothing but checks and conversions happens here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "index.h"
#include "mixture.h"
#include "sparse.h"

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
        mixture_expectation(mixture, values.data(), weights.data(), values.size(), hard, sums);
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
        rows = mixture_posterior(mixture, values.data(), values.size(), smallest_share);
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
    sparse_product(view, basis.shape(1), basis.data(), rows.data());
}

void adjoint(ConstArray<int64_t> offsets, ConstArray<int32_t> columns, ConstArray<float> shares,
             ConstTable changes, MutableTable total) {
    SparseView view = sparse_view(offsets, columns, shares, changes.shape(0), total.shape(0));
    if (changes.shape(1) != total.shape(1)) throw std::invalid_argument("dimensions differ");
    nb::gil_scoped_release release;
    sparse_adjoint(view, changes.shape(1), changes.data(), total.data());
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

    module.def("mixture_expectation", &expectation, nb::kw_only(), nb::arg("values"),
               nb::arg("weights"), nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("hard"));
    module.def("mixture_posterior", &posterior, nb::kw_only(), nb::arg("values"),
               nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("smallest_share"));
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
