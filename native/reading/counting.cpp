#include "counting.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

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

// Returns the eight bytes of a word from `start` on, zeros after its end.
uint64_t eight_of(std::string_view word, size_t start) {
    size_t length = word.size() > start ? std::min<size_t>(word.size() - start, 8) : 0;
#if NUMBERLINE_LITTLE_ENDIAN
    // Reads ahead and masks: branches on the length of words would often be mispredicted.
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

// The lines of a text, one by one. A kind of line end is searched for again only after the latest
// one has been passed, so that a text with one kind is searched just once for the other.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}
    bool is_done() const { return start_ >= text_.size(); }
    std::string_view next() {
        size_t end = std::min({next_of('\n', feed_), next_of('\r', carriage_), text_.size()});
        std::string_view line = text_.substr(start_, end - start_);
        start_ = end + 1;
        return line;
    }

  private:
    size_t next_of(char mark, size_t& next) const {
        if (next == kUnknown || next < start_) next = text_.find(mark, start_);
        return next;  // npos, which is beyond all text, if there is none
    }
    static constexpr size_t kUnknown = std::string_view::npos - 1;
    std::string_view text_;
    size_t start_ = 0, feed_ = kUnknown, carriage_ = kUnknown;
};

uint64_t hash_of(const Numeral& numeral) {
    uint64_t bits;
    std::memcpy(&bits, &numeral.value, sizeof bits);
    return mix(bits + static_cast<uint64_t>(numeral.kind));
}

}  // namespace

