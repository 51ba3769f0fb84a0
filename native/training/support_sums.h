// Scores of the points of a support in contexts → sums of their probabilities.
//
// The twin of `defined_sums` in src/numberline/gap_model/sums.py.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

struct SupportScores {
    size_t contexts, points;
    const float* scores;     // in [contexts, points]
    const float* fractions;  // in [points] of all occurrences, above zero
    const float* limits;     // in [contexts]
};

struct SupportQueries {
    size_t ends_per_context, bound_count;
    const int64_t* ends;   // in [contexts, ends_per_context] indices of points, 0 to `points`
    const double* bounds;  // in [bound_count] probabilities
};

struct SupportSums {
    double* log_sum;  // out [contexts] log of the sum of fraction * exp(score)
    double* below;    // out [contexts] sum of the fractions of points whose score is below the limit
    double* before;   // out [contexts, ends_per_context] probability of the points before each end
    int64_t* counts;  // out [contexts, bound_count] points up to which the sum is below each bound
};

void support_sums(const SupportScores& scores, const SupportQueries& queries, SupportSums& sums);

}  // namespace numberline
