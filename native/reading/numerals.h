// Characters of a line → the numeral that begins there, and its value.
//
// The twin of src/numberline/reading/numerals.py, function by function; that file has the rules.
#pragma once
#include <cstddef>
#include <optional>

#include "line.h"

namespace numberline {

struct Reading {
    size_t end;
    double value;  // not finite for 1e400, which becomes a word later
};

std::optional<Reading> read_numeral(const Line& line, size_t start, bool continues);
std::optional<size_t> end_of_groups(const Line& line, size_t start);
std::optional<size_t> end_of_unit(const Line& line, size_t start);

}  // namespace numberline
