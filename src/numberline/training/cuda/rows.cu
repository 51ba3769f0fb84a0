// Rows of vectors: each lane of a warp holds some columns of all of them.
//
// Rows are read past the L1 cache, which does not see what other processors write. They are changed by
// atomic additions: plain stores would lose what others add meanwhile.

constexpr int kLanes = 32;
constexpr int kStride = STRIDE;                        // floats from one row of a table to the next
constexpr int kSharedStride = (DIM + 3) / 4 * 4;       // the same in shared memory
constexpr int kVectors = (DIM + VECTOR - 1) / VECTOR;  // VECTOR columns each
constexpr int kPerLane = (kVectors + kLanes - 1) / kLanes;
constexpr uint32 kAll = 0xFFFFFFFFu;

struct Columns {
    float at[VECTOR];
};

__device__ inline int warp_lane() { return threadIdx.x % kLanes; }

__device__ inline Columns zeros() {
    Columns columns;
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) columns.at[c] = 0;
    return columns;
}

// Return whether this lane has columns in turn r of a row: some have none in the last turn.
__device__ inline bool is_column(int r) {
    return (r + 1) * kLanes <= kVectors || r * kLanes + warp_lane() < kVectors;
}
// Return the address of these columns: constant distances from the lane's first.
template <class Float>
__device__ inline Float* columns_of(Float* row, int r) {
    return row + warp_lane() * VECTOR + r * (kLanes * VECTOR);
}

#if VECTOR == 4
typedef float4 Vector;
__device__ inline Columns as_columns(Vector read) { return {{read.x, read.y, read.z, read.w}}; }
__device__ inline Vector as_vector(const Columns& columns) {
    return make_float4(columns.at[0], columns.at[1], columns.at[2], columns.at[3]);
}
#else
typedef float2 Vector;
__device__ inline Columns as_columns(Vector read) { return {{read.x, read.y}}; }
__device__ inline Vector as_vector(const Columns& columns) {
    return make_float2(columns.at[0], columns.at[1]);
}
#endif

__device__ inline Columns from_global(const float* row, int r) {
    if (!is_column(r)) return zeros();
    return as_columns(__ldcg(reinterpret_cast<const Vector*>(columns_of(row, r))));
}

__device__ inline Columns load(const float* row, int r) {
    if (!is_column(r)) return zeros();
    return as_columns(*reinterpret_cast<const Vector*>(columns_of(row, r)));
}

__device__ inline void store(float* row, int r, const Columns& columns) {
    if (is_column(r)) *reinterpret_cast<Vector*>(columns_of(row, r)) = as_vector(columns);
}

// The compiler may move other accesses across it: __syncwarp comes before the row is read again.
__device__ inline void add_to_global(float* row, int r, const Columns& columns) {
    if (!is_column(r)) return;
    float* to = columns_of(row, r);
#if __CUDA_ARCH__ >= 900 && VECTOR == 4
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(columns.at[0]),
                 "f"(columns.at[1]), "f"(columns.at[2]), "f"(columns.at[3]));
#elif __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(columns.at[0]),
                 "f"(columns.at[1]));
#else
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) atomicAdd(to + c, columns.at[c]);
#endif
}

__device__ inline void add_product(Columns& sum, float factor, const Columns& columns) {
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) sum.at[c] += factor * columns.at[c];
}

struct Row {
    Columns columns[kPerLane];

    __device__ void clear() {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) columns[r] = zeros();
    }
    __device__ void read(const float* row) {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) columns[r] = from_global(row, r);
    }
    __device__ void add(float factor, const Row& other) {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) add_product(columns[r], factor, other.columns[r]);
    }
    __device__ void add(float factor, const float* row) {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) add_product(columns[r], factor, load(row, r));
    }
    __device__ void write(float* row) const {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) store(row, r, columns[r]);
    }
    __device__ void add_to(float* row, float factor) const {
#pragma unroll
        for (int r = 0; r < kPerLane; ++r) {
            Columns change = zeros();
            add_product(change, factor, columns[r]);
            add_to_global(row, r, change);
        }
    }
};

// Copy 16 bytes past the L1 cache; they have arrived after wait_for_copies.
__device__ inline void copy_ahead(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800
    const uint32 address = static_cast<uint32>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    *reinterpret_cast<float4*>(to) = __ldcg(reinterpret_cast<const float4*>(from));
#endif
}

__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncwarp();
}

// Sum 32 numbers over the warp at once: lane l gets the sum of number l. This is a template so that
// all indices are constants and the numbers stay in registers.
template <int Half = kLanes / 2>
__device__ inline float warp_sums(float (&mine)[kLanes]) {
    const bool is_upper = warp_lane() & Half;
#pragma unroll
    for (int k = 0; k < Half; ++k) {
        const float kept = is_upper ? mine[k + Half] : mine[k];
        const float passed = is_upper ? mine[k] : mine[k + Half];
        mine[k] = kept + __shfl_xor_sync(kAll, passed, Half);
    }
    if constexpr (Half > 1) return warp_sums<Half / 2>(mine);
    else return mine[0];
}
