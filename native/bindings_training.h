// The arrays that trainers hold, shared by the bindings of all trainers.
#pragma once

#include "bindings.h"
#include "training/plan.h"
#include "training/windows.h"

namespace numberline {

constexpr size_t kLargestStride = 1 << 14;  // floats; dim is 10,000 at most

// NumPy arrays: they are not copied, and these structs keep them alive.
struct CorpusArrays {
    ConstArray<int32_t> ids;
    ConstArray<int64_t> sentence_offsets;

    Corpus view() const {
        return {ids.data(), static_cast<int64_t>(ids.size()), sentence_offsets.data(),
                sentence_offsets.size() - 1};
    }
};

// The vectors of a side and the weights of its numerals.
struct SideArrays {
    MutableTable rows;
    ConstArray<int64_t> offsets;
    ConstArray<int32_t> indices;
    ConstArray<float> weights;

    SideTable view() const {
        return {rows.data(), {indices.size(), offsets.data(), indices.data(), weights.data()}};
    }
    void require_fit(size_t words, size_t numerals) const {
        require(rows.shape(1) > 0 && rows.shape(1) <= kLargestStride &&
                    rows.shape(1) % kRowAlignment == 0,
                "rows are not padded: their length must be a multiple of 16, up to 16384");
        require(reinterpret_cast<uintptr_t>(rows.data()) % (kRowAlignment * sizeof(float)) == 0,
                "rows are not aligned: they must begin at a multiple of 64 bytes");
        require(rows.shape(0) >= words, "a table has fewer rows than there are words");
        require_sparse_rows(offsets, indices, weights, numerals, rows.shape(0) - words);
    }
};

}  // namespace numberline
