// Quantities for Python: tables and bytes in; readings and kinds out.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>

#include "bindings.h"
#include "reading/quantities.h"

namespace numberline {

namespace {

using Halves = std::pair<uint64_t, uint64_t>;  // of a set of classes, the low one first
using Spelling = std::tuple<std::string, bool, Halves, double, int32_t>;
using UnitParts = std::tuple<int32_t, double, std::array<int, 8>>;
using StepParts = std::tuple<int, int, Halves, int>;
using RuleParts = std::tuple<int, int, std::string, std::vector<StepParts>, Halves>;

Bits bits_of(const Halves& halves) { return {halves.first, halves.second}; }

Form form_named(const std::string& name) {
    const auto& names = form_names();
    auto found = std::find(names.begin(), names.end(), name);
    require(found != names.end(), "a form that the native reader does not know");
    return static_cast<Form>(found - names.begin());
}

Rule rule_of(const RuleParts& parts) {
    const auto& [kind, after, form, steps, first_classes] = parts;
    Rule rule{kind, after, form_named(form), {}, bits_of(first_classes), {}, false};
    for (const auto& [operation, first, classes, second] : steps) {
        require(operation >= 0 && operation <= static_cast<int>(Operation::end),
                "an operation that the native reader does not know");
        rule.steps.push_back({static_cast<Operation>(operation), first, bits_of(classes), second});
    }
    return rule;
}

int named(const std::map<std::string, int>& numbers, const char* name) {
    auto found = numbers.find(name);
    require(found != numbers.end(), "a number that the native reader needs is missing");
    return found->second;
}

std::shared_ptr<QuantityTables> make_tables(
    const std::vector<std::string>& classes, const std::vector<Spelling>& spellings,
    const std::vector<std::pair<std::string, int>>& longest, Halves anchors,
    const std::vector<UnitParts>& units,
    const std::vector<std::pair<std::array<int, 8>, int>>& dimension_of,
    const std::vector<int>& kind_of_dimension, const std::vector<RuleParts>& rules,
    const std::vector<std::pair<std::string, int>>& numbers) {
    require(classes == class_names(), "classes differ from those of the native reader");
    auto tables = std::make_shared<QuantityTables>();
    for (const auto& [spelling, is_exact, halves, value, unit] : spellings) {
        require(unit < static_cast<int32_t>(units.size()), "a unit that is not in the table");
        tables->lexicon.add(spelling, is_exact, {bits_of(halves), value, unit});
    }
    for (const auto& [word, words] : longest) tables->lexicon.set_longest(word, words);
    tables->lexicon.finish(bits_of(anchors));
    for (const auto& [dimension, factor, exponents] : units)
        tables->units.push_back({dimension, factor, exponents});
    tables->dimension_of = dimension_of;
    tables->kind_of_dimension = kind_of_dimension;
    for (const RuleParts& parts : rules) tables->rules.push_back(rule_of(parts));
    const std::map<std::string, int> by_name(numbers.begin(), numbers.end());
    tables->other_dimension = named(by_name, "other_dimension");
    tables->money_dimension = named(by_name, "money_dimension");
    tables->percent_dimension = named(by_name, "percent_dimension");
    tables->pound = named(by_name, "pound");
    tables->sterling = named(by_name, "sterling");
    tables->inch = named(by_name, "inch");
    tables->foot = named(by_name, "foot");
    tables->second = named(by_name, "second");
    tables->degree = named(by_name, "degree");
    tables->plain = named(by_name, "plain");
    tables->measure = named(by_name, "measure");
    tables->money = named(by_name, "money");
    tables->day = named(by_name, "day");
    tables->date = named(by_name, "date");
    tables->year = named(by_name, "year");
    tables->none = named(by_name, "none");
    tables->check();
    tables->index_rules();
    return tables;
}

// A reader for Python, where any thread may call it.
struct GuardedReader {
    GuardedReader(const Scanner& scanner, std::shared_ptr<QuantityTables> tables)
        : scanner(scanner), line(this->scanner.line()), reader(this->scanner, std::move(tables)) {}
    Scanner scanner;
    Line line;
    std::vector<Token> tokens;
    QuantityReader reader;
    std::atomic_flag is_used = ATOMIC_FLAG_INIT;
};

std::string_view view_of(const nb::bytes& bytes) {
    constexpr size_t kMostBytes = size_t{1} << 30;
    require(bytes.size() <= kMostBytes, "a text of more than 1 GiB; pass it in parts");
    return {bytes.c_str(), bytes.size()};
}

nb::list readings_of(GuardedReader& guarded, const nb::bytes& text) {
    const Use use(guarded.is_used, "reader of quantities");
    nb::list result;
    for (const QuantityReading& one : guarded.reader.read(view_of(text))) {
        nb::object calendar = nb::none();
        if (one.has_calendar) calendar = nb::make_tuple(one.calendar[0], one.calendar[1], one.calendar[2]);
        result.append(nb::make_tuple(one.start, one.end, one.value, one.low, one.high, one.kind,
                                     one.modifier, one.terms, one.noun, one.unit_span, calendar));
    }
    return result;
}

// The kind of each token of a text of one line, as the scanner's settings make them.
std::vector<int32_t> kinds_of(GuardedReader& guarded, const nb::bytes& text) {
    const Use use(guarded.is_used, "reader of quantities");
    std::vector<int32_t> kinds;
    guarded.line.assign(view_of(text));
    tokenize(guarded.line, guarded.tokens);
    guarded.reader.kinds_of(guarded.line, guarded.tokens, kinds);
    return kinds;
}

// Calls `take` with each token of a text and with its kind.
template <class Take>
void for_each_token(GuardedReader& guarded, const nb::bytes& text, Take take) {
    const Use use(guarded.is_used, "reader of quantities");
    std::vector<int32_t> kinds;
    guarded.line.assign(view_of(text));
    tokenize(guarded.line, guarded.tokens);
    guarded.reader.kinds_of(guarded.line, guarded.tokens, kinds);
    for (size_t at = 0; at < kinds.size(); ++at) take(guarded.tokens[at], kinds[at]);
}

nb::tuple token_tuple(const Line& line, const Token& token, int32_t kind) {
    std::string_view text = line.spelling(token.start, token.end);
    nb::object value = token.is_numeral ? nb::cast(token.value) : nb::none();
    return nb::make_tuple(nb::bytes(text.data(), text.size()), value, token.start, token.end, kind);
}

// The tokens of a text, numerals with their kinds.
nb::list tokens_with_kinds(GuardedReader& guarded, const nb::bytes& text) {
    nb::list result;
    for_each_token(guarded, text, [&](const Token& token, int32_t kind) {
        result.append(token_tuple(guarded.line, token, kind));
    });
    return result;
}

// The spelling of each word and None for each numeral; and the numerals with their kinds.
nb::tuple words_and_numerals(GuardedReader& guarded, const nb::bytes& text) {
    nb::list words, numerals;
    for_each_token(guarded, text, [&](const Token& token, int32_t kind) {
        if (token.is_numeral) {
            words.append(nb::none());
            numerals.append(token_tuple(guarded.line, token, kind));
        } else {
            std::string_view spelled = guarded.line.spelling(token.start, token.end);
            words.append(nb::str(spelled.data(), spelled.size()));
        }
    });
    return nb::make_tuple(words, numerals);
}

}  // namespace

void bind_quantities(nb::module_& module) {
    nb::class_<QuantityTables>(module, "QuantityTables")
        .def(nb::new_(&make_tables), nb::kw_only(), nb::arg("classes"), nb::arg("spellings"),
             nb::arg("longest"), nb::arg("anchors"), nb::arg("units"), nb::arg("dimension_of"),
             nb::arg("kind_of_dimension"), nb::arg("rules"), nb::arg("numbers"));

    nb::class_<GuardedReader>(module, "QuantityReader")
        .def(nb::init<const Scanner&, std::shared_ptr<QuantityTables>>(), nb::arg("scanner"),
             nb::arg("tables"))
        .def("read", &readings_of, nb::arg("text"))
        .def("kinds_of", &kinds_of, nb::arg("text"))
        .def("tokenize", &tokens_with_kinds, nb::arg("text"))
        .def("words_and_numerals", &words_and_numerals, nb::arg("text"));
}

}  // namespace numberline
