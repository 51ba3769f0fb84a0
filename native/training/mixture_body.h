// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

// exp(x) for x <= 0, to about one unit in the last place, without branches or calls, so that
// compilers vectorise the loops around it: x = n log 2 + r, exp(r) by its Taylor series.
inline double exp_of_negative(double x) {
    constexpr double kLog2 = 0.693147180559945286, kLog2Rest = 2.31904681384629956e-17;
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves an integer
    x = x < -708.0 ? -708.0 : x;
    double rounded = x * 1.44269504088896339 + kRound;
    double n = rounded - kRound;
    double r = (x - n * kLog2) - n * kLog2Rest;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t bits;  // the integer n stands in the low bits of `rounded`
    std::memcpy(&bits, &rounded, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return p * power;
}

constexpr size_t kMixtureTile = 8;  // components: loops of this length become vector instructions

// A mixture padded to whole tiles of components; the added ones have no density anywhere.
struct PaddedMixture {
    explicit PaddedMixture(const MixtureView& mixture)
        : components((mixture.components + kMixtureTile - 1) / kMixtureTile * kMixtureTile),
          constants(components, -HUGE_VAL), means(components, 0.0), precisions(components, 0.0) {
        std::copy_n(mixture.constants, mixture.components, constants.begin());
        std::copy_n(mixture.means, mixture.components, means.begin());
        std::copy_n(mixture.precisions, mixture.components, precisions.begin());
    }
    size_t components;
    std::vector<double> constants, means, precisions;
};

// Write the log joint density of each component; return the largest.
double log_joint(const PaddedMixture& mixture, double value, double* joint) {
    double largest[kMixtureTile];
    std::fill_n(largest, kMixtureTile, -HUGE_VAL);
    const double *constants = mixture.constants.data(), *means = mixture.means.data(),
                 *precisions = mixture.precisions.data();
    for (size_t k = 0; k < mixture.components; k += kMixtureTile)
        for (size_t i = 0; i < kMixtureTile; ++i) {
            double scaled = (value - means[k + i]) * precisions[k + i];
            double density = constants[k + i] - 0.5 * scaled * scaled;
            joint[k + i] = density;
            largest[i] = density > largest[i] ? density : largest[i];
        }
    return *std::max_element(largest, largest + kMixtureTile);
}

// Replace each joint by exp(joint - largest); return their sum.
double exponentials(double* joint, size_t components, double largest) {
    for (size_t k = 0; k < components; ++k) joint[k] = exp_of_negative(joint[k] - largest);
    double sum = 0;
    for (size_t k = 0; k < components; ++k) sum += joint[k];
    return sum;
}

void add(const PaddedMixture& mixture, double value, size_t k, double weight, MixtureSums& sums) {
    double offset = value - mixture.means[k];
    sums.mass[k] += weight;
    sums.moment[k] += weight * offset;
    sums.square[k] += weight * offset * offset;
}

}  // namespace

void mixture_expectation(const MixtureView& view, const double* values, const double* weights,
                         size_t count, bool hard, MixtureSums& sums) {
    const PaddedMixture mixture(view);
    std::vector<double> joint(mixture.components);
    for (size_t i = 0; i < count; ++i) {
        double largest = log_joint(mixture, values[i], joint.data());
        size_t likeliest = static_cast<size_t>(
            std::find(joint.begin(), joint.end(), largest) - joint.begin());
        double sum = exponentials(joint.data(), mixture.components, largest);
        sums.log_likelihood += weights[i] * (largest + std::log(sum));
        if (hard) {
            add(mixture, values[i], likeliest, weights[i], sums);
            continue;
        }
        double scale = weights[i] / sum;
        for (size_t k = 0; k < view.components; ++k)
            add(mixture, values[i], k, scale * joint[k], sums);
    }
}

PosteriorRows mixture_posterior(const MixtureView& view, const double* values, size_t count,
                                double smallest_ratio) {
    const PaddedMixture mixture(view);
    PosteriorRows rows;
    rows.offsets.reserve(count + 1);
    rows.indices.reserve(8 * count);
    rows.weights.reserve(8 * count);
    const double smallest_log = std::log(smallest_ratio);
    std::vector<double> joint(mixture.components);
    for (size_t i = 0; i < count; ++i) {
        double largest = log_joint(mixture, values[i], joint.data());
        double smallest = largest + smallest_log, sum = 0;
        size_t first = rows.weights.size();
        for (size_t k = 0; k < mixture.components; k += kMixtureTile) {
            int kept = 0;  // most tiles keep none and are skipped
            for (size_t j = 0; j < kMixtureTile; ++j) kept += joint[k + j] >= smallest ? 1 : 0;
            const size_t present = std::min(kMixtureTile, view.components - k);
            for (size_t j = 0; kept > 0 && j < present; ++j) {
                if (joint[k + j] < smallest) continue;
                double weight = exp_of_negative(joint[k + j] - largest);
                sum += weight;
                rows.indices.push_back(static_cast<int32_t>(k + j));
                rows.weights.push_back(static_cast<float>(weight));
            }
        }
        for (size_t at = first; at < rows.weights.size(); ++at)
            rows.weights[at] = static_cast<float>(rows.weights[at] / sum);
        rows.offsets.push_back(static_cast<int64_t>(rows.weights.size()));
    }
    return rows;
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
