// Digits and a power of ten → the nearest double, as Python's float() gives it.
#pragma once
#include <cstdint>
#include <string>

namespace numberline {

// A number in decimal notation: digits without a point, times a power of ten.
class Decimal {
  public:
    void append(int digit);
    void append_decimal(int digit) {
        append(digit);
        --exponent_;
    }
    void scale(int64_t power) { exponent_ += power; }
    double value(int64_t power = 0) const;  // rounded once; infinite if too large
    bool is_zero_digit() const { return count_ == 1 && significand_ == 0; }

  private:
    uint64_t significand_ = 0;  // the first 19 digits
    int64_t count_ = 0;         // of all digits
    int64_t leading_zeros_ = 0;
    int64_t exponent_ = 0;
    std::string digits_;  // all significant digits once there are more than 19
};

double power_of_ten(int power);  // 0 to 22, exact

}  // namespace numberline
