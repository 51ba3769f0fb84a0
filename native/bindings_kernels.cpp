// Mixtures, products of sparse rows, sums over a support and instruction sets ↔ Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bindings.h"
#include "training/kernels.h"

namespace numberline {

namespace {

nb::list instruction_set_names() {
    nb::list names;
    for (const Kernels* kernels : available_kernels())
        names.append(nb::cast(std::string(kernels->instruction_set)));
    return names;
}

void use_instruction_set(std::string_view name) {
    if (!use_kernels(name)) throw std::invalid_argument("no such instruction set on this machine");
}

void require_finite(const ConstArray<double>& array, const char* name) {
    require_aligned(array, name);
    if (!std::all_of(array.data(), array.data() + array.size(), [](double x) { return std::isfinite(x); }))
        throw std::invalid_argument(std::string(name) + " must be finite numbers");
}

// A constant may be -infinity: a component whose prior is 0.
MixtureView mixture_view(const ConstArray<double>& constants, const ConstArray<double>& means,
                         const ConstArray<double>& precisions) {
    if (constants.size() != means.size() || precisions.size() != means.size() || means.size() == 0)
        throw std::invalid_argument("a mixture's arrays must have one length, above zero");
    require(means.size() <= INT32_MAX, "a mixture has more components than 32 bits count");
    require_finite(means, "means");
    require_finite(precisions, "precisions");
    require_aligned(constants, "constants");
    require(std::all_of(constants.data(), constants.data() + constants.size(),
                        [](double x) { return x < HUGE_VAL; }),
            "constants must be numbers below infinity");
    return {means.size(), constants.data(), means.data(), precisions.data()};
}

nb::tuple expectation(ConstArray<double> values, ConstArray<double> weights,
                      ConstArray<double> constants, ConstArray<double> means,
                      ConstArray<double> precisions, bool hard) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    require(values.size() == weights.size(), "there must be one weight per value");
    require_finite(values, "values");
    require_finite(weights, "weights");
    std::vector<double> mass(means.size()), moment(means.size()), square(means.size());
    MixtureSums sums{mass.data(), moment.data(), square.data()};
    {
        nb::gil_scoped_release release;
        kernels().mixture_expectation(mixture, values.data(), weights.data(), values.size(), hard, sums);
    }
    return nb::make_tuple(to_array(std::move(mass)), to_array(std::move(moment)),
                          to_array(std::move(square)), sums.log_likelihood);
}

nb::tuple posterior(ConstArray<double> values, ConstArray<double> constants,
                    ConstArray<double> means, ConstArray<double> precisions,
                    double smallest_ratio) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    require_finite(values, "values");
    require(smallest_ratio > 0 && smallest_ratio <= 1, "smallest_ratio must be in (0, 1]");
    PosteriorRows rows;
    {
        nb::gil_scoped_release release;
        rows = kernels().mixture_posterior(mixture, values.data(), values.size(), smallest_ratio);
    }
    return nb::make_tuple(to_array(std::move(rows.offsets)), to_array(std::move(rows.indices)),
                          to_array(std::move(rows.weights)));
}

// Check once per call all that could make the kernel reach beyond an array.
void product(ConstArray<int64_t> offsets, ConstArray<int32_t> indices, ConstArray<float> weights,
             ConstTable table, MutableTable vectors) {
    require_sparse_rows(offsets, indices, weights, vectors.shape(0), table.shape(0));
    require(table.shape(1) == vectors.shape(1), "dimensions differ: rows of table and of vectors "
                                                "must have one length");
    require_aligned(table, "table");
    require_aligned(vectors, "vectors");
    const SparseView rows{vectors.shape(0), offsets.data(), indices.data(), weights.data()};
    nb::gil_scoped_release release;
    kernels().sparse_product(rows, table.shape(1), table.data(), vectors.data());
}

nb::tuple sums_of_support(ConstTable scores, ConstArray<float> fractions, ConstArray<float> limits,
                          ConstIndices ends, ConstArray<double> bounds) {
    const size_t contexts = scores.shape(0), points = scores.shape(1);
    require(fractions.size() == points, "there must be one fraction per point");
    require(limits.size() == contexts && ends.shape(0) == contexts,
            "there must be one limit and one row of ends per context");
    require_aligned(scores, "scores");
    require_aligned(fractions, "fractions");
    require_aligned(limits, "limits");
    require_aligned(ends, "ends");
    require_aligned(bounds, "bounds");
    require(std::all_of(ends.data(), ends.data() + ends.size(),
                        [points](int64_t end) {
                            return end >= 0 && static_cast<uint64_t>(end) <= points;
                        }),
            "ends must be from 0 to the number of points");
    std::vector<double> log_sum(contexts), below(contexts), before(ends.size());
    std::vector<int64_t> counts(contexts * bounds.size());
    SupportSums sums{log_sum.data(), below.data(), before.data(), counts.data()};
    {
        nb::gil_scoped_release release;
        kernels().support_sums(
            {contexts, points, scores.data(), fractions.data(), limits.data()},
            {ends.shape(1), bounds.size(), ends.data(), bounds.data()}, sums);
    }
    return nb::make_tuple(to_array(std::move(log_sum)), to_array(std::move(below)),
                          to_array(std::move(before)), to_array(std::move(counts)));
}

}  // namespace

void bind_kernels(nb::module_& module) {
    module.def("instruction_sets", &instruction_set_names);
    module.def("use_instruction_set", &use_instruction_set, nb::arg("name"));
    module.def("instruction_set",
               [] { return std::string(kernels().instruction_set); });
    module.def("mixture_expectation", &expectation, nb::kw_only(), nb::arg("values"),
               nb::arg("weights"), nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("hard"));
    module.def("mixture_posterior", &posterior, nb::kw_only(), nb::arg("values"),
               nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("smallest_ratio"));
    module.def("sparse_product", &product, nb::kw_only(), nb::arg("offsets"), nb::arg("indices"),
               nb::arg("weights"), nb::arg("table"), nb::arg("vectors").noconvert());
    module.def("support_sums", &sums_of_support, nb::kw_only(), nb::arg("scores"),
               nb::arg("fractions"), nb::arg("limits"), nb::arg("ends"), nb::arg("bounds"));
}

}  // namespace numberline
