// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <vector>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kProductTile = 8;   // registers of a product, summed before they are written
constexpr size_t kCellsAhead = 6;    // rows of the table that are fetched before they are used

struct Term {
    const float* row;
    float weight;
};

// Sum a tile of the terms' rows, from column d on.
template <size_t registers>
inline void sum_tile(const std::vector<Term>& terms, size_t d, float* product) {
    Vector sums[registers];
    NUMBERLINE_UNROLL
    for (size_t v = 0; v < registers; ++v) sums[v] = all(0);
    for (size_t at = 0; at < terms.size(); ++at) {
        const Term& ahead = terms[std::min(at + kCellsAhead, terms.size() - 1)];
        NUMBERLINE_UNROLL
        for (size_t v = 0; v < registers; ++v)
            if (v * kLanes % 16 == 0) prefetch_line(ahead.row + d + v * kLanes);
        const Vector weight = all(terms[at].weight);
        const float* row = terms[at].row + d;
        NUMBERLINE_UNROLL
        for (size_t v = 0; v < registers; ++v) sums[v] = sums[v] + weight * load(row + v * kLanes);
    }
    NUMBERLINE_UNROLL
    for (size_t v = 0; v < registers; ++v) store(product + d + v * kLanes, sums[v]);
}

}  // namespace

void pair_products(const PairMatrix& matrix, size_t first, size_t last, size_t dim,
                   const float* table, float* products) {
    std::vector<Term> terms;
    for (size_t row = first; row < last; ++row, products += dim) {
        terms.clear();
        // Python may change arrays after they were checked: no index leaves its array.
        const auto begin = static_cast<size_t>(matrix.offsets[row]);
        const auto end = std::min(static_cast<size_t>(matrix.offsets[row + 1]), matrix.cell_count);
        for (size_t at = begin; at < end; ++at) {
            const MatrixCell& cell = matrix.cells[at];
            const auto column = static_cast<size_t>(cell.column);
            if (column >= matrix.ids) continue;
            const float value = cell.value + matrix.row_terms[row] + matrix.column_terms[column];
            if (value > 0) terms.push_back({table + column * dim, value});
        }
        size_t d = 0;
        for (; d + kProductTile * kLanes <= dim; d += kProductTile * kLanes)
            sum_tile<kProductTile>(terms, d, products);
        for (; d + kLanes <= dim; d += kLanes) sum_tile<1>(terms, d, products);
        for (; d < dim; ++d) {
            float sum = 0;
            for (const Term& term : terms) sum += term.weight * term.row[d];
            products[d] = sum;
        }
    }
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
