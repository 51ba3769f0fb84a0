// Included once per instruction set: see kernels_body.h.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

constexpr size_t kPointsOfBlock = 64;    // whose probabilities are summed before any are asked for
constexpr float kUnlikely = 60;          // exp(-60) beside 1 is lost to rounding
constexpr float kNoScore = -HUGE_VALF;   // of points that only fill the last block

// The scores of one context become likelihoods, relative to that of the best point.
class Likelihoods {
  public:
    explicit Likelihoods(const SupportScores& support)
        : points_(support.points),
          blocks_((support.points + kPointsOfBlock - 1) / kPointsOfBlock),
          fractions_(blocks_ * kPointsOfBlock, 0.0f), likelihoods_(fractions_.size(), kNoScore),
          before_block_(blocks_ + 1, 0.0) {
        std::copy_n(support.fractions, points_, fractions_.begin());
    }

    // Take the scores of a context; return the sum of the fractions of those below a limit.
    double assign(const float* scores, float limit) {
        std::memcpy(likelihoods_.data(), scores, points_ * sizeof(float));
        std::fill(likelihoods_.begin() + static_cast<std::ptrdiff_t>(points_), likelihoods_.end(), kNoScore);
        float best[kLanes], below[kLanes] = {};
        std::fill_n(best, kLanes, kNoScore);
        for (size_t i = 0; i < likelihoods_.size(); i += kLanes)
            for (size_t lane = 0; lane < kLanes; ++lane) {
                const float score = likelihoods_[i + lane];
                best[lane] = score > best[lane] ? score : best[lane];
                below[lane] += score < limit ? fractions_[i + lane] : 0.0f;
            }
        best_ = *std::max_element(best, best + kLanes);
        exponentiate();
        double sum = 0;
        for (float one : below) sum += one;
        return sum;
    }

    double log_sum() const { return best_ + std::log(total()); }

    // The probability of the points before an index.
    double before(size_t end) const {
        const size_t block = end / kPointsOfBlock;
        double sum = before_block_[block];
        for (size_t i = block * kPointsOfBlock; i < end; ++i) sum += likelihoods_[i];
        return sum / total();
    }

    // The number of points up to which the probabilities sum up to less than a bound.
    size_t count_below(double bound) const {
        const double wanted = bound * total();
        size_t block = 0;
        while (block + 1 < blocks_ && before_block_[block + 1] < wanted) ++block;
        double sum = before_block_[block];
        size_t i = block * kPointsOfBlock;
        while (i < points_ && (sum += likelihoods_[i]) < wanted) ++i;
        return i;
    }

  private:
    double total() const { return before_block_[blocks_]; }

    void exponentiate() {
        const Vector best = all(best_);
        for (size_t block = 0; block < blocks_; ++block) {
            Vector sum = all(0);
            float* of_block = likelihoods_.data() + block * kPointsOfBlock;
            for (size_t i = 0; i < kPointsOfBlock; i += kLanes) {
                const Vector likelihood =
                    exponential(clamped(load(of_block + i) - best, kUnlikely)) *
                    load(fractions_.data() + block * kPointsOfBlock + i);
                store(of_block + i, likelihood);
                sum = sum + likelihood;
            }
            float lanes[kLanes];
            store(lanes, sum);
            double of_lanes = 0;
            for (float lane : lanes) of_lanes += lane;
            before_block_[block + 1] = before_block_[block] + of_lanes;
        }
    }

    size_t points_, blocks_;
    std::vector<float> fractions_, likelihoods_;
    std::vector<double> before_block_;
    float best_ = 0;
};

}  // namespace

void support_sums(const SupportScores& scores, const SupportQueries& queries, SupportSums& sums) {
    Likelihoods likelihoods(scores);
    const size_t ends = queries.ends_per_context, bounds = queries.bound_count;
    for (size_t context = 0; context < scores.contexts; ++context) {
        sums.below[context] =
            likelihoods.assign(scores.scores + context * scores.points, scores.limits[context]);
        sums.log_sum[context] = likelihoods.log_sum();
        for (size_t i = context * ends; i < (context + 1) * ends; ++i)
            sums.before[i] = likelihoods.before(static_cast<size_t>(queries.ends[i]));
        for (size_t i = 0; i < bounds; ++i)
            sums.counts[context * bounds + i] =
                static_cast<int64_t>(likelihoods.count_below(queries.bounds[i]));
    }
}

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
