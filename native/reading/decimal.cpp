#include "decimal.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace numberline {
namespace {

constexpr int kExactPower = 22;
constexpr double kPowers[kExactPower + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr uint64_t kExactInteger = uint64_t{1} << 53;
constexpr int64_t kInlineDigits = 19;  // fit 64 bits, whatever they are

double parse(const std::string& text) {
    double value = 0;
#if defined(__cpp_lib_to_chars)
    std::from_chars(text.data(), text.data() + text.size(), value);
#elif defined(__APPLE__)
    value = strtod_l(text.c_str(), nullptr, nullptr);  // in the C locale
#else
    value = std::strtod(text.c_str(), nullptr);
#endif
    return value;
}

}  // namespace

double power_of_ten(int power) { return kPowers[power]; }

void Decimal::append(int digit) {
    ++count_;
    int64_t significant = count_ - leading_zeros_;
    if (significant == 1 && digit == 0) {
        ++leading_zeros_;
        return;
    }
    if (significant <= kInlineDigits) {
        significand_ = significand_ * 10 + static_cast<uint64_t>(digit);
        return;
    }
    if (digits_.empty()) digits_ = std::to_string(significand_);
    digits_.push_back(static_cast<char>('0' + digit));
}

double Decimal::value(int64_t power) const {
    if (significand_ == 0) return 0;
    int64_t exponent = exponent_ + power;
    if (digits_.empty() && significand_ <= kExactInteger) {
        // Both operands are exact, so the one operation rounds as the definition does.
        double exact = static_cast<double>(significand_);
        if (0 <= exponent && exponent <= kExactPower) return exact * kPowers[exponent];
        if (-kExactPower <= exponent && exponent < 0) return exact / kPowers[-exponent];
    }
    std::string digits = digits_.empty() ? std::to_string(significand_) : digits_;
    // Parsers disagree on results out of range, so these are decided here.
    int64_t magnitude = static_cast<int64_t>(digits.size()) + exponent;
    if (magnitude > 310) return std::numeric_limits<double>::infinity();
    if (magnitude < -330) return 0;
    double value = parse(digits + "e" + std::to_string(exponent));
    return value == 0 && magnitude > 300 ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace numberline
