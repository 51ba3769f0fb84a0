#include "sparse.h"

#include <algorithm>

namespace numberline {

void sparse_product(const SparseView& weights, size_t dim, const float* basis, float* rows) {
    for (size_t row = 0; row < weights.rows; ++row, rows += dim) {
        std::fill_n(rows, dim, 0.0f);
        for (int64_t at = weights.offsets[row]; at < weights.offsets[row + 1]; ++at) {
            const float share = weights.shares[at];
            const float* vector = basis + static_cast<size_t>(weights.columns[at]) * dim;
            for (size_t d = 0; d < dim; ++d) rows[d] += share * vector[d];
        }
    }
}

void sparse_adjoint(const SparseView& weights, size_t dim, const float* changes, float* total) {
    for (size_t row = 0; row < weights.rows; ++row, changes += dim) {
        for (int64_t at = weights.offsets[row]; at < weights.offsets[row + 1]; ++at) {
            const float share = weights.shares[at];
            float* vector = total + static_cast<size_t>(weights.columns[at]) * dim;
            for (size_t d = 0; d < dim; ++d) vector[d] += share * changes[d];
        }
    }
}

}  // namespace numberline
