// Included once per instruction set: see kernels_body.h.
#include <algorithm>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kTileRows = 4;
constexpr size_t kTileVectors = kLanes >= 16 ? 4 : 2;

// kTileRows rows and kTileVectors vectors of them stay in registers for the whole sum.
template <size_t Rows, size_t Vectors>
void product_tile(const StridedMatrix& weights, size_t row, size_t dim, const float* basis,
                  float* rows, size_t d) {
    Vector sums[Rows][Vectors];
    for (size_t i = 0; i < Rows; ++i)
        for (size_t v = 0; v < Vectors; ++v) sums[i][v] = load(rows + (row + i) * dim + d + v * kLanes);
    const float* weight = weights.data + row * weights.row_step;
    for (size_t k = 0; k < weights.columns; ++k, weight += weights.column_step) {
        Vector terms[Vectors];
        for (size_t v = 0; v < Vectors; ++v) terms[v] = load(basis + k * dim + d + v * kLanes);
        for (size_t i = 0; i < Rows; ++i) {
            Vector w = all(weight[i * weights.row_step]);
            for (size_t v = 0; v < Vectors; ++v) sums[i][v] = sums[i][v] + w * terms[v];
        }
    }
    for (size_t i = 0; i < Rows; ++i)
        for (size_t v = 0; v < Vectors; ++v) store(rows + (row + i) * dim + d + v * kLanes, sums[i][v]);
}

// What is left of the rows beyond whole vectors.
void product_rest(const StridedMatrix& weights, size_t row, size_t dim, const float* basis,
                  float* rows, size_t d) {
    const float* weight = weights.data + row * weights.row_step;
    float* sums = rows + row * dim;
    for (size_t k = 0; k < weights.columns; ++k, weight += weights.column_step)
        for (size_t at = d; at < dim; ++at) sums[at] += *weight * basis[k * dim + at];
}

template <size_t Rows>
void product_rows(const StridedMatrix& weights, size_t row, size_t dim, const float* basis,
                  float* rows) {
    size_t d = 0;
    for (; d + kTileVectors * kLanes <= dim; d += kTileVectors * kLanes)
        product_tile<Rows, kTileVectors>(weights, row, dim, basis, rows, d);
    for (; d + kLanes <= dim; d += kLanes) product_tile<Rows, 1>(weights, row, dim, basis, rows, d);
    if (d < dim)
        for (size_t i = 0; i < Rows; ++i) product_rest(weights, row + i, dim, basis, rows, d);
}

inline void add_scaled(float* to, float scale, const float* from, size_t dim) {
    for (size_t d = 0; d < dim; ++d) to[d] += scale * from[d];
}

}  // namespace

void matrix_product(const StridedMatrix& weights, size_t dim, const float* basis, float* rows) {
    size_t row = 0;
    for (; row + kTileRows <= weights.rows; row += kTileRows)
        product_rows<kTileRows>(weights, row, dim, basis, rows);
    for (; row < weights.rows; ++row) product_rows<1>(weights, row, dim, basis, rows);
}

void sparse_product(const SparseView& weights, size_t dim, const float* basis, float* rows) {
    for (size_t row = 0; row < weights.rows; ++row)
        for (int64_t at = weights.offsets[row]; at < weights.offsets[row + 1]; ++at)
            add_scaled(rows + row * dim, weights.shares[at],
                       basis + static_cast<size_t>(weights.columns[at]) * dim, dim);
}

void sparse_adjoint(const SparseView& weights, size_t dim, const float* changes, float* total) {
    for (size_t row = 0; row < weights.rows; ++row)
        for (int64_t at = weights.offsets[row]; at < weights.offsets[row + 1]; ++at)
            add_scaled(total + static_cast<size_t>(weights.columns[at]) * dim, weights.shares[at],
                       changes + row * dim, dim);
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
