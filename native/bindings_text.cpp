// Scanner and counters for Python: bytes in; tokens, ids and vocabularies out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bindings.h"
#include "reading/counting.h"

namespace numberline {

namespace {

constexpr size_t kCodePoints = 0x110000;
constexpr size_t kMostBytes = size_t{1} << 30;  // of a text: offsets in a line have 32 bits
constexpr uint8_t kMostShape = 127;

std::string_view view(const nb::bytes& bytes) {
    require(bytes.size() <= kMostBytes, "a text of more than 1 GiB; pass it in parts");
    return {bytes.c_str(), bytes.size()};
}

// Throw unless each digit follows the zero of its run, as Line::digit expects.
void require_digits(const CharacterTables& tables) {
    for (uint32_t point = 0; point < kCodePoints; ++point) {
        if (tables.shape[point] != '0') continue;
        uint32_t zero = '0';
        if (point >= 0x80) {
            auto after = std::upper_bound(tables.zeros.begin(), tables.zeros.end(), point);
            require(after != tables.zeros.begin(), "a digit that precedes all zeros");
            zero = *(after - 1);
        }
        require(point >= zero && point - zero < 10, "a digit that does not follow its zero");
    }
}

void require_tables(const CharacterTables& tables) {
    const auto& shape = tables.shape;
    const auto& folded = tables.folded;
    const auto& zeros = tables.zeros;
    require(*std::max_element(shape.begin(), shape.end()) <= kMostShape, "a shape beyond ASCII");
    require(*std::max_element(folded.begin(), folded.end()) < kCodePoints,
            "a folded character beyond Unicode");
    require(std::is_sorted(zeros.begin(), zeros.end()), "zeros must ascend");
    require_digits(tables);
}

std::shared_ptr<const CharacterTables> character_tables(
    ConstArray<uint8_t> shape, ConstArray<uint32_t> folded, ConstArray<uint32_t> zeros,
    std::vector<std::pair<uint32_t, double>> vulgar) {
    if (shape.size() != kCodePoints || folded.size() != kCodePoints || zeros.size() == 0)
        throw std::invalid_argument("character tables must cover all code points");
    require_aligned(folded, "folded");
    require_aligned(zeros, "zeros");
    auto tables = std::make_shared<CharacterTables>();
    tables->shape.assign(shape.data(), shape.data() + shape.size());
    tables->folded.assign(folded.data(), folded.data() + folded.size());
    tables->zeros.assign(zeros.data(), zeros.data() + zeros.size());
    tables->vulgar = std::move(vulgar);
    require_tables(*tables);
    return tables;
}

nb::tuple token_tuple(const Line& line, const Token& token) {
    std::string_view text = line.spelling(token.start, token.end);
    nb::object value = token.is_numeral ? nb::cast(token.value) : nb::none();
    return nb::make_tuple(nb::bytes(text.data(), text.size()), value, token.start, token.end);
}

nb::list tokens_of(const Scanner& scanner, const nb::bytes& bytes) {
    Line line = scanner.line();
    line.assign(view(bytes));
    std::vector<Token> tokens;
    tokenize(line, tokens);
    nb::list result;
    for (const Token& token : tokens) result.append(token_tuple(line, token));
    return result;
}

// A counter for Python, where any thread may call it.
struct GuardedCounter {
    GuardedCounter(const Scanner& scanner, std::shared_ptr<QuantityTables> tables)
        : counter(scanner, std::move(tables)) {}
    Counter counter;
    std::atomic_flag is_used = ATOMIC_FLAG_INIT;
};

using AddText = NumberedText (Counter::*)(std::string_view, bool);

// Calls Counter::add_text or Counter::add_tokens while other threads may run Python.
template <AddText add>
nb::tuple count_text(GuardedCounter& guarded, const nb::bytes& text, bool keep_ids) {
    const std::string_view bytes = view(text);
    const Use use(guarded.is_used, "counter");
    NumberedText numbered;
    {
        nb::gil_scoped_release release;
        numbered = (guarded.counter.*add)(bytes, keep_ids);
    }
    return nb::make_tuple(to_array(std::move(numbered.ids)),
                          to_array(std::move(numbered.line_lengths)), numbered.replaced);
}

size_t renumber(const Renumbering& renumbering, MutableArray<int32_t> ids,
                MutableArray<int64_t> line_lengths) {
    require_aligned(ids, "ids");
    require_aligned(line_lengths, "line_lengths");
    nb::gil_scoped_release release;
    return renumbering.apply(ids.data(), ids.size(), line_lengths.data(), line_lengths.size());
}

// Counters for a merge, kept alive and unused by others while it runs.
struct CountersInUse {
    explicit CountersInUse(const nb::sequence& sequence) {
        for (nb::handle one : sequence) {
            auto& guarded = nb::cast<GuardedCounter&>(one);
            objects.push_back(nb::borrow(one));
            require(std::find(counters.begin(), counters.end(), &guarded.counter) == counters.end(),
                    "a counter is there twice");
            uses.push_back(std::make_unique<Use>(guarded.is_used, "counter"));
            counters.push_back(&guarded.counter);
        }
        require(!counters.empty(), "there must be at least one counter");
    }
    std::vector<nb::object> objects;
    std::vector<std::unique_ptr<Use>> uses;
    std::vector<const Counter*> counters;
};

nb::tuple merged_tuple(const nb::sequence& sequence, int64_t min_count, int64_t max_vocabulary) {
    require(max_vocabulary >= 0, "max_vocabulary must be 0 or more");
    const CountersInUse used(sequence);
    MergedVocabulary merged;
    {
        nb::gil_scoped_release release;
        merged = merge(used.counters, min_count, max_vocabulary);
    }
    nb::list renumberings;
    for (Renumbering& renumbering : merged.renumberings)
        renumberings.append(nb::cast(std::move(renumbering)));
    return nb::make_tuple(nb::bytes(merged.words.data(), merged.words.size()),
                          to_array(std::move(merged.word_counts)),
                          nb::make_tuple(to_array(std::move(merged.numeral_values)),
                                         to_array(std::move(merged.numeral_kinds)),
                                         to_array(std::move(merged.numeral_counts))),
                          merged.distinct_words, merged.word_tokens, renumberings);
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

    nb::class_<GuardedCounter>(module, "Counter")
        .def(nb::init<const Scanner&, std::shared_ptr<QuantityTables>>(), nb::arg("scanner"),
             nb::arg("tables").none() = nb::none())
        .def("add_text", &count_text<&Counter::add_text>, nb::arg("text"), nb::arg("keep_ids"))
        .def("add_tokens", &count_text<&Counter::add_tokens>, nb::arg("tokens"),
             nb::arg("keep_ids"));

    nb::class_<Renumbering>(module, "Renumbering")
        .def("apply", &renumber, nb::arg("ids").noconvert(), nb::arg("line_lengths").noconvert());

    module.def("merge", &merged_tuple, nb::arg("counters"), nb::arg("min_count"),
               nb::arg("max_vocabulary"));
}

}  // namespace numberline
