// Pairs of ids ↔ Python: ids in; sorted pairs and rows of counts out.
#include <nanobind/stl/vector.h>

#include <atomic>
#include <utility>

#include "bindings.h"
#include "cooccurrence/pair_products.h"
#include "cooccurrence/pair_table.h"
#include "cooccurrence/pooling.h"
#include "training/kernels.h"

namespace numberline {

namespace {

constexpr uint64_t kMostIds = uint64_t{1} << 31;  // ids are 32-bit integers
constexpr size_t kLargestReach = 1000;            // tokens; as window in settings.py
constexpr uint64_t kMostRows = uint64_t{1} << 24;  // merged at a time
constexpr size_t kMostSlots = size_t{1} << 32;

struct PairCounter {
    ConstArray<int32_t> ids;
    ConstArray<int64_t> sentence_offsets;
    PairTable table;
    std::atomic_flag is_used = ATOMIC_FLAG_INIT;

    PairCounter(ConstArray<int32_t> tokens, ConstArray<int64_t> offsets, PairTable&& pairs)
        : ids(std::move(tokens)), sentence_offsets(std::move(offsets)), table(std::move(pairs)) {}
};

void make_counter(PairCounter* self, ConstArray<int32_t> ids, ConstArray<int64_t> sentence_offsets,
                  uint64_t id_count, ConstArray<uint32_t> units, size_t most_slots) {
    require_aligned(ids, "ids");
    require_aligned(sentence_offsets, "sentence_offsets");
    require_aligned(units, "units");
    require(id_count > 0 && id_count <= kMostIds, "id_count must be 1 to 2^31");
    require(units.size() > 0 && units.size() <= kLargestReach, "there must be 1 to 1000 units");
    require(most_slots <= kMostSlots, "most_slots must be 2^32 at most");
    PairTable table(id_count, {units.data(), units.data() + units.size()}, most_slots);
    new (self) PairCounter(std::move(ids), std::move(sentence_offsets), std::move(table));
}

int64_t count(PairCounter& self, int64_t first_token, int64_t last_token) {
    require(first_token >= 0 && first_token <= last_token &&
                last_token <= static_cast<int64_t>(self.ids.size()),
            "tokens beyond the corpus");
    const Use use(self.is_used, "counter");
    nb::gil_scoped_release release;
    return self.table.count(self.ids.data(), self.sentence_offsets.data(),
                            self.sentence_offsets.size(), first_token, last_token);
}

nb::tuple as_tuple(SortedPairs&& pairs) {
    return nb::make_tuple(to_array(std::move(pairs.keys)), to_array(std::move(pairs.units)));
}

nb::tuple take(PairCounter& self) {
    const Use use(self.is_used, "counter");
    SortedPairs forwards, backwards;
    {
        nb::gil_scoped_release release;
        std::vector<PairEntry> pairs = self.table.take();
        forwards = sorted_pairs(pairs, self.table.ids(), false);
        backwards = sorted_pairs(std::move(pairs), self.table.ids(), true);
    }
    return nb::make_tuple(as_tuple(std::move(forwards)), as_tuple(std::move(backwards)));
}

nb::tuple merge_pairs(std::vector<ConstArray<uint64_t>> keys,
                      std::vector<ConstArray<uint32_t>> units, uint64_t id_count,
                      uint64_t first_row, uint64_t last_row, double units_of_one) {
    require(keys.size() == units.size(), "there must be as many arrays of units as of keys");
    require(id_count > 0 && id_count <= kMostIds, "id_count must be 1 to 2^31");
    require(first_row <= last_row && last_row <= id_count, "rows beyond the ids");
    require(last_row - first_row <= kMostRows, "more than 2^24 rows at a time");
    require(units_of_one > 0, "units_of_one must be above zero");
    std::vector<PairsView> runs;
    for (size_t run = 0; run < keys.size(); ++run) {
        require(keys[run].size() == units[run].size(), "there must be as many units as keys");
        require_aligned(keys[run], "keys");
        require_aligned(units[run], "units");
        runs.push_back({keys[run].data(), units[run].data(), keys[run].size()});
    }
    PairRows rows;
    {
        nb::gil_scoped_release release;
        rows = merged_rows(runs, id_count, first_row, last_row, units_of_one);
    }
    return nb::make_tuple(to_array(std::move(rows.lengths)), to_array(std::move(rows.cells)));
}

// A sparse matrix of pairs; all threads multiply it.
struct PairMatrixArrays {
    ConstArray<int64_t> offsets;
    ConstArray<int32_t> cells;
    ConstArray<float> row_terms, column_terms;

