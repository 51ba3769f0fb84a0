// Number words → numerals. The twin of src/numberline/reading/number_phrases.py.
#pragma once
#include <vector>

#include "scanner.h"

namespace numberline {

void join_number_words(const Line& line, std::vector<Token>& tokens);

}  // namespace numberline
