// Random numbers without a state: a key and a counter → 64 bits. The twin of native/training/random.h.
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef long long int64;

__device__ inline uint64 random_bits(uint64 key, uint64 counter) {
    uint64 bits = key + (counter + 1) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

// Return a number uniform in [0, 1), of 24 bits.
__device__ inline float random_fraction(uint64 bits) {
    return static_cast<float>(bits >> 40) * (1.0f / 16777216.0f);
}

// Return a number uniform in 0 … size - 1, from the upper half of the bits.
__device__ inline uint32 random_index(uint64 bits, uint32 size) {
    return static_cast<uint32>((bits >> 32) * size >> 32);
}
