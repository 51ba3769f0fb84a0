// A line → tokens. The twin of src/numberline/reading/scanner.py, which has the rules.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "line.h"

namespace numberline {

struct Token {
    Token(size_t start, size_t end) : start(start), end(end) {}
    Token(size_t start, size_t end, double value)
        : start(start), end(end), value(value), is_numeral(true) {}
    size_t start;
    size_t end;
    double value = 0;  // of a numeral
    bool is_numeral = false;
    int32_t kind = 0;  // of a numeral: its index in src/numberline/reading/kinds.py
};

// Character tables, shared by all threads, and options of reading.
struct Scanner {
    std::shared_ptr<const CharacterTables> tables;
    TextOptions options;
    Line line() const { return Line(*tables, options); }  // an empty one
};

// Fills `tokens`, so that its memory serves many lines.
void tokenize(const Line& line, std::vector<Token>& tokens);

// Returns whether a line is one numeral and nothing else, and sets its value; `tokens` is scratch.
bool parse_numeral(const Line& line, std::vector<Token>& tokens, double& value);

}  // namespace numberline
