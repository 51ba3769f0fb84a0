// Arithmetic on registers of floats, of any width.
//
// Included once per instruction set: see kernels_body.h. GCC and Clang have built-in vectors; other
// compilers get loops over a plain array.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kLanes = NUMBERLINE_LANES;

// Loops over registers are unrolled: otherwise the array of registers would lie in memory.
#if defined(__clang__)
#define NUMBERLINE_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define NUMBERLINE_UNROLL _Pragma("GCC unroll 32")
#else
#define NUMBERLINE_UNROLL
#endif

#if defined(__GNUC__)

typedef float Vector __attribute__((vector_size(NUMBERLINE_LANES * 4)));
typedef int32_t Integers __attribute__((vector_size(NUMBERLINE_LANES * 4)));

inline Vector all(float value) { return value - Vector{}; }  // not + : -0 + 0 is another number
inline Vector clamped(Vector x, float limit) {
    const Vector most = all(limit), least = all(-limit);
    x = x > most ? most : x;
    return x < least ? least : x;
}
inline Integers shifted_exponent(Integers bits) { return (bits + 127) << 23; }
inline void prefetch_line(const void* address) { __builtin_prefetch(address, 1); }  // to write

// Return x, negated where the sign bit of `signs` is set.
inline Vector with_sign_of(const Vector& signs, const Vector& x) {
    Integers bits, turned;
    std::memcpy(&bits, &signs, sizeof bits);
    std::memcpy(&turned, &x, sizeof turned);
    turned ^= bits & INT32_MIN;
    Vector result;
    std::memcpy(&result, &turned, sizeof result);
    return result;
}

#if NUMBERLINE_LANES == 16
#define NUMBERLINE_SHUFFLE(x, y, a, b, c, d) /* within each quarter */                        \
    __builtin_shufflevector(x, y, a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, \
                            d + 8, a + 12, b + 12, c + 12, d + 12)
#elif NUMBERLINE_LANES == 8
#define NUMBERLINE_SHUFFLE(x, y, a, b, c, d) \
    __builtin_shufflevector(x, y, a, b, c, d, a + 4, b + 4, c + 4, d + 4)
#else
#define NUMBERLINE_SHUFFLE(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#endif

// Four vectors → in each block of four lanes, the four sums of these lanes.
inline Vector quarter_sums(const Vector* x) {
    constexpr int n = NUMBERLINE_LANES;
    Vector ab = NUMBERLINE_SHUFFLE(x[0], x[1], 0, n, 1, n + 1) +
                NUMBERLINE_SHUFFLE(x[0], x[1], 2, n + 2, 3, n + 3);
    Vector cd = NUMBERLINE_SHUFFLE(x[2], x[3], 0, n, 1, n + 1) +
                NUMBERLINE_SHUFFLE(x[2], x[3], 2, n + 2, 3, n + 3);
    return NUMBERLINE_SHUFFLE(ab, cd, 0, 1, n, n + 1) +
           NUMBERLINE_SHUFFLE(ab, cd, 2, 3, n + 2, n + 3);
}

// As many vectors as there are lanes → in each lane the sum of one vector. Summing each vector alone
// would cost as much as the products.
inline Vector lane_sums(const Vector* x) {
#if NUMBERLINE_LANES == 16
    Vector a = quarter_sums(x), b = quarter_sums(x + 4);
    Vector c = quarter_sums(x + 8), d = quarter_sums(x + 12);
    Vector ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                        23) +
                __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29,
                                        30, 31);
    Vector cd = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                        23) +
                __builtin_shufflevector(c, d, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29,
                                        30, 31);
    return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26,
                                   27) +
           __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                   31);
#elif NUMBERLINE_LANES == 8
    Vector a = quarter_sums(x), b = quarter_sums(x + 4);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    return quarter_sums(x);
#endif
}

#else

template <class T>
struct Lanes {
    T at[NUMBERLINE_LANES];
    template <class Operation>
    friend Lanes each(const Lanes& a, const Lanes& b, Operation operation) {
        Lanes result;
        for (size_t i = 0; i < NUMBERLINE_LANES; ++i) result.at[i] = operation(a.at[i], b.at[i]);
        return result;
    }
    friend Lanes operator+(const Lanes& a, const Lanes& b) {
        return each(a, b, [](T x, T y) { return x + y; });
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b) {
        return each(a, b, [](T x, T y) { return x - y; });
    }
    friend Lanes operator*(const Lanes& a, const Lanes& b) {
        return each(a, b, [](T x, T y) { return x * y; });
    }
    friend Lanes operator/(const Lanes& a, const Lanes& b) {
        return each(a, b, [](T x, T y) { return x / y; });
    }
};
using Vector = Lanes<float>;
using Integers = Lanes<int32_t>;

inline Vector all(float value) {
    Vector result;
    for (float& lane : result.at) lane = value;
    return result;
}
inline Vector clamped(Vector x, float limit) {
    for (float& lane : x.at) lane = lane > limit ? limit : lane < -limit ? -limit : lane;
    return x;
}
inline Integers shifted_exponent(Integers bits) {
    for (int32_t& lane : bits.at)
        lane = static_cast<int32_t>(static_cast<uint32_t>(lane + 127) << 23);
    return bits;
}
inline void prefetch_line(const void*) {}
inline Vector with_sign_of(const Vector& signs, Vector x) {
    for (size_t i = 0; i < NUMBERLINE_LANES; ++i)
        if (std::signbit(signs.at[i])) x.at[i] = -x.at[i];
    return x;
}
inline Vector lane_sums(const Vector* x) {
    Vector sums = all(0);
    for (size_t i = 0; i < NUMBERLINE_LANES; ++i)
        for (float lane : x[i].at) sums.at[i] += lane;
    return sums;
}

#endif

inline Vector load(const float* from) {
    Vector value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline void store(float* to, const Vector& value) { std::memcpy(to, &value, sizeof value); }

// exp(x) for |x| below 80, to a few units in the last place: 2^n e^r with |r| <= log(2) / 2.
inline Vector exponential(const Vector& x) {
    const Vector round = all(12582912.0f);  // 1.5 * 2^23: adding it leaves an integer
    Vector rounded = x * all(1.44269504f) + round;
    Vector n = rounded - round;
    Vector r = x - n * all(0.693359375f) + n * all(2.12194440e-4f);  // log 2 in two parts
    Vector p = all(1.0f / 720) * r + all(1.0f / 120);
    p = p * r + all(1.0f / 24);
    p = p * r + all(1.0f / 6);
    p = p * r + all(0.5f);
    p = p * r + all(1.0f);
    p = p * r + all(1.0f);
    Integers bits;  // the integer n stands in the low bits of `rounded`
    std::memcpy(&bits, &rounded, sizeof bits);
    bits = shifted_exponent(bits);
    Vector power;
    std::memcpy(&power, &bits, sizeof power);
    return p * power;
}

}  // namespace
}  // namespace NUMBERLINE_ISA
}  // namespace numberline
