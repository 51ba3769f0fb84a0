#include "quantities.h"

namespace numberline {
namespace {

constexpr int32_t kMoney = 2, kPercent = 3;

}  // namespace

void assign_kinds(const Line& line, std::vector<Token>& tokens) {
    for (Token& token : tokens) {
        if (!token.is_numeral) continue;
        if (line.shape(token.end) == '$' && line.point(token.end) == '%')
            token.kind = kPercent;
        else if (token.start > 0 && line.shape(token.start - 1) == '$')
            token.kind = kMoney;
    }
}

}  // namespace numberline
