// Bytes → a line of code points with their classes: what every rule of reading works on.
//
// The classes are those of src/numberline/text/shapes.py; Python hands the tables in, so that both
// sides read characters alike.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace numberline {

struct CharacterTables {
    std::vector<uint8_t> shape;                       // [0x110000] class of a code point
    std::vector<uint32_t> folded;                     // [0x110000] lower case, one kind of quotes
    std::vector<uint32_t> zeros;                      // zero of each run of ten digits, ascending
    std::vector<std::pair<uint32_t, double>> vulgar;  // fraction characters and their values
};

struct TextOptions {
    bool lowercase = true;
    bool punctuation = false;
    bool magnitudes = false;
    bool number_words = false;
    bool decimal_comma = false;
};

// A set of shape characters: Classes("aez").has(shape).
class Classes {
  public:
    constexpr explicit Classes(const char* members) {
        for (; *members; ++members) member_[static_cast<uint8_t>(*members)] = true;
    }
    constexpr bool has(char shape) const { return member_[static_cast<uint8_t>(shape)]; }

  private:
    std::array<bool, 128> member_{};
};

// What decoding found wrong, with the semantics of Python's bytes.decode(errors="replace").
struct InvalidBytes {
    int64_t replaced = 0;  // U+FFFD written in their place
    int64_t first = -1;    // offset of the first one, -1 if there is none
};

class Line {
  public:
    Line(const CharacterTables& tables, const TextOptions& options)
        : tables(tables), options(options) {}

    // Take the next line of text. Invalid bytes become U+FFFD and are noted with their offset.
    void assign(std::string_view bytes, int64_t offset, InvalidBytes& invalid);

    size_t size() const { return size_; }
    char shape(size_t position) const { return shapes_[position]; }  // '\n' just beyond the end
    uint32_t point(size_t position) const { return points_[position]; }

    // End of the longest run of characters of these classes that begins at position.
    size_t run(size_t position, const Classes& classes) const {
        while (classes.has(shapes_[position])) ++position;
        return position;
    }

    uint32_t folded(size_t position) const {
        uint32_t point = points_[position];
        if (options.lowercase) return tables.folded[point];
        char shape = shapes_[position];
        bool is_folded_sign = shape == '\'' || shape == '"' || shape == '-';
        return is_folded_sign ? static_cast<uint32_t>(shape) : point;
    }

    int digit(size_t position) const;              // value of a decimal digit of any script
    double vulgar_fraction(size_t position) const;  // value of ½ and its kind

    // Whether the stretch, lower-cased, is this ASCII word.
    bool spells(size_t start, size_t end, std::string_view word) const;

    const CharacterTables& tables;
    const TextOptions& options;

  private:
    std::vector<uint32_t> points_;
    std::vector<char> shapes_;
    size_t size_ = 0;
};

// Writes at most four bytes and returns where the next go.
inline char* write_utf8(uint32_t point, char* bytes) {
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

}  // namespace numberline
