#include "line.h"

#include <algorithm>
#include <cstring>

namespace numberline {
namespace {

constexpr size_t kPadding = 3;  // rules look at most three characters ahead without checking
constexpr uint32_t kReplacement = 0xFFFD;

struct Decoded {
    uint32_t point;
    size_t length;  // bytes taken
    bool is_valid;
};

// One code point. Of a broken sequence the longest correct beginning is taken, as Python does.
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

bool is_ascii(const char* bytes) {
    uint64_t eight;
    std::memcpy(&eight, bytes, 8);
    return (eight & 0x8080808080808080u) == 0;
}

}  // namespace

void Line::assign(std::string_view bytes, int64_t offset, InvalidBytes& invalid) {
    size_t length = bytes.size();
    if (points_.size() < length + kPadding) {
        points_.resize(length + kPadding);
        shapes_.resize(length + kPadding);
    }
    const uint8_t* table = tables.shape.data();
    uint32_t* points = points_.data();
    char* shapes = shapes_.data();
    size_t at = 0, count = 0;
    while (at < length) {
        while (at + 8 <= length && is_ascii(bytes.data() + at)) {
            for (int i = 0; i < 8; ++i, ++at, ++count) {
                uint8_t byte = static_cast<uint8_t>(bytes[at]);
                points[count] = byte;
                shapes[count] = static_cast<char>(table[byte]);
            }
        }
        if (at == length) break;
        auto byte = reinterpret_cast<const uint8_t*>(bytes.data()) + at;
        Decoded decoded = *byte < 0x80 ? Decoded{*byte, 1, true} : decode(byte, length - at);
        if (!decoded.is_valid) {
            if (invalid.replaced++ == 0) invalid.first = offset + static_cast<int64_t>(at);
        }
        points[count] = decoded.point;
        shapes[count] = static_cast<char>(table[decoded.point]);
        at += decoded.length;
        ++count;
    }
    size_ = count;
    std::fill(shapes + count, shapes + count + kPadding, '\n');
}

int Line::digit(size_t position) const {
    uint32_t point = points_[position];
    if (point < 0x80) return static_cast<int>(point - '0');
    auto after = std::upper_bound(tables.zeros.begin(), tables.zeros.end(), point);
    return static_cast<int>(point - *(after - 1));
}

double Line::vulgar_fraction(size_t position) const {
    for (const auto& [point, value] : tables.vulgar)
        if (point == points_[position]) return value;
    return 0;
}

bool Line::spells(size_t start, size_t end, std::string_view word) const {
    if (end - start != word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i)
        if (tables.folded[points_[start + i]] != static_cast<uint8_t>(word[i])) return false;
    return true;
}

}  // namespace numberline