WordKey::WordKey(std::string_view word)
    : word(word), first(eight_of(word, 0)), second(eight_of(word, 8)) {
    hash = (first ^ word.size() * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    hash = mix(hash ^ hash >> 32 ^ second);
    for (size_t at = 16; at < word.size(); at += 8) hash = mix(hash ^ eight_of(word, at));
}

bool WordTable::holds(const Slot& slot, const WordKey& key) const {
    bool begins_alike = slot.first == key.first && slot.second == key.second &&
                        slot.length == static_cast<uint32_t>(key.word.size());
    if (!begins_alike || key.word.size() <= 16) return begins_alike;
    return word(static_cast<size_t>(slot.id)) == key.word;
}

int32_t WordTable::add(const WordKey& key, int64_t count) {
    size_t at = key.hash & mask();
    for (; slots_[at].id >= 0; at = (at + 1) & mask()) {
        if (!holds(slots_[at], key)) continue;
        slots_[at].count += count;
        return slots_[at].id;
    }
    if (size() >= kFirstNumeral) throw std::length_error("a billion distinct words");
    int32_t id = static_cast<int32_t>(size());
    slots_[at] = {key.first, key.second, count, static_cast<uint32_t>(key.word.size()), id};
    bytes_.insert(bytes_.end() - kReadAhead, key.word.begin(), key.word.end());
    starts_.push_back(bytes_.size() - kReadAhead);
    if (size() * 3 > slots_.size() * 2) grow();
    return id;
}

std::vector<int32_t> WordTable::add(const WordTable& other) {
    std::vector<int64_t> counts = other.counts();
    std::vector<int32_t> ids;
    std::vector<WordKey> batch;
    constexpr size_t kBatch = 64;
    for (size_t start = 0; start < counts.size(); start += kBatch) {
        size_t end = std::min(start + kBatch, counts.size());
        batch.clear();
        for (size_t id = start; id < end; ++id) {
            batch.emplace_back(other.word(id));
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

int32_t NumeralTable::add(Numeral numeral, int64_t count) {
    size_t mask = slots_.size() - 1;
    size_t at = hash_of(numeral) & mask;
    for (; slots_[at] >= 0; at = (at + 1) & mask) {
        if (!(numerals_[slots_[at]] == numeral)) continue;
        counts_[slots_[at]] += count;
        return slots_[at];
    }
    int32_t id = static_cast<int32_t>(size());
    slots_[at] = id;
    numerals_.push_back(numeral);
    counts_.push_back(count);
    if (size() * 2 > slots_.size()) grow();
    return id;
}

std::vector<int32_t> NumeralTable::add(const NumeralTable& other) {
    std::vector<int32_t> ids;
    for (size_t id = 0; id < other.size(); ++id)
        ids.push_back(add(other.numeral(id), other.count(id)));
    return ids;
}

void NumeralTable::grow() {
    slots_.assign(slots_.size() * 2, -1);
    size_t mask = slots_.size() - 1;
    for (size_t id = 0; id < size(); ++id) {
        size_t at = hash_of(numerals_[id]) & mask;
        while (slots_[at] >= 0) at = (at + 1) & mask;
        slots_[at] = static_cast<int32_t>(id);
    }
}

void Counter::set_kinds() {
    if (!quantities_) return;
    quantities_->kinds_of(line_, tokens_, kinds_);
    for (size_t at = 0; at < tokens_.size(); ++at) tokens_[at].kind = kinds_[at];
}

void Counter::count_line(std::vector<int32_t>* ids) {
    keys_.clear();
    for (const Token& token : tokens_) {
        if (token.is_numeral) continue;
        keys_.emplace_back(line_.spelling(token.start, token.end));
        words.prefetch(keys_.back());
    }
    auto key = keys_.begin();
    for (const Token& token : tokens_) {
        int32_t id = token.is_numeral ? kFirstNumeral + numerals.add({token.value, token.kind})
                                      : words.add(*key++);
        if (ids) ids->push_back(id);
    }
}

NumberedText Counter::add_text(std::string_view text, bool keep_ids) {
    NumberedText numbered;
    if (keep_ids) numbered.ids.reserve(text.size() / 5);
    for (Lines lines(text); !lines.is_done();) {
        numbered.replaced += line_.assign(lines.next());
        tokenize(line_, tokens_);
        set_kinds();
        count_line(keep_ids ? &numbered.ids : nullptr);
        numbered.line_lengths.push_back(static_cast<int64_t>(tokens_.size()));
    }
    return numbered;
}

NumberedText Counter::add_tokens(std::string_view tokens, bool keep_ids) {
    NumberedText numbered;
    int64_t length = 0;
    for (size_t start = 0; start < tokens.size();) {
        size_t end = std::min(tokens.find('\0', start), tokens.size());
        std::string_view token = tokens.substr(start, end - start);
        if (token.empty()) {
            numbered.line_lengths.push_back(length);
            length = 0;
        } else {
            numbered.replaced += line_.assign(token);
            double value = 0;
            bool is_numeral = parse_numeral(line_, tokens_, value);
            tokens_.assign(1, is_numeral ? Token(0, line_.size(), value) : Token(0, line_.size()));
            count_line(keep_ids ? &numbered.ids : nullptr);
            ++length;
        }
        start = end + 1;
    }
    if (length > 0) numbered.line_lengths.push_back(length);
    return numbered;
}

namespace {

// The ids of the words to keep, most frequent first.
std::vector<int32_t> kept_words(const WordTable& words, const std::vector<int64_t>& counts,
                                int64_t min_count, int64_t max_vocabulary) {
    std::vector<int32_t> kept;
    for (size_t id = 0; id < words.size(); ++id)
        if (counts[id] >= min_count) kept.push_back(static_cast<int32_t>(id));
    std::sort(kept.begin(), kept.end(), [&](int32_t a, int32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : words.word(a) < words.word(b);
    });
    if (kept.size() > static_cast<size_t>(max_vocabulary)) kept.resize(max_vocabulary);
    return kept;
}

std::vector<int32_t> by_kind_and_value(const NumeralTable& numerals) {
    std::vector<int32_t> ids = identity(numerals.size());
    std::sort(ids.begin(), ids.end(),
              [&](int32_t a, int32_t b) { return numerals.numeral(a) < numerals.numeral(b); });
    return ids;
}

// Replaces each id by its final id.
void look_up(std::vector<int32_t>& ids, const std::vector<int32_t>& final_ids) {
    for (int32_t& id : ids) id = final_ids[id];
}

}  // namespace

MergedVocabulary merge(const std::vector<const Counter*>& counters, int64_t min_count,
                       int64_t max_vocabulary) {
    // The first counter is copied whole, so its ids stay; the others are added to it.
    WordTable words = counters.at(0)->words;
    NumeralTable numerals = counters.at(0)->numerals;
    std::vector<std::vector<int32_t>> word_ids{identity(words.size())};
    std::vector<std::vector<int32_t>> numeral_ids{identity(numerals.size())};
    for (size_t i = 1; i < counters.size(); ++i) {
        word_ids.push_back(words.add(counters[i]->words));
        numeral_ids.push_back(numerals.add(counters[i]->numerals));
    }

    MergedVocabulary merged;
    std::vector<int64_t> counts = words.counts();
    merged.distinct_words = static_cast<int64_t>(counts.size());
    merged.word_tokens = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    std::vector<int32_t> final_words(words.size(), -1), final_numerals(numerals.size());
    int32_t final_id = 0;
    for (int32_t id : kept_words(words, counts, min_count, max_vocabulary)) {
        final_words[id] = final_id++;
        merged.word_counts.push_back(counts[id]);
        merged.words.append(words.word(id)).push_back('\0');
    }
    for (int32_t id : by_kind_and_value(numerals)) {
        final_numerals[id] = final_id++;
        merged.numeral_values.push_back(numerals.numeral(id).value);
        merged.numeral_kinds.push_back(numerals.numeral(id).kind);
        merged.numeral_counts.push_back(numerals.count(id));
    }
    for (size_t i = 0; i < counters.size(); ++i) {
        look_up(word_ids[i], final_words);
        look_up(numeral_ids[i], final_numerals);
        merged.renumberings.emplace_back(word_ids[i], numeral_ids[i]);
    }
    return merged;
}

Renumbering::Renumbering(const std::vector<int32_t>& words, const std::vector<int32_t>& numerals)
    : final_ids_(words), skipped_(kFirstNumeral - static_cast<int32_t>(words.size())) {
    final_ids_.insert(final_ids_.end(), numerals.begin(), numerals.end());
}

void Renumbering::refuse_id() {
    throw std::invalid_argument("an id that the counter of this renumbering has not given");
}

size_t Renumbering::apply(int32_t* ids, size_t count, int64_t* line_lengths, size_t lines) const {
    const char* const refusal = "line lengths must be 0 or more and add up to the number of ids";
    size_t read = 0, kept = 0;
    for (size_t line = 0; line < lines; ++line) {
        const auto length = static_cast<size_t>(line_lengths[line]);  // huge if negative
        if (length > count - read) throw std::invalid_argument(refusal);
        size_t before = kept, end = read + length;
        while (read < end) {
            int32_t id = final_id(ids[read++]);
            ids[kept] = id;
            kept += id >= 0 ? 1 : 0;
        }
        line_lengths[line] = static_cast<int64_t>(kept - before);
    }
    if (read != count) throw std::invalid_argument(refusal);
    return kept;
}

}  // namespace numberline
