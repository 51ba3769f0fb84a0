// Mixtures, products and instruction sets ↔ Python: arrays in, arrays out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bindings.h"
#include "kernels.h"

namespace numberline {

namespace {

nb::list instruction_set_names() {
    nb::list names;
    for (const Kernels* found : available_kernels())
        names.append(nb::cast(std::string(found->instruction_set)));
    return names;
}

void use_instruction_set(std::string_view name) {
    if (!use_kernels(name)) throw std::invalid_argument("no such instruction set on this machine");
}

// rows += weights @ basis, or with `transposed` weights.T @ basis.
void dense_product(ConstTable weights, ConstTable basis, MutableTable rows, bool transposed) {
    const size_t height = weights.shape(0), width = weights.shape(1);
    StridedMatrix matrix = transposed ? StridedMatrix{width, height, weights.data(), 1, width}
                                      : StridedMatrix{height, width, weights.data(), width, 1};
    if (basis.shape(0) != matrix.columns || rows.shape(0) != matrix.rows ||
        basis.shape(1) != rows.shape(1))
        throw std::invalid_argument("the shapes of a product do not fit");
    nb::gil_scoped_release release;
    kernels().matrix_product(matrix, basis.shape(1), basis.data(), rows.data());
}

MixtureView mixture_view(const ConstArray<double>& constants, const ConstArray<double>& means,
                         const ConstArray<double>& precisions) {
    if (constants.size() != means.size() || precisions.size() != means.size() || means.size() == 0)
        throw std::invalid_argument("a mixture's arrays must have one length, above zero");
    return {means.size(), constants.data(), means.data(), precisions.data()};
}

nb::tuple expectation(ConstArray<double> values, ConstArray<double> weights,
                      ConstArray<double> constants, ConstArray<double> means,
                      ConstArray<double> precisions, bool hard) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    if (values.size() != weights.size()) throw std::invalid_argument("one weight per value");
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
                    double smallest_share) {
    MixtureView mixture = mixture_view(constants, means, precisions);
    SparseRows rows;
    {
        nb::gil_scoped_release release;
        rows = kernels().mixture_posterior(mixture, values.data(), values.size(), smallest_share);
    }
    return nb::make_tuple(to_array(std::move(rows.offsets)), to_array(std::move(rows.columns)),
                          to_array(std::move(rows.shares)));
}

// Checks what could make the kernels reach beyond an array, once per call.
SparseView sparse_view(const ConstArray<int64_t>& offsets, const ConstArray<int32_t>& columns,
                       const ConstArray<float>& shares, size_t rows, size_t basis_size) {
    if (offsets.size() != rows + 1 || offsets.data()[0] != 0 || columns.size() != shares.size() ||
        offsets.data()[rows] != static_cast<int64_t>(columns.size()))
        throw std::invalid_argument("the parts of sparse weights do not fit");
    for (size_t row = 0; row < rows; ++row)
        if (offsets.data()[row] > offsets.data()[row + 1])
            throw std::invalid_argument("offsets must not fall");
    for (size_t at = 0; at < columns.size(); ++at)
        if (columns.data()[at] < 0 || static_cast<size_t>(columns.data()[at]) >= basis_size)
            throw std::invalid_argument("a column beyond the basis");
    return {rows, offsets.data(), columns.data(), shares.data()};
}

void product(ConstArray<int64_t> offsets, ConstArray<int32_t> columns, ConstArray<float> shares,
             ConstTable basis, MutableTable rows) {
    SparseView view = sparse_view(offsets, columns, shares, rows.shape(0), basis.shape(0));
    if (basis.shape(1) != rows.shape(1)) throw std::invalid_argument("dimensions differ");
    nb::gil_scoped_release release;
    kernels().sparse_product(view, basis.shape(1), basis.data(), rows.data());
}

void adjoint(ConstArray<int64_t> offsets, ConstArray<int32_t> columns, ConstArray<float> shares,
             ConstTable changes, MutableTable total) {
    SparseView view = sparse_view(offsets, columns, shares, changes.shape(0), total.shape(0));
    if (changes.shape(1) != total.shape(1)) throw std::invalid_argument("dimensions differ");
    nb::gil_scoped_release release;
    kernels().sparse_adjoint(view, changes.shape(1), changes.data(), total.data());
}

// The chosen rows of sparse weights.
nb::tuple chosen_rows(ConstArray<int64_t> offsets, ConstArray<int32_t> columns,
                      ConstArray<float> shares, ConstArray<int32_t> rows) {
    const auto size = static_cast<int64_t>(columns.size());
    if (offsets.size() == 0 || columns.size() != shares.size())
        throw std::invalid_argument("the parts of sparse weights do not fit");
    std::vector<int64_t> chosen_offsets{0};
    std::vector<int32_t> chosen_columns;
    std::vector<float> chosen_shares;
    for (size_t at = 0; at < rows.size(); ++at) {
        const auto row = static_cast<size_t>(rows.data()[at]);
        if (rows.data()[at] < 0 || row + 1 >= offsets.size())
            throw std::invalid_argument("a row beyond the weights");
        const int64_t first = offsets.data()[row], last = offsets.data()[row + 1];
        if (first < 0 || first > last || last > size)
            throw std::invalid_argument("the parts of sparse weights do not fit");
        chosen_columns.insert(chosen_columns.end(), columns.data() + first, columns.data() + last);
        chosen_shares.insert(chosen_shares.end(), shares.data() + first, shares.data() + last);
        chosen_offsets.push_back(static_cast<int64_t>(chosen_columns.size()));
    }
    return nb::make_tuple(to_array(std::move(chosen_offsets)), to_array(std::move(chosen_columns)),
                          to_array(std::move(chosen_shares)));
}

}  // namespace

void bind_kernels(nb::module_& module) {
    module.def("instruction_sets", &instruction_set_names);
    module.def("use_instruction_set", &use_instruction_set, nb::arg("name"));
    module.def("instruction_set",
               [] { return std::string(kernels().instruction_set); });
    module.def("dense_product", &dense_product, nb::kw_only(), nb::arg("weights"),
               nb::arg("basis"), nb::arg("rows").noconvert(), nb::arg("transposed"));

    module.def("mixture_expectation", &expectation, nb::kw_only(), nb::arg("values"),
               nb::arg("weights"), nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("hard"));
    module.def("mixture_posterior", &posterior, nb::kw_only(), nb::arg("values"),
               nb::arg("constants"), nb::arg("means"), nb::arg("precisions"),
               nb::arg("smallest_share"));
    module.def("sparse_rows", &chosen_rows, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("rows"));
    module.def("sparse_product", &product, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("basis"), nb::arg("rows").noconvert());
    module.def("sparse_adjoint", &adjoint, nb::kw_only(), nb::arg("offsets"), nb::arg("columns"),
               nb::arg("shares"), nb::arg("changes"), nb::arg("total").noconvert());
}

}  // namespace numberline
