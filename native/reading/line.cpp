#include "line.h"

#include <algorithm>
#include <cstring>

namespace numberline {
namespace {

constexpr size_t kPadding = 3 + kReadAhead;  // rules look at most three characters ahead
constexpr uint32_t kReplacement = 0xFFFD;
constexpr size_t kMaxGrowth = 4;  // an invalid byte becomes U+FFFD, which may be folded

struct Decoded {
    uint32_t point;
    size_t length;  // bytes taken
    bool is_valid;
};

// Decodes one code point. A broken sequence ends where it first went wrong, as in Python.
Decoded decode(const uint8_t* bytes, size_t available) {
    uint8_t lead = bytes[0];
    size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0) return {kReplacement, 1, false};
    // The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    uint32_t point = lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if (i >= available || bytes[i] < low || bytes[i] > high) return {kReplacement, i, false};
        point = (point << 6) | (bytes[i] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return {point, length, true};
}

// Writes at most four bytes and returns where the next go.
char* write_utf8(uint32_t point, char* bytes) {
    if (point < 0x80) {
        *bytes = static_cast<char>(point);
        return bytes + 1;
    }
    int continuation = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    uint32_t lead_marks = 0xFFu << (7 - continuation) & 0xFFu;  // C0, E0 or F0
    *bytes++ = static_cast<char>(lead_marks | point >> (6 * continuation));
    while (continuation-- > 0)
        *bytes++ = static_cast<char>(0x80u | (point >> (6 * continuation) & 0x3Fu));
    return bytes;
}

size_t ascii_prefix(const char* bytes, size_t length) {
    size_t at = 0;
    for (; at + 8 <= length; at += 8) {
        uint64_t eight;
        std::memcpy(&eight, bytes + at, 8);
        if (eight & kHighBits) break;
    }
    while (at < length && static_cast<uint8_t>(bytes[at]) < 0x80) ++at;
    return at;
}

void lower_ascii(const char* bytes, size_t length, char* lower) {
    for (size_t i = 0; i < length; ++i) {  // simple enough for compilers to vectorise
        char byte = bytes[i];
        lower[i] = static_cast<char>(byte + (byte >= 'A' && byte <= 'Z' ? 'a' - 'A' : 0));
    }
}

template <class T>
void reserve(std::vector<T>& values, size_t size) {
    if (values.size() < size) values.resize(size + size / 4);
}

}  // namespace

int64_t Line::assign(std::string_view bytes) {
    bytes_ = bytes;
    size_ = spelled_bytes_ = 0;
    reserve(shapes_, bytes.size() + kPadding);
    is_ascii_ = ascii_prefix(bytes.data(), bytes.size()) == bytes.size();
    reserve(spelled_, bytes.size() * (is_ascii_ ? 1 : kMaxGrowth) + kReadAhead);
    int64_t replaced = 0;
    if (is_ascii_) append_ascii(0, bytes.size());
    else replaced = assign_unicode();
    std::fill_n(shapes_.begin() + static_cast<std::ptrdiff_t>(size_), kPadding, '\n');
    return replaced;
}

void Line::append_ascii(size_t at, size_t length) {
    const char* bytes = bytes_.data() + at;
    const uint8_t* table = tables.shape.data();
    char* shapes = shapes_.data() + size_;
    for (size_t i = 0; i < length; ++i)
        shapes[i] = static_cast<char>(table[static_cast<uint8_t>(bytes[i])]);
    char* spelled = spelled_.data() + spelled_bytes_;
    if (options.lowercase) lower_ascii(bytes, length, spelled);
    else std::copy_n(bytes, length, spelled);
    size_ += length;
    spelled_bytes_ += length;
}

int64_t Line::assign_unicode() {
    size_t length = bytes_.size();
    int64_t replaced = 0;
    reserve(points_, length);
    reserve(offsets_, length + 1);
    for (size_t at = 0; at < length;) {
        size_t ascii = ascii_prefix(bytes_.data() + at, length - at);
        for (size_t i = 0; i < ascii; ++i) {
            points_[size_ + i] = static_cast<uint8_t>(bytes_[at + i]);
            offsets_[size_ + i] = static_cast<uint32_t>(spelled_bytes_ + i);
        }
        append_ascii(at, ascii);
        at += ascii;
        if (at == length) break;
        auto byte = reinterpret_cast<const uint8_t*>(bytes_.data()) + at;
        Decoded decoded = decode(byte, length - at);
        if (!decoded.is_valid) ++replaced;
        char shape = static_cast<char>(tables.shape[decoded.point]);
        points_[size_] = decoded.point;
        offsets_[size_] = static_cast<uint32_t>(spelled_bytes_);
        shapes_[size_++] = shape;
        char* next = spelled_.data() + spelled_bytes_;
        spelled_bytes_ += write_utf8(folded(decoded.point, shape), next) - next;
        at += decoded.length;
    }
    offsets_[size_] = static_cast<uint32_t>(spelled_bytes_);
    return replaced;
}

uint32_t Line::folded(uint32_t point, char shape) const {
    if (options.lowercase) return tables.folded[point];
    bool is_folded_sign = shape == '\'' || shape == '"' || shape == '-';
    return is_folded_sign ? static_cast<uint32_t>(shape) : point;
}

int Line::digit(size_t index) const {
    uint32_t point = this->point(index);
    if (point < 0x80) return static_cast<int>(point - '0');
    auto after = std::upper_bound(tables.zeros.begin(), tables.zeros.end(), point);
    return static_cast<int>(point - *(after - 1));
}

double Line::vulgar_fraction(size_t index) const {
    for (const auto& [point, value] : tables.vulgar)
        if (point == this->point(index)) return value;
    return 0;
}

bool Line::spells(size_t start, size_t end, std::string_view word) const {
    if (end - start != word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i)
        if (tables.folded[point(start + i)] != static_cast<uint8_t>(word[i])) return false;
    return true;
}

bool Line::is(size_t start, size_t end, std::string_view word) const {
    if (end - start != word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i)
        if (point(start + i) != static_cast<uint8_t>(word[i])) return false;
    return true;
}

}  // namespace numberline
