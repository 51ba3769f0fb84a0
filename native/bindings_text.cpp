// Scanner and counters for Python: bytes in; tokens, ids and vocabularies out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bindings.h"
#include "reading/counting.h"

namespace numberline {

namespace {

constexpr size_t kCodePoints = 0x110000;

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
    line.assign(view(bytes));
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

using AddText = NumberedText (Counter::*)(std::string_view, bool);

// Calls Counter::add_text or Counter::add_tokens while other threads may run Python.
template <AddText add>
nb::tuple count_text(Counter& counter, const nb::bytes& text, bool keep_ids) {
    NumberedText numbered;
    {
        nb::gil_scoped_release release;
        numbered = (counter.*add)(view(text), keep_ids);
    }
    return nb::make_tuple(to_array(std::move(numbered.ids)),
                          to_array(std::move(numbered.line_lengths)), numbered.replaced);
}

size_t renumber(const Renumbering& renumbering, MutableArray<int32_t> ids,
                MutableArray<int64_t> line_lengths) {
    const int64_t* lengths = line_lengths.data();
    if (std::accumulate(lengths, lengths + line_lengths.size(), int64_t{0}) !=
        static_cast<int64_t>(ids.size()))
        throw std::invalid_argument("line lengths do not add up to the ids");
    nb::gil_scoped_release release;
    return renumbering.apply(ids.data(), line_lengths.data(), line_lengths.size());
}

nb::tuple merged_tuple(const std::vector<const Counter*>& counters, int64_t min_count,
                       int64_t max_vocabulary) {
    MergedVocabulary merged;
    {
        nb::gil_scoped_release release;
        merged = merge(counters, min_count, max_vocabulary);
    }
    nb::list renumberings;
    for (Renumbering& renumbering : merged.renumberings)
        renumberings.append(nb::cast(std::move(renumbering)));
    return nb::make_tuple(nb::bytes(merged.words.data(), merged.words.size()),
                          to_array(std::move(merged.word_counts)),
                          to_array(std::move(merged.numeral_values)),
                          to_array(std::move(merged.numeral_counts)), merged.distinct_words,
                          merged.word_tokens, renumberings);
}

}  // namespace

void bind_text(nb::module_& module) {
    nb::class_<Scanner>(module, "Scanner")
        .def("__init__",
             [](Scanner* self, ConstArray<uint8_t> shape, ConstArray<uint32_t> folded,
                ConstArray<uint32_t> zeros, std::vector<std::pair<uint32_t, double>> vulgar,
                bool lowercase, bool magnitudes, bool number_words, bool decimal_comma) {
                 new (self) Scanner{
                     character_tables(shape, folded, zeros, std::move(vulgar)),
                     {lowercase, magnitudes, number_words, decimal_comma}};
             },
             nb::kw_only(), nb::arg("shape"), nb::arg("folded"), nb::arg("zeros"),
             nb::arg("vulgar"), nb::arg("lowercase"),
             nb::arg("magnitudes"), nb::arg("number_words"), nb::arg("decimal_comma"))
        .def("tokenize", &tokens_of, nb::arg("text"));

    nb::class_<Counter>(module, "Counter")
        .def(nb::init<const Scanner&>(), nb::arg("scanner"))
        .def("add_text", &count_text<&Counter::add_text>, nb::arg("text"), nb::arg("keep_ids"))
        .def("add_tokens", &count_text<&Counter::add_tokens>, nb::arg("tokens"),
             nb::arg("keep_ids"));

    nb::class_<Renumbering>(module, "Renumbering")
        .def("apply", &renumber, nb::arg("ids"), nb::arg("line_lengths"));

    module.def("merge", &merged_tuple, nb::arg("counters"), nb::arg("min_count"),
               nb::arg("max_vocabulary"));
}

}  // namespace numberline
