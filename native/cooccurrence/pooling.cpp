#include "pooling.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace numberline {

namespace {

// The sums of a row that is being pooled.
class RowSums {
  public:
    explicit RowSums(size_t columns) : sums_(columns) {}

    void add(size_t column, double count) {
        if (sums_[column] == 0) touched_.push_back(static_cast<int32_t>(column));
        sums_[column] += count;
    }

    // Append the sums above zero as cells, by ascending column, and begin anew.
    void move_to(PairRows& rows) {
        std::sort(touched_.begin(), touched_.end());
        int64_t length = 0;
        for (const int32_t column : touched_) {
            const PairCell cell{column, static_cast<float>(sums_[column])};
            sums_[column] = 0;
            if (!(cell.count > 0)) continue;
            int32_t items[2];
            std::memcpy(items, &cell, sizeof cell);
            rows.cells.insert(rows.cells.end(), items, items + 2);
            ++length;
        }
        rows.lengths.push_back(length);
        touched_.clear();
    }

  private:
    std::vector<double> sums_;
    std::vector<int32_t> touched_;
};

}  // namespace

PairRows pooled_rows(const PairCells& pairs, size_t words, const SparseView& weights,
                     const SparseView& members, size_t first, size_t last) {
    PairRows rows;
    RowSums sums(words + members.rows);
    const auto add_row = [&](size_t id, double weight) {
        // Python may change arrays after they were checked: no index leaves its array.
        const auto end = std::min(static_cast<size_t>(pairs.offsets[id + 1]), pairs.cell_count);
        for (auto at = static_cast<size_t>(pairs.offsets[id]); at < end; ++at) {
            const auto column = static_cast<size_t>(pairs.cells[at].column);
            const double count = weight * pairs.cells[at].value;
            if (column < words) sums.add(column, count);
            else if (column < pairs.ids)
                for (int64_t entry = weights.offsets[column - words];
                     entry < weights.offsets[column - words + 1]; ++entry)
                    sums.add(words + static_cast<size_t>(weights.indices[entry]),
                             count * weights.weights[entry]);
        }
    };
    for (size_t row = first; row < last; ++row) {
        if (row < words) add_row(row, 1);
        else
            for (int64_t entry = members.offsets[row - words];
                 entry < members.offsets[row - words + 1]; ++entry)
                add_row(words + static_cast<size_t>(members.indices[entry]), members.weights[entry]);
        sums.move_to(rows);
    }
    return rows;
}

}  // namespace numberline
