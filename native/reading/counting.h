// Text → counts of words and of numerals by value and kind, and each token's provisional id.
//
// Each thread has its own counter. `merge` then makes one vocabulary of them all, and a Renumbering
// for each, which turns the provisional ids of a block into final ones.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "line.h"
#include "quantities.h"
#include "scanner.h"

namespace numberline {

// Provisional ids: words 0, 1, 2, … and numerals from here on, in the order in which a counter
// first sees them.
constexpr int32_t kFirstNumeral = 1 << 30;

// A word prepared for look-up: compared and hashed without touching its bytes again.
struct WordKey {
    explicit WordKey(std::string_view word);  // reads ahead: see kReadAhead
    std::string_view word;
    uint64_t first;   // the first eight bytes, with zeros for those that the word does not have
    uint64_t second;  // the next eight
    uint64_t hash;
};

// Byte strings → 0, 1, 2, … in the order of first sight, with counts.
//
// Look-ups in a large table wait for memory. So a slot holds all that a look-up needs, and a caller
// with many words calls `prefetch` for each of them before it adds the first.
class WordTable {
  public:
    WordTable() : slots_(1 << 12) {}
    void prefetch(const WordKey& key) const { prefetch_line(&slots_[key.hash & mask()]); }
    int32_t add(const WordKey& key, int64_t count = 1);
    std::vector<int32_t> add(const WordTable& other);  // returns the ids of its words here
    size_t size() const { return starts_.size() - 1; }
    std::string_view word(size_t id) const {
        return {bytes_.data() + starts_[id], starts_[id + 1] - starts_[id]};
    }
    std::vector<int64_t> counts() const;  // by id

  private:
    struct alignas(32) Slot {  // two to a cache line
        uint64_t first;
        uint64_t second;
        int64_t count;
        uint32_t length;
        int32_t id = -1;
    };
    static void prefetch_line(const void* address) {
#if defined(__GNUC__)
        __builtin_prefetch(address, 1);
#else
        (void)address;
#endif
    }
    size_t mask() const { return slots_.size() - 1; }
    bool holds(const Slot& slot, const WordKey& key) const;
    void grow();
    std::vector<Slot> slots_;        // a power of two of them, at most two thirds in use
    std::vector<size_t> starts_{0};  // of each word in bytes_, then the end of the last one
    std::vector<char> bytes_ = std::vector<char>(kReadAhead);  // all words, then room to read ahead
};

// A numeral as the vocabulary knows it: kinds are indices, as in src/numberline/reading/kinds.py.
struct Numeral {
    double value;
    int32_t kind;
    bool operator==(const Numeral& other) const {
        return value == other.value && kind == other.kind;
    }
    bool operator<(const Numeral& other) const {
        return kind != other.kind ? kind < other.kind : value < other.value;
    }
};

// Numerals → 0, 1, 2, … in the order of first sight, with counts.
class NumeralTable {
  public:
    NumeralTable() : slots_(1 << 12, -1) {}
    int32_t add(Numeral numeral, int64_t count = 1);
    std::vector<int32_t> add(const NumeralTable& other);  // returns the ids of its numerals here
    size_t size() const { return numerals_.size(); }
    const Numeral& numeral(size_t id) const { return numerals_[id]; }
    int64_t count(size_t id) const { return counts_[id]; }

  private:
    void grow();
    std::vector<int32_t> slots_;  // ids, or -1
    std::vector<Numeral> numerals_;
    std::vector<int64_t> counts_;
};

struct NumberedText {
    std::vector<int32_t> ids;           // provisional
    std::vector<int64_t> line_lengths;  // in tokens, 0 for an empty line
    int64_t replaced = 0;               // U+FFFD written in place of bytes that are not UTF-8
};

// Counts the tokens of one text after another, and numbers them.
class Counter {
  public:
    // Without tables of quantities all numerals are plain.
    explicit Counter(const Scanner& scanner, std::shared_ptr<const QuantityTables> tables = nullptr)
        : scanner_(scanner), line_(scanner_.line()) {
        if (tables) quantities_.emplace(scanner_, std::move(tables));
    }
    Counter(const Counter&) = delete;  // line_ refers to scanner_

    // Counts all tokens of a text whose lines end with \n or \r.
    NumberedText add_text(std::string_view text, bool keep_ids);
    // Counts tokens that were split elsewhere: \0 after each, one more \0 after each sentence.
    NumberedText add_tokens(std::string_view tokens, bool keep_ids);

    WordTable words;
    NumeralTable numerals;

  private:
    void set_kinds();  // of tokens_, which are those of line_
    // Counts tokens_ and appends their ids, unless `ids` is null.
    void count_line(std::vector<int32_t>* ids);
    Scanner scanner_;
    Line line_;
    std::optional<QuantityReader> quantities_;
    std::vector<Token> tokens_;
    std::vector<int32_t> kinds_;  // of tokens_
    std::vector<WordKey> keys_;  // of the words of tokens_
};

// A map from provisional ids to final ones; words that were cut have the final id -1.
class Renumbering {
  public:
    Renumbering(const std::vector<int32_t>& words, const std::vector<int32_t>& numerals);

    // Replaces provisional ids by final ones, without cut words, by which each line gets shorter.
    // Returns the number of ids that remain. Throws at an id that its counter has not given, or if
    // the lengths do not add up to `count`; arrays are then half done.
    size_t apply(int32_t* ids,  // inout [count]
                 size_t count,
                 int64_t* line_lengths,  // inout [lines]
                 size_t lines) const;

  private:
    int32_t final_id(int32_t provisional) const {
        // Words and numerals are in one table, so that no branch depends on what a token is.
        const int32_t index = provisional < kFirstNumeral ? provisional : provisional - skipped_;
        if (static_cast<size_t>(index) >= final_ids_.size()) refuse_id();
        return final_ids_[static_cast<size_t>(index)];
    }
    [[noreturn]] static void refuse_id();
    std::vector<int32_t> final_ids_;  // of the words, then of the numerals
    int32_t skipped_;                 // provisional ids that lie between the two
};

struct MergedVocabulary {
    std::string words;  // most frequent first, ties by bytes; each followed by \0
    std::vector<int64_t> word_counts;
    std::vector<double> numeral_values;  // ascending within a kind
    std::vector<int32_t> numeral_kinds;  // ascending
    std::vector<int64_t> numeral_counts;
    int64_t distinct_words = 0;  // before the cut
    int64_t word_tokens = 0;     // before the cut
    std::vector<Renumbering> renumberings;  // one for each counter
};

MergedVocabulary merge(const std::vector<const Counter*>& counters, int64_t min_count,
                       int64_t max_vocabulary);

}  // namespace numberline
