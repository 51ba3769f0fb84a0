// Tokens of a line → the kind of each numeral. The twin of src/numberline/reading/quantities.
#pragma once
#include <vector>

#include "scanner.h"

namespace numberline {

void assign_kinds(const Line& line, std::vector<Token>& tokens);

}  // namespace numberline
