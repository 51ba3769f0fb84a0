// Random numbers without a state: a key and a counter → 64 bits (SplitMix64 at a chosen counter).
//
// What is drawn for a token depends on the seed, the epoch and the token's index in the corpus, and
// on nothing else: not on threads, blocks or what was drawn before. The twin of
// src/numberline/training/random.py.
#pragma once
#include <cstdint>

namespace numberline {

constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15u;

inline uint64_t mixed(uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

inline uint64_t random_bits(uint64_t key, uint64_t counter) {
    return mixed(key + (counter + 1) * kGoldenRatio);
}

// Return a number uniform in [0, 1), of 24 bits.
inline float random_fraction(uint64_t bits) {
    return static_cast<float>(bits >> 40) * (1.0f / 16777216.0f);
}

// Return a number uniform in 0 … size - 1, from the upper half of the bits.
inline uint32_t random_index(uint64_t bits, uint32_t size) {
    return static_cast<uint32_t>((bits >> 32) * size >> 32);
}

}  // namespace numberline
