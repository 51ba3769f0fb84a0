// Text → counts of words and of numerals by value, and each token's provisional id.
//
// Every thread fills an index of its own. `merge` then makes one vocabulary of them and says which
// final id each provisional one becomes; `renumber` applies that to the ids of a block.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "line.h"
#include "scanner.h"

namespace numberline {

// A word as the table looks for it: made once, compared and hashed without touching the word again.
struct WordKey {
    explicit WordKey(std::string_view word);  // reads ahead: see kReadAhead
    std::string_view word;
    uint64_t first;   // the first eight bytes, with zeros for those that the word does not have
    uint64_t second;  // the next eight
    uint64_t hash;
};

// Byte strings → 0, 1, 2, … in the order of first sight, with counts.
//
// A large table is bound by the latency of memory, not by work. So all that a look-up needs is in
// one slot, and for a batch of words `prefetch` is called for each before the first is added.
class WordTable {
  public:
    WordTable() : slots_(1 << 12) {}
    void prefetch(const WordKey& key) const { prefetch_line(&slots_[key.hash & mask()]); }
    int32_t add(const WordKey& key, int64_t count = 1);
    std::vector<int32_t> add(const WordTable& others);  // their ids here
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
    bool is(const Slot& slot, const WordKey& key) const;
    void grow();
    std::vector<Slot> slots_;  // a power of two of them, at most two thirds in use
    std::vector<size_t> starts_{0};  // of the words in bytes_
    std::vector<char> bytes_ = std::vector<char>(kReadAhead);  // words, then room to read ahead
};

// Values → 0, 1, 2, … in the order of first sight, with counts.
class NumeralTable {
  public:
    NumeralTable() : slots_(1 << 12, -1) {}
    int32_t add(double value, int64_t count = 1);
    std::vector<int32_t> add(const NumeralTable& others);  // their ids here
    size_t size() const { return values_.size(); }
    double value(size_t id) const { return values_[id]; }
    int64_t count(size_t id) const { return counts_[id]; }

  private:
    void grow();
    std::vector<int32_t> slots_;
    std::vector<double> values_;
    std::vector<int64_t> counts_;
};

struct IndexedText {
    std::vector<int32_t> ids;           // words 0, 1, …; numerals -1, -2, … (provisional)
    std::vector<int64_t> line_lengths;  // in tokens, 0 for a line without any
    InvalidBytes invalid;
};

class Index {
  public:
    explicit Index(const Scanner& scanner) : scanner_(scanner), line_(scanner_.line()) {}
    Index(const Index&) = delete;  // line_ refers to scanner_

    // Lines end at \n and at \r.
    IndexedText add_text(std::string_view text, bool keep_ids);
    // Tokens split elsewhere, each followed by \0, each sentence by one more \0.
    IndexedText add_tokens(std::string_view tokens, bool keep_ids);

    WordTable words;
    NumeralTable numerals;

  private:
    // Counts tokens_ and appends their ids.
    void add_tokens_of_line(std::vector<int32_t>* ids);
    Scanner scanner_;
    Line line_;
    std::vector<Token> tokens_;
    std::vector<WordKey> keys_;  // of the words of tokens_
};

// The final id of each provisional one, -1 for a word that was cut.
class Renumbering {
  public:
    Renumbering(size_t words, size_t numerals) : ids_(words + numerals), numerals_(numerals) {}
    int32_t& operator[](int32_t provisional) { return ids_[place(provisional)]; }
    int32_t operator[](int32_t provisional) const { return ids_[place(provisional)]; }

  private:
    // Numerals are -1, -2, …: with them before the words one look-up serves both.
    size_t place(int32_t provisional) const {
        return static_cast<size_t>(static_cast<int64_t>(numerals_) + provisional);
    }
    std::vector<int32_t> ids_;
    size_t numerals_;
};

struct MergedVocabulary {
    std::string words;  // by falling count, then by bytes; each followed by \0
    std::vector<int64_t> word_counts;
    std::vector<double> numeral_values;  // ascending
    std::vector<int64_t> numeral_counts;
    int64_t distinct_words = 0;  // before the cut
    int64_t word_tokens = 0;     // before the cut
    std::vector<Renumbering> renumberings;
};

MergedVocabulary merge(const std::vector<const Index*>& indexes, int64_t min_count,
                       int64_t max_vocabulary);

// Provisional ids → final ids, in place. Cut words are left out, and each line gets shorter by
// them; returns how many ids remain.
size_t renumber(const Renumbering& renumbering,
                int32_t* ids,           // inout [sum of line_lengths]
                int64_t* line_lengths,  // inout [lines]
                size_t lines);

}  // namespace numberline
