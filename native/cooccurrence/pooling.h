// Counts of words and numerals → counts of words and prototypes.
//
// The twin of defined_pooling in src/numberline/cooccurrence/pooling.py.
#pragma once
#include "pair_products.h"
#include "pair_table.h"
#include "training/products.h"

namespace numberline {

struct PairCells {
    size_t ids;
    const int64_t* offsets;  // in [ids + 1]
    size_t cell_count;
    const MatrixCell* cells;  // in [cell_count]: counts
};

// Rows first … last - 1 of the pooled table: words come before prototypes. `weights` has a row for
// each numeral, `members` is the same transposed: a row for each prototype.
PairRows pooled_rows(const PairCells& pairs, size_t words, const SparseView& weights,
                     const SparseView& members, size_t first, size_t last);

}  // namespace numberline
