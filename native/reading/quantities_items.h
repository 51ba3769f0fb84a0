// A line and its tokens → items: words, numerals and the signs between them, with their classes.
//
// The twin of src/numberline/reading/quantities/items.py and numbers.py, function by function.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quantities_tables.h"
#include "scanner.h"

namespace numberline {

struct Item {
    size_t start = 0, end = 0;
    Bits classes;
    double value = 0;
    int32_t unit = -1;
    int power = 1;
    int scale = 0;
    bool is_joined = false, is_numeral = false, is_open_ended = false;
    bool is_several = false;  // of several words, so that it has no spelling of its own
    bool is_break = false;    // a line end
    std::string_view exact;   // as written, with plain quotes and hyphens; while its line lasts
    std::string_view folded;  // in lower case

    bool has(Bits wanted) const { return classes.any(wanted); }
};

// Reads items; its memory serves many lines.
class ItemReader {
  public:
    explicit ItemReader(const QuantityTables& tables) : tables_(tables) {}
    // Fills `items` with those of the tokens from first to last and of the signs around them.
    void read(const Line& line, const std::vector<Token>& tokens, size_t first, size_t last,
              std::vector<Item>& items);
    bool is_anchor(const Line& line, const Token& token);

  private:
    std::string_view spelled(size_t start, size_t end, bool fold);
    void add_signs(size_t start, size_t end);
    void add(size_t start, size_t end);
    void spell(size_t start, size_t end, std::string& to, bool fold) const;
    size_t classify(size_t index);
    size_t longest_entry(size_t index, bool& is_known, Entry& entry);
    bool powered_unit(Item& one, Entry& entry) const;
    Bits word_classes(Item& one) const;
    double fiscal_year(const Item& one) const;
    bool is_dotted(const Item& one) const;
    bool is_initial(size_t start) const;
    Bits quote_class(const Item& one) const;
    Bits numeral_classes(const Item& one) const;
    bool find(std::string_view exact, std::string_view folded, Entry& entry, int* longest) const;

    const QuantityTables& tables_;
    const Line* line_ = nullptr;
    std::vector<Item> raw_;
    std::string spellings_, exact_phrase_, folded_phrase_;
};

// Replaces the items that make one number by one item.
void join_numbers(const Line& line, std::vector<Item>& items);

}  // namespace numberline
