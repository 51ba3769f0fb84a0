// Values and a one-dimensional Gaussian mixture → the sums that a step of EM needs, or posteriors.
//
// The twins of `expectation` in src/numberline/numerals/gmm_fit.py and of `sparse_posterior` in
// src/numberline/numerals/mixture.py.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace numberline {

struct MixtureView {
    size_t components;
    const double* constants;   // in [components] log prior - log deviation - log(2 pi) / 2
    const double* means;       // in [components]
    const double* precisions;  // in [components] 1 / deviation
};

struct MixtureSums {
    double* mass;    // inout [components] total weight of its values
    double* moment;  // inout [components] first moment about its mean
    double* square;  // inout [components] second moment about its mean
    double log_likelihood = 0;  // of all values, each with its weight
};

void mixture_expectation(const MixtureView& mixture, const double* values, const double* weights,
                         size_t count, bool hard, MixtureSums& sums);

// Posterior weights of the components for values, one sparse row each.
struct PosteriorRows {
    std::vector<int64_t> offsets{0};  // row r is offsets[r] to offsets[r + 1] of the other two
    std::vector<int32_t> indices;
    std::vector<float> weights;
};

// Posteriors below `smallest_ratio` times the largest are left out; the others sum to 1.
PosteriorRows mixture_posterior(const MixtureView& mixture, const double* values, size_t count,
                                double smallest_ratio);

}  // namespace numberline
