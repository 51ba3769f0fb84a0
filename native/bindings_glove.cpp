// GloVe ↔ Python: counts of pairs, vectors, biases and the sums of AdaGrad in; losses out.
#include <cmath>
#include <utility>

#include "bindings_training.h"
#include "training/kernels.h"

namespace numberline {

namespace {

// Parameters of a side; they are not copied.
struct GloveSideArrays {
    MutableTable rows;
    MutableArray<float> row_squares, biases, bias_squares;

    GloveSide view() const {
        return {rows.data(), row_squares.data(), biases.data(), bias_squares.data()};
    }
};

void make_side(GloveSideArrays* self, MutableTable rows, MutableArray<float> row_squares,
               MutableArray<float> biases, MutableArray<float> bias_squares) {
    const size_t ids = rows.shape(0);
    require(rows.shape(1) > 0 && rows.shape(1) <= kLargestStride &&
                rows.shape(1) % kRowAlignment == 0,
            "rows are not padded: their length must be a multiple of 16, up to 16384");
    require_aligned(rows, "rows");
    for (const auto* array : {&row_squares, &biases, &bias_squares}) {
        require(array->size() == ids, "a side needs a bias and two sums of squares for each row");
        require_aligned(*array, "biases and sums of squares");
    }
    new (self) GloveSideArrays{std::move(rows), std::move(row_squares), std::move(biases),
                               std::move(bias_squares)};
}

struct GloveTrainer {
    ConstArray<int64_t> offsets;
    ConstArray<int32_t> cells;
    GloveSideArrays input, output;
    GloveSettings settings;

    size_t ids() const { return offsets.size() - 1; }
};

void make_trainer(GloveTrainer* self, ConstArray<int64_t> offsets, ConstArray<int32_t> cells,
                  const GloveSideArrays& input, const GloveSideArrays& output, size_t dim,
                  float learning_rate, float x_max, float power) {
    require_aligned(offsets, "offsets");
    require_aligned(cells, "cells");
    const size_t ids = input.rows.shape(0), stride = input.rows.shape(1);
    require(offsets.size() == ids + 1, "there must be a row of counts for each vector");
    require(output.rows.shape(0) == ids && output.rows.shape(1) == stride,
            "tables of different shape");
    require(dim > 0 && dim <= stride, "dim must be 1 to the length of a row");
    require(std::isfinite(learning_rate) && x_max > 0 && std::isfinite(power),
            "learning_rate and power must be finite, x_max above zero");
    new (self) GloveTrainer{std::move(offsets), std::move(cells), input, output,
                            {dim, stride, learning_rate, x_max, power}};
}

nb::tuple train(const GloveTrainer& self, size_t first_row, size_t last_row) {
    require(first_row <= last_row && last_row <= self.ids(), "rows beyond the pairs");
    GloveLoss loss;
    {
        nb::gil_scoped_release release;
        const PairCells pairs{self.ids(), self.offsets.data(), self.cells.size() / 2,
                              reinterpret_cast<const MatrixCell*>(self.cells.data())};
        loss = kernels().train_pairs(pairs, self.input.view(), self.output.view(), self.settings,
                                     first_row, last_row);
    }
    return nb::make_tuple(loss.sum, loss.pairs);
}

}  // namespace

void bind_glove(nb::module_& module) {
    nb::class_<GloveSideArrays>(module, "GloveSide")
        .def("__init__", &make_side, nb::kw_only(), nb::arg("rows").noconvert(),
             nb::arg("row_squares").noconvert(), nb::arg("biases").noconvert(),
             nb::arg("bias_squares").noconvert());
    nb::class_<GloveTrainer>(module, "GloveTrainer")
        .def("__init__", &make_trainer, nb::kw_only(), nb::arg("offsets"), nb::arg("cells"),
             nb::arg("input"), nb::arg("output"), nb::arg("dim"), nb::arg("learning_rate"),
             nb::arg("x_max"), nb::arg("power"))
        .def("train", &train, nb::kw_only(), nb::arg("first_row"), nb::arg("last_row"));
}

}  // namespace numberline
