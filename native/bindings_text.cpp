// Text and indexes ↔ Python: bytes in; tokens, ids and vocabularies out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "bindings.h"
#include "reading/index.h"

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

}  // namespace numberline
