// Floats by the register: what a kernel needs, for any width.
//
// Included once per instruction set: see kernels_body.h. GCC and Clang have vectors built in;
// elsewhere a plain array leaves it to the compiler.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kLanes = NUMBERLINE_LANES;

// Loops over registers are written out: an array that is not would lie in memory.
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

typedef float Quad __attribute__((vector_size(16)));

inline Vector all(float value) { return value - Vector{}; }  // not + : -0 + 0 is another number
inline Vector clamped(Vector x, float limit) {
    x = x > all(limit) ? all(limit) : x;
    return x < all(-limit) ? all(-limit) : x;
}
inline Integers shifted_exponent(Integers bits) { return (bits + 127) << 23; }
inline void prefetch_line(const void* address) { __builtin_prefetch(address, 1); }  // to write

// The lanes added up until four are left.
inline Quad quarter_sum(const Vector& x) {
#if NUMBERLINE_LANES == 16
    return (__builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7)) +
           (__builtin_shufflevector(x, x, 8, 9, 10, 11) +
            __builtin_shufflevector(x, x, 12, 13, 14, 15));
#elif NUMBERLINE_LANES == 8
    return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
#else
    return x;
#endif
}

// The sums of four vectors; adding them up one by one would cost as much as their products.
inline void store_four_sums(float* to, Vector first, Vector second, Vector third, Vector fourth) {
    Quad a = quarter_sum(first), b = quarter_sum(second);
    Quad c = quarter_sum(third), d = quarter_sum(fourth);
    Quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    Quad cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    Quad sums = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
                __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    std::memcpy(to, &sums, sizeof sums);
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
inline void store_four_sums(float* to, const Vector& first, const Vector& second,
                            const Vector& third, const Vector& fourth) {
    const Vector* four[] = {&first, &second, &third, &fourth};
    for (size_t i = 0; i < 4; ++i) {
        to[i] = 0;
        for (float lane : four[i]->at) to[i] += lane;
    }
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
