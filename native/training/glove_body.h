// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>

#include "glove.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kPairsAhead = 2;  // whose rows are fetched before they are used
constexpr size_t kLineFloats = 16;

struct RowProducts {
    float xo, xx, oo;
};

inline float lane_sum(const Vector& x) {
    float lanes[kLanes], sum = 0;
    store(lanes, x);
    for (float lane : lanes) sum += lane;
    return sum;
}

class PairTrainer {
  public:
    PairTrainer(const GloveSide& input, const GloveSide& output, const GloveSettings& settings)
        : input_(input), output_(output), settings_(settings),
          per_number_(1.0f / static_cast<float>(settings.dim)) {}

    // Move a centre and a context towards the logarithm of their count.
    void train(size_t centre, size_t context, float target, float weight, GloveLoss& loss) const {
        float *x = input_.rows + centre * settings_.stride;
        float *o = output_.rows + context * settings_.stride;
        const RowProducts products = row_products(x, o);
        const float error =
            products.xo + input_.biases[centre] + output_.biases[context] - target;
        const float gradient = weight * error, square = gradient * gradient;
        const float rate = -settings_.learning_rate * gradient;
        const Vector move_x = all(rate / std::sqrt(input_.row_squares[centre]));
        const Vector move_o = all(rate / std::sqrt(output_.row_squares[context]));
        for (size_t d = 0; d < settings_.stride; d += kLanes) {
            const Vector before = load(x + d), other = load(o + d);
            store(x + d, before + move_x * other);
            store(o + d, other + move_o * before);
        }
        input_.row_squares[centre] += square * products.oo * per_number_;
        output_.row_squares[context] += square * products.xx * per_number_;
        move_bias(input_, centre, rate, square);
        move_bias(output_, context, rate, square);
        loss.sum += static_cast<double>(gradient) * error;
        ++loss.pairs;
    }

    void fetch(size_t id) const {
        for (size_t d = 0; d < settings_.stride; d += kLineFloats) {
            prefetch_line(input_.rows + id * settings_.stride + d);
            prefetch_line(output_.rows + id * settings_.stride + d);
        }
    }

  private:
    RowProducts row_products(const float* x, const float* o) const {
        Vector xo = all(0), xx = all(0), oo = all(0);
        for (size_t d = 0; d < settings_.stride; d += kLanes) {
            const Vector a = load(x + d), b = load(o + d);
            xo = xo + a * b;
            xx = xx + a * a;
            oo = oo + b * b;
        }
        return {lane_sum(xo), lane_sum(xx), lane_sum(oo)};
    }

    static void move_bias(const GloveSide& side, size_t id, float rate, float square) {
        side.biases[id] += rate / std::sqrt(side.bias_squares[id]);
        side.bias_squares[id] += square;
    }

    const GloveSide &input_, &output_;
    const GloveSettings& settings_;
    const float per_number_;
};

}  // namespace

GloveLoss train_pairs(const PairCells& pairs, const GloveSide& input, const GloveSide& output,
                      const GloveSettings& settings, size_t first, size_t last) {
    const PairTrainer trainer(input, output, settings);
    GloveLoss loss;
    for (size_t row = first; row < last; ++row) {
        // Python may change arrays after they were checked: no index leaves its array.
        const auto end = std::min(static_cast<size_t>(pairs.offsets[row + 1]), pairs.cell_count);
        const auto is_before = [&](size_t at) {
            return at < end && static_cast<size_t>(pairs.cells[at].column) < row;
        };
        for (auto at = static_cast<size_t>(pairs.offsets[row]); is_before(at); ++at) {
            if (is_before(at + kPairsAhead))
                trainer.fetch(static_cast<size_t>(pairs.cells[at + kPairsAhead].column));
            const MatrixCell& cell = pairs.cells[at];
            const auto column = static_cast<size_t>(cell.column);
            const float target = std::log(cell.value);
            const float weight =
                std::min(1.0f, std::pow(cell.value / settings.x_max, settings.power));
            trainer.train(row, column, target, weight, loss);
            trainer.train(column, row, target, weight, loss);
        }
    }
    return loss;
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
