#include "index.h"

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

template <class Integer>
Integer load(const char* bytes) {
    Integer value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// Up to seven bytes as an integer, in two loads that may overlap: no loop, no call.
uint64_t load_short(const char* bytes, size_t length) {
    if (length >= 4)
        return load<uint32_t>(bytes) | uint64_t{load<uint32_t>(bytes + length - 4)} << 32;
    if (length == 0) return 0;
    auto byte = [&](size_t at) { return uint64_t{static_cast<uint8_t>(bytes[at])}; };
    return byte(0) | byte(length / 2) << 8 | byte(length - 1) << 16;
}

bool are_equal(const char* left, const char* right, size_t length) {
    if (length < 8) return load_short(left, length) == load_short(right, length);
    for (size_t at = 0; at + 8 < length; at += 8)
        if (load<uint64_t>(left + at) != load<uint64_t>(right + at)) return false;
    return load<uint64_t>(left + length - 8) == load<uint64_t>(right + length - 8);
}

std::string_view first_line(std::string_view text) {
    std::string_view line = text.substr(0, text.find('\n'));
    return line.substr(0, line.find('\r'));
}

uint64_t bits_of(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace

uint64_t WordTable::hash(std::string_view word) {
    const char* bytes = word.data();
    size_t length = word.size();
    uint64_t state = length * 0x9e3779b97f4a7c15u;
    if (length < 8) return mix(state ^ load_short(bytes, length));
    for (size_t at = 0; at + 8 < length; at += 8) state = mix(state ^ load<uint64_t>(bytes + at));
    return mix(state ^ load<uint64_t>(bytes + length - 8));
}

bool WordTable::is(const Entry& entry, std::string_view word) const {
    if (entry.length != word.size()) return false;
    const char* bytes = bytes_.data() + entry.start;
    return are_equal(word.size() <= sizeof entry.head ? entry.head : bytes, word.data(),
                     word.size());
}

int32_t WordTable::add(std::string_view word, uint64_t hash, int64_t count) {
    uint32_t tag = static_cast<uint32_t>(hash >> 32);
    size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    for (; slots_[at].id >= 0; at = (at + 1) & mask) {
        if (slots_[at].tag != tag || !is(entries_[slots_[at].id], word)) continue;
        entries_[slots_[at].id].count += count;
        return slots_[at].id;
    }
    int32_t id = static_cast<int32_t>(size());
    slots_[at] = {tag, id};
    Entry entry{count, bytes_.size(), static_cast<uint32_t>(word.size()), {}};
    std::memcpy(entry.head, word.data(), std::min(word.size(), sizeof entry.head));
    entries_.push_back(entry);
    bytes_.insert(bytes_.end(), word.begin(), word.end());
    if (size() * 2 > slots_.size()) grow();
    return id;
}

void WordTable::grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    size_t mask = slots_.size() - 1;
    for (size_t id = 0; id < size(); ++id) {
        uint64_t code = hash(word(id));
        size_t at = code & mask;
        while (slots_[at].id >= 0) at = (at + 1) & mask;
        slots_[at] = {static_cast<uint32_t>(code >> 32), static_cast<int32_t>(id)};
    }
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
    spelled_.clear();
    size_t used = 0;
    for (const Token& token : tokens_) {
        if (token.is_numeral) continue;
        size_t needed = used + 4 * (token.end - token.start);
        if (spellings_.size() < needed) spellings_.resize(2 * needed);
        std::string_view word = spell(line_, token.start, token.end, spellings_.data() + used);
        spelled_.push_back({used, word.size(), WordTable::hash(word)});
        words.prefetch(spelled_.back().hash);
        used += word.size();
    }
    for (const Spelling& word : spelled_) words.prefetch_entry(word.hash);
    auto next = spelled_.begin();
    for (const Token& token : tokens_) {
        int32_t id;
        if (token.is_numeral) {
            id = -1 - numerals.add(token.value);
        } else {
            id = words.add({spellings_.data() + next->start, next->length}, next->hash);
            ++next;
        }
        if (ids) ids->push_back(id);
    }
}

IndexedText Index::add_text(std::string_view text, bool keep_ids) {
    IndexedText indexed;
    if (keep_ids) indexed.ids.reserve(text.size() / 5);
    for (size_t start = 0; start < text.size();) {
        std::string_view line = first_line(text.substr(start));
        line_.assign(line, static_cast<int64_t>(start), indexed.invalid);
        tokenize(line_, tokens_);
        add_tokens_of_line(keep_ids ? &indexed.ids : nullptr);
        indexed.line_lengths.push_back(static_cast<int64_t>(tokens_.size()));
        start += line.size() + 1;
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
    WordTable words;
    NumeralTable numerals;
    merged.renumberings.resize(indexes.size());
    for (size_t i = 0; i < indexes.size(); ++i) {
        const Index& index = *indexes[i];
        Renumbering& to_merged = merged.renumberings[i];
        for (size_t id = 0; id < index.words.size(); ++id) {
            std::string_view word = index.words.word(id);
            to_merged.words.push_back(
                words.add(word, WordTable::hash(word), index.words.count(id)));
        }
        for (size_t id = 0; id < index.numerals.size(); ++id)
            to_merged.numerals.push_back(
                numerals.add(index.numerals.value(id), index.numerals.count(id)));
    }
    merged.distinct_words = static_cast<int64_t>(words.size());

    std::vector<int32_t> kept;
    for (size_t id = 0; id < words.size(); ++id) {
        merged.word_tokens += words.count(id);
        if (words.count(id) >= min_count) kept.push_back(static_cast<int32_t>(id));
    }
    std::sort(kept.begin(), kept.end(), [&](int32_t a, int32_t b) {
        if (words.count(a) != words.count(b)) return words.count(a) > words.count(b);
        return words.word(a) < words.word(b);
    });
    if (kept.size() > static_cast<size_t>(max_vocabulary)) kept.resize(max_vocabulary);

    std::vector<int32_t> ascending(numerals.size());
    std::iota(ascending.begin(), ascending.end(), 0);
    std::sort(ascending.begin(), ascending.end(),
              [&](int32_t a, int32_t b) { return numerals.value(a) < numerals.value(b); });

    std::vector<int32_t> final_words(words.size(), -1), final_numerals(numerals.size());
    for (int32_t id : kept) {
        final_words[id] = static_cast<int32_t>(merged.word_counts.size());
        merged.word_counts.push_back(words.count(id));
        merged.words.append(words.word(id)).push_back('\0');
    }
    for (int32_t id : ascending) {
        final_numerals[id] = static_cast<int32_t>(kept.size() + merged.numeral_values.size());
        merged.numeral_values.push_back(numerals.value(id));
        merged.numeral_counts.push_back(numerals.count(id));
    }
    for (Renumbering& renumbering : merged.renumberings) {
        for (int32_t& id : renumbering.words) id = final_words[id];
        for (int32_t& id : renumbering.numerals) id = final_numerals[id];
    }
    return merged;
}

void renumber(const Renumbering& renumbering, const int32_t* ids, int64_t* line_lengths,
              size_t lines, std::vector<int32_t>& final_ids) {
    for (size_t line = 0; line < lines; ++line) {
        size_t before = final_ids.size();
        for (int64_t i = 0; i < line_lengths[line]; ++i, ++ids) {
            int32_t id = *ids >= 0 ? renumbering.words[*ids] : renumbering.numerals[-1 - *ids];
            if (id >= 0) final_ids.push_back(id);
        }
        line_lengths[line] = static_cast<int64_t>(final_ids.size() - before);
    }
}

}  // namespace numberline