    PairMatrix view() const {
        return {row_terms.size(),      offsets.data(), cells.size() / 2, reinterpret_cast<const MatrixCell*>(cells.data()),
                row_terms.data(), column_terms.data()};
    }
};

void make_matrix(PairMatrixArrays* self, ConstArray<int64_t> offsets, ConstArray<int32_t> cells,
                 ConstArray<float> row_terms, ConstArray<float> column_terms) {
    require_aligned(offsets, "offsets");
    require_aligned(cells, "cells");
    require_aligned(row_terms, "row_terms");
    require_aligned(column_terms, "column_terms");
    const size_t ids = row_terms.size();
    require(column_terms.size() == ids && offsets.size() == ids + 1 && offsets.data()[0] == 0 &&
                offsets.data()[ids] * 2 == static_cast<int64_t>(cells.size()),
            "the parts of a matrix of pairs do not fit");
    for (size_t row = 0; row < ids; ++row)
        require(offsets.data()[row] <= offsets.data()[row + 1], "offsets must not fall");
    for (size_t at = 0; at < cells.size(); at += 2)
        require(cells.data()[at] >= 0 && static_cast<size_t>(cells.data()[at]) < ids,
                "a column lies beyond the matrix");
    new (self) PairMatrixArrays{std::move(offsets), std::move(cells), std::move(row_terms),
                                std::move(column_terms)};
}

void products(const PairMatrixArrays& self, size_t first_row, size_t last_row, ConstTable table,
              MutableTable result) {
    const size_t ids = self.row_terms.size();
    require(first_row <= last_row && last_row <= ids, "rows beyond the matrix");
    require(table.shape(0) == ids, "the table must have a row for each id");
    require(result.shape(0) == last_row - first_row && result.shape(1) == table.shape(1),
            "products must have a row for each row, as long as those of the table");
    require_aligned(table, "table");
    require_aligned(result, "products");
    nb::gil_scoped_release release;
    kernels().pair_products(self.view(), first_row, last_row, table.shape(1), table.data(),
                            result.data());
}

nb::tuple pool_pairs(ConstArray<int64_t> offsets, ConstArray<int32_t> cells, size_t words,
                     ConstArray<int64_t> weight_offsets, ConstArray<int32_t> weight_indices,
                     ConstArray<float> weights, ConstArray<int64_t> member_offsets,
                     ConstArray<int32_t> member_indices, ConstArray<float> member_weights,
                     size_t first_row, size_t last_row) {
    require_aligned(offsets, "offsets");
    require_aligned(cells, "cells");
    require(offsets.size() > 0 && member_offsets.size() > 0 && words <= offsets.size() - 1,
            "there are fewer ids than words");
    const size_t ids = offsets.size() - 1, prototypes = member_offsets.size() - 1;
    require_sparse_rows(weight_offsets, weight_indices, weights, ids - words, prototypes);
    require_sparse_rows(member_offsets, member_indices, member_weights, prototypes, ids - words);
    require(first_row <= last_row && last_row <= words + prototypes, "rows beyond the table");
    const SparseView rows{ids - words, weight_offsets.data(), weight_indices.data(), weights.data()};
    const SparseView members{prototypes, member_offsets.data(), member_indices.data(),
                             member_weights.data()};
    const PairCells pairs{ids, offsets.data(), cells.size() / 2,
                          reinterpret_cast<const MatrixCell*>(cells.data())};
    PairRows pooled;
    {
        nb::gil_scoped_release release;
        pooled = pooled_rows(pairs, words, rows, members, first_row, last_row);
    }
    return nb::make_tuple(to_array(std::move(pooled.lengths)), to_array(std::move(pooled.cells)));
}

}  // namespace

void bind_cooccurrence(nb::module_& module) {
    nb::class_<PairCounter>(module, "PairCounter")
        .def("__init__", &make_counter, nb::kw_only(), nb::arg("ids"), nb::arg("sentence_offsets"),
             nb::arg("id_count"), nb::arg("units"), nb::arg("most_slots"))
        .def("count", &count, nb::kw_only(), nb::arg("first_token"), nb::arg("last_token"))
        .def("take", &take);
    module.def("pool_pairs", &pool_pairs, nb::kw_only(), nb::arg("offsets"), nb::arg("cells"),
               nb::arg("words"), nb::arg("weight_offsets"), nb::arg("weight_indices"),
               nb::arg("weights"), nb::arg("member_offsets"), nb::arg("member_indices"),
               nb::arg("member_weights"), nb::arg("first_row"), nb::arg("last_row"));
    nb::class_<PairMatrixArrays>(module, "PairMatrix")
        .def("__init__", &make_matrix, nb::kw_only(), nb::arg("offsets"), nb::arg("cells"),
             nb::arg("row_terms"), nb::arg("column_terms"))
        .def("products", &products, nb::kw_only(), nb::arg("first_row"), nb::arg("last_row"),
             nb::arg("table"), nb::arg("products").noconvert());
    module.def("merge_pairs", &merge_pairs, nb::kw_only(), nb::arg("keys"), nb::arg("units"),
               nb::arg("id_count"), nb::arg("first_row"), nb::arg("last_row"),
               nb::arg("units_of_one"));
}

}  // namespace numberline
