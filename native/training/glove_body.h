// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "glove.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

// The vector of an id on one side while it is trained. A word's lies in the table. A numeral's is
// composed; when the visit ends, its change moves the prototypes.
class GloveRow {
  public:
    GloveRow(const Tables& tables, const SideTable& side, const GloveSide& state, float* memory)
        : tables_(tables), side_(side), state_(state), composed_(memory),
          before_(memory + tables.stride) {}

    void begin(size_t id) {
        id_ = id;
        squares_ = 0;
        if (id < tables_.words) {
            row = side_.rows + id * tables_.stride;
            scale = 1 / std::sqrt(state_.row_squares[id]);
            return;
        }
        row = composed_;
        scale = 0;
        std::fill_n(row, tables_.stride, 0.0f);
        find_entries();
        for (const PrototypeStep& entry : entries_) {
            const float* from = side_.rows + entry.prototype * tables_.stride;
            for (size_t d = 0; d < tables_.stride; ++d) row[d] += entry.weight * from[d];
        }
        find_scale();
        std::copy_n(row, tables_.stride, before_);
    }

    // Count a squared gradient, for the steps that follow.
    void add_square(float square) {
        if (id_ >= tables_.words) {
            squares_ += square;
            find_scale();
            return;
        }
        state_.row_squares[id_] += square;
        scale = 1 / std::sqrt(state_.row_squares[id_]);
    }

    void end() {
        if (id_ < tables_.words || scale == 0) return;
        for (size_t d = 0; d < tables_.stride; ++d) before_[d] = (row[d] - before_[d]) / scale;
        for (const PrototypeStep& entry : entries_) {
            float* to = side_.rows + entry.prototype * tables_.stride;
            const float step = entry.weight / std::sqrt(entry.squares +
                                                        entry.weight * entry.weight * squares_);
            for (size_t d = 0; d < tables_.stride; ++d) to[d] += step * before_[d];
            state_.row_squares[entry.prototype] += entry.weight * entry.weight * squares_;
        }
    }

    float& bias() const { return state_.biases[id_]; }
    float& bias_square() const { return state_.bias_squares[id_]; }

    float* row = nullptr;
    float scale = 0;  // of a step: 1 / √(sum of squares)

  private:
    struct PrototypeStep {
        size_t prototype;  // its row in the table
        float weight, squares;  // as the visit began
    };

    void find_scale() {
        scale = 0;
        if (tables_.is_frozen) return;
        for (const PrototypeStep& entry : entries_) {
            const float square = entry.weight * entry.weight;
            scale += square / std::sqrt(entry.squares + square * squares_);
        }
    }

    // Python may change arrays after they were checked: no index leaves its array.
    void find_entries() {
        entries_.clear();
        const size_t numeral = id_ - tables_.words;
        const auto first = static_cast<size_t>(side_.numerals.offsets[numeral]);
        const auto last = std::min(static_cast<size_t>(side_.numerals.offsets[numeral + 1]),
                                   side_.numerals.entries);
        for (size_t at = first; at < last; ++at) {
            const auto prototype = static_cast<size_t>(side_.numerals.indices[at]);
            if (prototype >= tables_.prototypes) continue;
            const size_t index = tables_.words + prototype;
            const float weight = side_.numerals.weights[at];
            entries_.push_back({index, weight, state_.row_squares[index]});
        }
    }

    const Tables& tables_;
    const SideTable& side_;
    const GloveSide& state_;
    float *composed_, *before_;
    std::vector<PrototypeStep> entries_;
    size_t id_ = 0;
    float squares_ = 0;
};

struct RowProducts {
    float xo, xx, oo;
};

inline float lane_sum(const Vector& x) {
    float lanes[kLanes], sum = 0;
    store(lanes, x);
    for (float lane : lanes) sum += lane;
    return sum;
}

