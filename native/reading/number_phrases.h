// Number words → numerals. The twin of src/numberline/reading/number_phrases.py.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scanner.h"

namespace numberline {

enum class CountingKind { none, small, tens, hundred, scale, conjunction, article };

struct CountingWord {
    std::string_view text;
    CountingKind kind;
    int64_t value;
};
constexpr CountingWord kNoCountingWord{"", CountingKind::none, 0};

// The counting word that the characters from start to end spell, or kNoCountingWord.
const CountingWord& counting_word(const Line& line, size_t start, size_t end);

// Counting words in a row; there are none beyond the last.
class CountingPhrase {
  public:
    bool is_full() const { return size_ == words_.size(); }
    void add(const CountingWord& word) { words_[size_++] = word; }
    const CountingWord& operator[](size_t index) const {
        return index < size_ ? words_[index] : kNoCountingWord;
    }

  private:
    std::array<CountingWord, 40> words_;  // five groups such as "and nine hundred and ninety nine trillion"
    size_t size_ = 0;
};

// The value of a number, and the index of the word after it.
struct Counted {
    size_t end;
    int64_t value;
};
std::optional<Counted> read_number(const CountingPhrase& words);

void join_number_words(const Line& line, std::vector<Token>& tokens);

}  // namespace numberline
