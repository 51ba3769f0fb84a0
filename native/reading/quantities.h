// A line and its tokens → quantities, and the kind of each numeral.
//
// The twin of src/numberline/reading/quantities/: readings.py, match.py, forms.py, calendar.py and
// modifiers.py, function by function.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantities_items.h"
#include "quantities_tables.h"
#include "scanner.h"

namespace numberline {

// What was read of a quantity; as in reading.py.
struct QuantityReading {
    using Terms = std::vector<std::pair<int32_t, int>>;  // units and their powers
    using Span = std::pair<size_t, size_t>;
    size_t start = 0, end = 0;
    std::optional<double> value, low, high;
    int kind = -1;
    int modifier = 0;
    Terms terms;
    std::optional<Span> noun, unit_span;
    bool has_calendar = false;
    std::array<std::optional<int64_t>, 3> calendar;
    std::vector<std::pair<size_t, int>> roles;  // kinds of numerals by their start
};

// Reads quantities; its memory serves many lines.
class QuantityReader {
  public:
    QuantityReader(const Scanner& scanner, std::shared_ptr<const QuantityTables> tables);
    QuantityReader(const QuantityReader&) = delete;

    // The quantities of a line; `tokens` are those without magnitudes and number words.
    const std::vector<QuantityReading>& read(const Line& line, const std::vector<Token>& tokens);
    // Sets the kind of each token: its index in kinds.py, and that of plain numerals for words.
    void kinds_of(const Line& line, const std::vector<Token>& tokens, std::vector<int32_t>& kinds);
    // The quantities of a text.
    const std::vector<QuantityReading>& read(std::string_view text);

  private:
    struct Match {
        size_t start, stop, end;
    };
    void read_items(bool needs_kinds);
    RuleSet candidates(Bits classes) const;
    bool read_at(size_t index, int kind, QuantityReading& reading, Match& found) const;
    std::optional<Match> match(const Rule& rule, size_t first) const;
    bool run(const Rule& rule, size_t at, size_t index, size_t limit, size_t marks[2],
             size_t& end) const;
    int modifier_of(size_t start, size_t stop, size_t free) const;
    int token_kind(const QuantityReading& reading) const;
    void read_line(const Line& line, const std::vector<Token>& tokens, bool needs_kinds);

    Scanner plain_scanner_;  // without magnitudes and number words
    std::shared_ptr<const QuantityTables> tables_;
    ItemReader items_reader_;
    Line plain_line_;
    std::vector<Token> plain_tokens_;
    std::vector<Item> items_;
    std::vector<QuantityReading> readings_;
};

// Reads the items from `start` to `stop` in a form; false if they cannot be read in it.
bool read_form(Form form, const QuantityTables& tables, const Item* start, const Item* stop,
               QuantityReading& reading);

}  // namespace numberline
