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

// Byte strings → 0, 1, 2, … in the order of first sight, with counts.
//
// A large table is bound by the latency of memory, not by work: for a batch of words call prefetch
// and prefetch_entry for all of them before adding the first.
class WordTable {
  public:
    WordTable() : slots_(1 << 16) {}
    static uint64_t hash(std::string_view word);
    void prefetch(uint64_t hash) const { prefetch_line(&slots_[hash & (slots_.size() - 1)]); }
    void prefetch_entry(uint64_t hash) const {
        int32_t id = slots_[hash & (slots_.size() - 1)].id;
        if (id >= 0) prefetch_line(&entries_[id]);
    }
    int32_t add(std::string_view word, uint64_t hash, int64_t count = 1);
    size_t size() const { return entries_.size(); }
    std::string_view word(size_t id) const {
        return {bytes_.data() + entries_[id].start, entries_[id].length};
    }
    int64_t count(size_t id) const { return entries_[id].count; }

  private:
    struct Slot {
        uint32_t tag = 0;  // upper half of the hash: spares most comparisons
        int32_t id = -1;
    };
    struct Entry {  // two to a cache line; most words are told by their head alone
        int64_t count;
        size_t start;
        uint32_t length;
        char head[12];
    };
    static void prefetch_line(const void* address) {
#if defined(__GNUC__)
        __builtin_prefetch(address);
#else
        (void)address;
#endif
    }
    bool is(const Entry& entry, std::string_view word) const;
    void grow();
    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::vector<char> bytes_;
};

// Values → 0, 1, 2, … in the order of first sight, with counts.
class NumeralTable {
  public:
    NumeralTable() : slots_(1 << 12, -1) {}
    int32_t add(double value, int64_t count = 1);
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
    struct Spelling {
        size_t start;  // in spellings_
        size_t length;
        uint64_t hash;
    };
    // Counts tokens_ and appends their ids.
    void add_tokens_of_line(std::vector<int32_t>* ids);
    Scanner scanner_;
    Line line_;
    std::vector<Token> tokens_;
    std::vector<Spelling> spelled_;  // one per word of tokens_
    std::vector<char> spellings_;
};

struct Renumbering {
    std::vector<int32_t> words;     // final id of each provisional word, -1 if it was cut
    std::vector<int32_t> numerals;  // final id of each provisional numeral
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

// Provisional ids → final ids; cut words are left out, and each line gets shorter by them.
void renumber(const Renumbering& renumbering, const int32_t* ids,  // in  [sum of line_lengths]
              int64_t* line_lengths,                               // inout [lines]
              size_t lines, std::vector<int32_t>& final_ids);

}  // namespace numberline