inline RowProducts row_products(const float* x, const float* o, size_t stride) {
    Vector xo = all(0), xx = all(0), oo = all(0);
    for (size_t d = 0; d < stride; d += kLanes) {
        const Vector a = load(x + d), b = load(o + d);
        xo = xo + a * b;
        xx = xx + a * a;
        oo = oo + b * b;
    }
    return {lane_sum(xo), lane_sum(xx), lane_sum(oo)};
}

class GloveStep {
  public:
    GloveStep(const GloveSettings& settings, size_t stride)
        : settings_(settings), stride_(stride), per_number_(1.0f / static_cast<float>(settings.dim)) {}

    // Move a centre and a context towards the logarithm of their count.
    void train(GloveRow& centre, GloveRow& context, float target, float weight, GloveLoss& loss) {
        float *x = centre.row, *o = context.row;
        const RowProducts products = row_products(x, o, stride_);
        float& a = centre.bias();
        float& b = context.bias();
        const float error = products.xo + a + b - target;
        const float gradient = weight * error, square = gradient * gradient;
        const float rate = -settings_.learning_rate * gradient;
        const Vector move_x = all(rate * centre.scale), move_o = all(rate * context.scale);
        for (size_t d = 0; d < stride_; d += kLanes) {
            const Vector before = load(x + d), other = load(o + d);
            store(x + d, before + move_x * other);
            store(o + d, other + move_o * before);
        }
        centre.add_square(square * products.oo * per_number_);
        context.add_square(square * products.xx * per_number_);
        move_bias(a, centre.bias_square(), rate, square);
        move_bias(b, context.bias_square(), rate, square);
        loss.sum += static_cast<double>(gradient) * error;
        ++loss.pairs;
    }

  private:
    static void move_bias(float& bias, float& squares, float rate, float square) {
        bias += rate / std::sqrt(squares);
        squares += square;
    }

    const GloveSettings& settings_;
    const size_t stride_;
    const float per_number_;
};

}  // namespace

GloveLoss train_pairs(const PairCells& pairs, const Tables& tables, const GloveSide& input,
                      const GloveSide& output, const GloveSettings& settings, size_t first,
                      size_t last, GloveWorkspace& workspace) {
    workspace.memory.resize(8 * tables.stride);
    float* memory = workspace.memory.data();
    GloveRow x_row(tables, tables.input, input, memory);
    GloveRow o_row(tables, tables.output, output, memory + 2 * tables.stride);
    GloveRow x_column(tables, tables.input, input, memory + 4 * tables.stride);
    GloveRow o_column(tables, tables.output, output, memory + 6 * tables.stride);
    GloveStep step(settings, tables.stride);
    GloveLoss loss;
    for (size_t row = first; row < last; ++row) {
        auto at = static_cast<size_t>(pairs.offsets[row]);
        const auto end = std::min(static_cast<size_t>(pairs.offsets[row + 1]), pairs.cell_count);
        const auto is_below = [&](size_t cell) {
            return cell < end && static_cast<size_t>(pairs.cells[cell].column) < row;
        };
        while (is_below(at)) {
            x_row.begin(row);
            o_row.begin(row);
            for (const size_t visit = at + kCellsPerVisit; at < visit && is_below(at); ++at) {
                const MatrixCell& cell = pairs.cells[at];
                const auto column = static_cast<size_t>(cell.column);
                const float target = std::log(cell.value);
                const float weight = std::min(1.0f, std::pow(cell.value / settings.x_max,
                                                             settings.power));
                if (at + 2 < end) {
                    const auto next = static_cast<size_t>(pairs.cells[at + 2].column);
                    if (next < tables.words)
                        for (size_t d = 0; d < tables.stride; d += kRowAlignment) {
                            prefetch_line(tables.input.rows + next * tables.stride + d);
                            prefetch_line(tables.output.rows + next * tables.stride + d);
                        }
                }
                x_column.begin(column);
                o_column.begin(column);
                step.train(x_row, o_column, target, weight, loss);
                step.train(x_column, o_row, target, weight, loss);
                x_column.end();
                o_column.end();
            }
            x_row.end();
            o_row.end();
        }
    }
    return loss;
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
