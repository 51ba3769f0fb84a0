#include "counting.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace numberline {
namespace {

uint64_t mix(uint64_t bits) {
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93u;
    bits ^= bits >> 32;
    bits *= 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
}

uint64_t load(const char* bytes) {
    uint64_t eight;
    std::memcpy(&eight, bytes, 8);
    return eight;
}

// Up to eight bytes of a word from `start` on, with zeros for those that it does not have.
uint64_t eight_of(std::string_view word, size_t start) {
    size_t length = word.size() > start ? std::min<size_t>(word.size() - start, 8) : 0;
#if NUMBERLINE_LITTLE_ENDIAN
    // Read ahead and mask: branches on the length of words would be mispredicted all the time.
    static constexpr uint64_t kMasks[9] = {
        0,          0xFF,         0xFFFF,         0xFFFFFF,         0xFFFFFFFF,
        0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, ~uint64_t{0}};
    return load(word.data() + start) & kMasks[length];
#else
    uint64_t eight = 0;
    if (length > 0) std::memcpy(&eight, word.data() + start, length);
    return eight;
#endif
}

std::vector<int32_t> identity(size_t size) {
    std::vector<int32_t> ids(size);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

// Lines one after the other. Each kind of line end is looked for only when the last one found has
// been passed, so that a text that has but one kind is searched once for the other.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}
    bool is_done() const { return start_ >= text_.size(); }
    size_t start() const { return start_; }
    std::string_view next() {
        size_t end = std::min({next_of('\n', feed_), next_of('\r', carriage_), text_.size()});
        std::string_view line = text_.substr(start_, end - start_);
        start_ = end + 1;
        return line;
    }

  private:
    size_t next_of(char mark, size_t& found) const {
        if (found == kUnknown || found < start_) found = text_.find(mark, start_);
        return found;  // npos, which is beyond all text, if there is none
    }
    static constexpr size_t kUnknown = std::string_view::npos - 1;
    std::string_view text_;
    size_t start_ = 0, feed_ = kUnknown, carriage_ = kUnknown;
};

uint64_t bits_of(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace

WordKey::WordKey(std::string_view word)
    : word(word), first(eight_of(word, 0)), second(eight_of(word, 8)) {
    hash = (first ^ word.size() * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    hash = mix(hash ^ hash >> 32 ^ second);
    for (size_t at = 16; at < word.size(); at += 8) hash = mix(hash ^ eight_of(word, at));
}

bool WordTable::is(const Slot& slot, const WordKey& key) const {
    bool begins_alike = slot.first == key.first && slot.second == key.second &&
                        slot.length == static_cast<uint32_t>(key.word.size());
    if (!begins_alike || key.word.size() <= 16) return begins_alike;
    return word(static_cast<size_t>(slot.id)) == key.word;
}

int32_t WordTable::add(const WordKey& key, int64_t count) {
    size_t at = key.hash & mask();
    for (; slots_[at].id >= 0; at = (at + 1) & mask()) {
        if (!is(slots_[at], key)) continue;
        slots_[at].count += count;
        return slots_[at].id;
    }
    int32_t id = static_cast<int32_t>(size());
    slots_[at] = {key.first, key.second, count, static_cast<uint32_t>(key.word.size()), id};
    bytes_.insert(bytes_.end() - kReadAhead, key.word.begin(), key.word.end());
    starts_.push_back(bytes_.size() - kReadAhead);
    if (size() * 3 > slots_.size() * 2) grow();
    return id;
}

std::vector<int32_t> WordTable::add(const WordTable& others) {
    std::vector<int64_t> counts = others.counts();
    std::vector<int32_t> ids;
    std::vector<WordKey> batch;
    constexpr size_t kBatch = 64;
    for (size_t start = 0; start < counts.size(); start += kBatch) {
        size_t end = std::min(start + kBatch, counts.size());
        batch.clear();
        for (size_t id = start; id < end; ++id) {
            batch.emplace_back(others.word(id));
            prefetch(batch.back());
        }
        for (size_t id = start; id < end; ++id) ids.push_back(add(batch[id - start], counts[id]));
    }
    return ids;
}

void WordTable::grow() {
    std::vector<Slot> smaller(slots_.size() * 2);
    slots_.swap(smaller);
    for (const Slot& slot : smaller) {
        if (slot.id < 0) continue;
        size_t at = WordKey(word(static_cast<size_t>(slot.id))).hash & mask();
        while (slots_[at].id >= 0) at = (at + 1) & mask();
        slots_[at] = slot;
    }
}

std::vector<int64_t> WordTable::counts() const {
    std::vector<int64_t> counts(size());
    for (const Slot& slot : slots_)
        if (slot.id >= 0) counts[static_cast<size_t>(slot.id)] = slot.count;
    return counts;
}

int32_t NumeralTable::add(double value, int64_t count) {
    size_t mask = slots_.size() - 1;
    size_t at = mix(bits_of(value)) & mask;
    for (; slots_[at] >= 0; at = (at + 1) & mask) {
        if (values_[slots_[at]] != value) continue;
        counts_[slots_[at]] += count;
        return slots_[at];
    }
    int32_t id = static_cast<int32_t>(size());
    slots_[at] = id;
    values_.push_back(value);
    counts_.push_back(count);
    if (size() * 2 > slots_.size()) grow();
    return id;
}

std::vector<int32_t> NumeralTable::add(const NumeralTable& others) {
    std::vector<int32_t> ids;
    for (size_t id = 0; id < others.size(); ++id)
        ids.push_back(add(others.value(id), others.count(id)));
    return ids;
}

void NumeralTable::grow() {
    slots_.assign(slots_.size() * 2, -1);
    size_t mask = slots_.size() - 1;
    for (size_t id = 0; id < size(); ++id) {
        size_t at = mix(bits_of(values_[id])) & mask;
        while (slots_[at] >= 0) at = (at + 1) & mask;
        slots_[at] = static_cast<int32_t>(id);
    }
}

void Index::add_tokens_of_line(std::vector<int32_t>* ids) {
    keys_.clear();
    for (const Token& token : tokens_) {
        if (token.is_numeral) continue;
        keys_.emplace_back(line_.spelling(token.start, token.end));
        words.prefetch(keys_.back());
    }
    auto key = keys_.begin();
    for (const Token& token : tokens_) {
        int32_t id = token.is_numeral ? -1 - numerals.add(token.value) : words.add(*key++);
        if (ids) ids->push_back(id);
    }
}

IndexedText Index::add_text(std::string_view text, bool keep_ids) {
    IndexedText indexed;
    if (keep_ids) indexed.ids.reserve(text.size() / 5);
    for (Lines lines(text); !lines.is_done();) {
        auto start = static_cast<int64_t>(lines.start());
        line_.assign(lines.next(), start, indexed.invalid);
        tokenize(line_, tokens_);
        add_tokens_of_line(keep_ids ? &indexed.ids : nullptr);
        indexed.line_lengths.push_back(static_cast<int64_t>(tokens_.size()));
    }
    return indexed;
}

IndexedText Index::add_tokens(std::string_view tokens, bool keep_ids) {
    IndexedText indexed;
    int64_t length = 0;
    for (size_t start = 0; start < tokens.size();) {
        size_t end = std::min(tokens.find('\0', start), tokens.size());
        std::string_view token = tokens.substr(start, end - start);
        if (token.empty()) {
            indexed.line_lengths.push_back(length);
            length = 0;
        } else {
            line_.assign(token, static_cast<int64_t>(start), indexed.invalid);
            double value = 0;
            bool is_numeral = parse_numeral(line_, tokens_, value);
            Token whole(0, line_.size());
            tokens_.assign(1, is_numeral ? Token(0, line_.size(), value) : whole);
            add_tokens_of_line(keep_ids ? &indexed.ids : nullptr);
            ++length;
        }
        start = end + 1;
    }
    if (length > 0) indexed.line_lengths.push_back(length);
    return indexed;
}

MergedVocabulary merge(const std::vector<const Index*>& indexes, int64_t min_count,
                       int64_t max_vocabulary) {
    MergedVocabulary merged;
    // The first index is copied whole, so its words keep their ids; the others are added to it.
    WordTable words = indexes.at(0)->words;
    NumeralTable numerals = indexes.at(0)->numerals;
    for (const Index* index : indexes) {
        bool is_first = index == indexes[0];
        Renumbering to_merged(index->words.size(), index->numerals.size());
        std::vector<int32_t> word_ids = is_first ? identity(words.size()) : words.add(index->words);
        std::vector<int32_t> numeral_ids =
            is_first ? identity(numerals.size()) : numerals.add(index->numerals);
        for (size_t id = 0; id < word_ids.size(); ++id)
            to_merged[static_cast<int32_t>(id)] = word_ids[id];
        for (size_t id = 0; id < numeral_ids.size(); ++id)
            to_merged[-1 - static_cast<int32_t>(id)] = numeral_ids[id];
        merged.renumberings.push_back(std::move(to_merged));
    }
    merged.distinct_words = static_cast<int64_t>(words.size());

    std::vector<int64_t> counts = words.counts();
    std::vector<int32_t> kept;
    for (size_t id = 0; id < words.size(); ++id) {
        merged.word_tokens += counts[id];
        if (counts[id] >= min_count) kept.push_back(static_cast<int32_t>(id));
    }
    std::sort(kept.begin(), kept.end(), [&](int32_t a, int32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : words.word(a) < words.word(b);
    });
    if (kept.size() > static_cast<size_t>(max_vocabulary)) kept.resize(max_vocabulary);

    std::vector<int32_t> ascending = identity(numerals.size());
    std::sort(ascending.begin(), ascending.end(),
              [&](int32_t a, int32_t b) { return numerals.value(a) < numerals.value(b); });

    std::vector<int32_t> final_words(words.size(), -1), final_numerals(numerals.size());
    for (int32_t id : kept) {
        final_words[id] = static_cast<int32_t>(merged.word_counts.size());
        merged.word_counts.push_back(counts[id]);
        merged.words.append(words.word(id)).push_back('\0');
    }
    for (int32_t id : ascending) {
        final_numerals[id] = static_cast<int32_t>(kept.size() + merged.numeral_values.size());
        merged.numeral_values.push_back(numerals.value(id));
        merged.numeral_counts.push_back(numerals.count(id));
    }
    for (size_t i = 0; i < indexes.size(); ++i) {
        Renumbering& renumbering = merged.renumberings[i];
        for (size_t id = 0; id < indexes[i]->words.size(); ++id) {
            int32_t& to = renumbering[static_cast<int32_t>(id)];
            to = final_words[to];
        }
        for (size_t id = 0; id < indexes[i]->numerals.size(); ++id) {
            int32_t& to = renumbering[-1 - static_cast<int32_t>(id)];
            to = final_numerals[to];
        }
    }
    return merged;
}

size_t renumber(const Renumbering& renumbering, int32_t* ids, int64_t* line_lengths,
                size_t lines) {
    size_t read = 0, kept = 0;
    for (size_t line = 0; line < lines; ++line) {
        size_t before = kept, end = read + static_cast<size_t>(line_lengths[line]);
        while (read < end) {
            int32_t id = renumbering[ids[read++]];
            ids[kept] = id;
            kept += id >= 0 ? 1 : 0;
        }
        line_lengths[line] = static_cast<int64_t>(kept - before);
    }
    return kept;
}

}  // namespace numberline
