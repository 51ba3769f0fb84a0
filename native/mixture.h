// Values under a one-dimensional Gaussian mixture → the sums that a step of EM needs.
//
// The twin of `expectation` in src/numberline/encoders/gmm_fit.py.
#pragma once
#include <cstddef>

namespace numberline {

struct MixtureView {
    size_t components;
    const double* constants;   // in [components] log share - log deviation - log(2 pi) / 2
    const double* means;       // in [components]
    const double* precisions;  // in [components] 1 / deviation
};

struct MixtureSums {
    double* mass;    // inout [components] weight that fell to each component
    double* moment;  // inout [components] first moment about its mean
    double* square;  // inout [components] second moment about its mean
    double log_likelihood = 0;  // of all values, each with its weight
};

void mixture_expectation(const MixtureView& mixture, const double* values, const double* weights,
                         size_t count, bool hard, MixtureSums& sums);

}  // namespace numberline
