// Bytes → a line of code points and their classes, on which all rules of reading are written.
//
// src/numberline/reading/shapes.py explains the classes, and passes its tables to the scanner.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NUMBERLINE_LITTLE_ENDIAN 1
#else
#define NUMBERLINE_LITTLE_ENDIAN 0
#endif

namespace numberline {

constexpr size_t kReadAhead = 16;  // bytes that may be read, and are ignored, beyond a word
constexpr uint64_t kEachByte = 0x0101010101010101u;
constexpr uint64_t kHighBits = 0x8080808080808080u;

struct CharacterTables {
    std::vector<uint8_t> shape;                       // [0x110000] class of a code point
    std::vector<uint32_t> folded;                     // [0x110000] lower case, plain quotes
    std::vector<uint32_t> zeros;                      // zero of each run of ten digits, ascending
    std::vector<std::pair<uint32_t, double>> vulgar;  // fraction characters and their values
};

struct TextOptions {
    bool lowercase = true;
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

class Line {
  public:
    Line(const CharacterTables& tables, const TextOptions& options)
        : tables(tables), options(options) {}

    // Takes the next line of text. Bytes that are not UTF-8 become U+FFFD, as with Python's
    // bytes.decode(errors="replace"); returns the number of these.
    int64_t assign(std::string_view bytes);

    std::string_view bytes() const { return bytes_; }  // as they were assigned
    bool is_ascii() const { return is_ascii_; }        // then characters are bytes
    size_t size() const { return size_; }
    char shape(size_t index) const { return shapes_[index]; }  // '\n' just beyond the end
    uint32_t point(size_t index) const {
        return is_ascii_ ? static_cast<uint8_t>(bytes_[index]) : points_[index];
    }

    // The characters from start to end as the vocabulary spells them; valid until the next line is
    // assigned. Bytes beyond the end may be read: see kReadAhead.
    std::string_view spelling(size_t start, size_t end) const {
        size_t first = is_ascii_ ? start : offsets_[start];
        size_t last = is_ascii_ ? end : offsets_[end];
        return {spelled_.data() + first, last - first};
    }

    // The end of the longest run of characters of these classes from index on.
    size_t run(size_t index, const Classes& classes) const {
        while (classes.has(shapes_[index])) ++index;
        return index;
    }

    // The end of the longest run of plain letters, eight at a time: a branch per character would
    // be mispredicted at the end of almost every word.
    size_t run_of_letters(size_t index) const {
#if NUMBERLINE_LITTLE_ENDIAN
        static_assert(('a' ^ 'e') == 4, "the classes a and e differ in one bit");
        for (;; index += 8) {
            uint64_t eight;
            std::memcpy(&eight, shapes_.data() + index, 8);
            uint64_t differs = (eight & ~(kEachByte * 4)) ^ (kEachByte * 'a');
            uint64_t ends = (((differs & ~kHighBits) + ~kHighBits) | differs) & kHighBits;
            if (ends) return index + static_cast<size_t>(__builtin_ctzll(ends) / 8);
        }
#else
        constexpr Classes kLetters("ae");
        return run(index, kLetters);
#endif
    }

    int digit(size_t index) const;              // value of a decimal digit of any script
    double vulgar_fraction(size_t index) const;  // value of ½ and its kind

    // Whether the characters from start to end are this ASCII word, in any case.
    bool spells(size_t start, size_t end, std::string_view word) const;
    // Whether they are this ASCII word in the same case.
    bool is(size_t start, size_t end, std::string_view word) const;

    const CharacterTables& tables;
    const TextOptions& options;

  private:
    int64_t assign_unicode();
    void append_ascii(size_t at, size_t length);
    uint32_t folded(uint32_t point, char shape) const;

    std::string_view bytes_;
    bool is_ascii_ = true;  // then characters are bytes, and points_ and offsets_ are not used
    size_t size_ = 0;
    size_t spelled_bytes_ = 0;
    std::vector<char> shapes_;
    std::vector<char> spelled_;       // the line as the vocabulary spells it
    std::vector<uint32_t> points_;    // code points
    std::vector<uint32_t> offsets_;   // of characters in spelled_
};

}  // namespace numberline
