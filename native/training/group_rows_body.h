// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <type_traits>

#include "windows.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kTile = 8;  // vectors of a row that are composed together

// A constant as a type, for each size from 1 to `Most`.
template <size_t Most, class Body>
inline void with_size(size_t size, Body body) {
    if (size == Most) return body(std::integral_constant<size_t, Most>());
    if constexpr (Most > 1) with_size<Most - 1>(size, body);
}

// The rows of a group. Those of words lie in the table. Those of numerals are composed; when the
// group ends, their changes move the prototypes.
class GroupRows {
  public:
    GroupRows(const Tables& tables, const SideTable& side, ComposedRows& composed)
        : tables_(tables), side_(side), composed_(composed) {
        composed_.clear();  // an error may have left rows
    }

    float* row(int32_t id) {
        const auto words = static_cast<int32_t>(tables_.words);
        if (id < words) return side_.rows + static_cast<size_t>(id) * tables_.stride;
        const int32_t known = composed_.slot_of(static_cast<size_t>(id - words));
        if (known >= 0) return composed_.row(static_cast<size_t>(known));
        const size_t slot = composed_.add(id - words, side_.numerals);
        compose(slot);
        return composed_.row(slot);
    }

    void end_group() {
        if (!tables_.is_frozen) move_prototypes();
        composed_.clear();
    }

  private:
    float* prototype(size_t index) const {
        return side_.rows + (tables_.words + index) * tables_.stride;
    }

    // Reading a row that another thread has written is slow. So if a group has more weights than
    // there are prototypes, changes are summed first, and each prototype is written once.
    void move_prototypes() {
        composed_.limit_loads();
        if (composed_.entry_count() <= tables_.prototypes) {
            for (size_t slot = 0; slot < composed_.size(); ++slot)
                add_change(slot, [this](size_t index) { return prototype(index); });
            return;
        }
        composed_.changes.resize(tables_.prototypes * tables_.stride);
        for (size_t slot = 0; slot < composed_.size(); ++slot)
            add_change(slot, [this](size_t index) {
                composed_.is_changed[index] = true;
                return composed_.changes.data() + index * tables_.stride;
            });
        for (size_t index = 0; index < tables_.prototypes; ++index)
            if (composed_.is_changed[index]) add_sum(index);
    }

    void add_sum(size_t index) {
        float *to = prototype(index), *sum = composed_.changes.data() + index * tables_.stride;
        for (size_t d = 0; d < tables_.stride; d += kLanes) {
            store(to + d, load(to + d) + load(sum + d));
            store(sum + d, all(0));
        }
        composed_.is_changed[index] = false;
    }

    void compose(size_t slot) const {
        const Entry *first = composed_.begin(slot), *last = composed_.end(slot);
        float *row = composed_.row(slot), *before = composed_.before(slot);
        each_tile([&](size_t d, auto vectors) {
            Vector sums[vectors];
            NUMBERLINE_UNROLL
            for (size_t v = 0; v < vectors; ++v) sums[v] = all(0);
            for (const Entry* entry = first; entry != last; ++entry) {
                const float* from = prototype(entry->prototype) + d;
                const Vector weight = all(entry->weight);
                NUMBERLINE_UNROLL
                for (size_t v = 0; v < vectors; ++v)
                    sums[v] = sums[v] + weight * load(from + v * kLanes);
            }
            NUMBERLINE_UNROLL
            for (size_t v = 0; v < vectors; ++v) {
                store(row + d + v * kLanes, sums[v]);
                store(before + d + v * kLanes, sums[v]);
            }
        });
    }

    // Add a row's change, times its weights, to the rows that `row_of` names for prototypes.
    template <class RowOf>
    void add_change(size_t slot, RowOf row_of) const {
        const Entry *first = composed_.begin(slot), *last = composed_.end(slot);
        const float *row = composed_.row(slot), *before = composed_.before(slot);
        each_tile([&](size_t d, auto vectors) {
            Vector changes[vectors];
            NUMBERLINE_UNROLL
            for (size_t v = 0; v < vectors; ++v)
                changes[v] = load(row + d + v * kLanes) - load(before + d + v * kLanes);
            for (const Entry* entry = first; entry != last; ++entry) {
                float* to = row_of(entry->prototype) + d;
                const Vector weight = all(entry->weight);
                NUMBERLINE_UNROLL
                for (size_t v = 0; v < vectors; ++v)
                    store(to + v * kLanes, load(to + v * kLanes) + weight * changes[v]);
            }
        });
    }

    // Tiles of a row, each of which fits into registers beside a weight.
    template <class Body>
    void each_tile(Body body) const {
        for (size_t d = 0; d < tables_.stride; d += kTile * kLanes) {
            const size_t left = (tables_.stride - d) / kLanes;
            with_size<kTile>(std::min(left, kTile), [&](auto vectors) { body(d, vectors); });
        }
    }

    const Tables& tables_;
    const SideTable& side_;
    ComposedRows& composed_;
};

}  // namespace
}  // namespace NUMBERLINE_ISA
}  // namespace numberline
