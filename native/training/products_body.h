// Included once per instruction set: see kernels_body.h.

namespace numberline {
namespace NUMBERLINE_ISA {

void sparse_product(const SparseView& rows, size_t dim, const float* table, float* vectors) {
    for (size_t row = 0; row < rows.rows; ++row, vectors += dim)
        for (int64_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
            const float* from = table + static_cast<size_t>(rows.indices[at]) * dim;
            for (size_t d = 0; d < dim; ++d) vectors[d] += rows.weights[at] * from[d];
        }
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
