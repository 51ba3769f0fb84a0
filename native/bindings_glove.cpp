// GloVe ↔ Python: counts of pairs, tables and the sums of AdaGrad in; losses out.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "bindings_training.h"
#include "training/kernels.h"

namespace numberline {

namespace {

// Parameters of a side beside its vectors; they are not copied.
struct GloveSideArrays {
    MutableArray<float> row_squares, biases, bias_squares;

    GloveSide view() const { return {row_squares.data(), biases.data(), bias_squares.data()}; }
    void require_fit(size_t rows, size_t ids) const {
        require(row_squares.size() == rows && biases.size() == ids && bias_squares.size() == ids,
                "a side of GloVe needs a sum of squares for each row, and a bias and another sum "
                "for each id");
        for (const auto* array : {&row_squares, &biases, &bias_squares})
            require_aligned(*array, "the arrays of a side");
    }
};

// The trainer of one thread, with memory of its own.
struct GloveTrainer {
    ConstArray<int64_t> offsets;
    ConstArray<int32_t> cells;
    Tables tables;
    GloveSideArrays input, output;
    GloveSettings settings;
    GloveWorkspace workspace;
    std::atomic_flag is_used = ATOMIC_FLAG_INIT;

    size_t ids() const { return offsets.size() - 1; }
    PairCells pairs() const {
        return {ids(), offsets.data(), cells.size() / 2,
                reinterpret_cast<const MatrixCell*>(cells.data())};
    }
};

void make_trainer(GloveTrainer* self, ConstArray<int64_t> offsets, ConstArray<int32_t> cells,
                  const SideArrays& input, const SideArrays& output,
                  const GloveSideArrays& input_state, const GloveSideArrays& output_state,
                  size_t words, bool is_frozen, size_t dim, float learning_rate, float x_max,
                  float power) {
    require_aligned(offsets, "offsets");
    require_aligned(cells, "cells");
    require(offsets.size() > 0 && offsets.data()[0] == 0 &&
                offsets.data()[offsets.size() - 1] * 2 == static_cast<int64_t>(cells.size()),
            "the parts of a matrix of pairs do not fit");
    const size_t ids = offsets.size() - 1, rows = input.rows.shape(0);
    for (size_t row = 0; row < ids; ++row)
        require(offsets.data()[row] <= offsets.data()[row + 1], "offsets must not fall");
    require(words <= ids, "there are fewer ids than words");
    require(output.rows.shape(0) == rows && output.rows.shape(1) == input.rows.shape(1),
            "tables of different shape");
    require(dim > 0 && dim <= input.rows.shape(1), "dim must be 1 to the length of a row");
    require(std::isfinite(learning_rate) && x_max > 0 && std::isfinite(power),
            "learning_rate and power must be finite, x_max above zero");
    for (const SideArrays* side : {&input, &output}) side->require_fit(words, ids - words);
    for (const GloveSideArrays* side : {&input_state, &output_state}) side->require_fit(rows, ids);
    const Tables tables{words,        rows - words, input.rows.shape(1), is_frozen,
                        input.view(), output.view()};
    new (self) GloveTrainer{std::move(offsets), std::move(cells), tables, input_state, output_state,
                            {dim, learning_rate, x_max, power}, {}};
}

nb::tuple train(GloveTrainer& self, size_t first_row, size_t last_row) {
    require(first_row <= last_row && last_row <= self.ids(), "rows beyond the pairs");
    const Use use(self.is_used, "trainer");
    GloveLoss loss;
    {
        nb::gil_scoped_release release;
        loss = kernels().train_pairs(self.pairs(), self.tables, self.input.view(),
                                     self.output.view(), self.settings, first_row, last_row,
                                     self.workspace);
    }
    return nb::make_tuple(loss.sum, loss.pairs);
}

}  // namespace

void bind_glove(nb::module_& module) {
    nb::class_<GloveSideArrays>(module, "GloveSide")
        .def("__init__",
             [](GloveSideArrays* self, MutableArray<float> row_squares, MutableArray<float> biases,
                MutableArray<float> bias_squares) {
                 new (self) GloveSideArrays{std::move(row_squares), std::move(biases),
                                            std::move(bias_squares)};
             },
             nb::kw_only(), nb::arg("row_squares").noconvert(), nb::arg("biases").noconvert(),
             nb::arg("bias_squares").noconvert());
    nb::class_<GloveTrainer>(module, "GloveTrainer")
        .def("__init__", &make_trainer, nb::kw_only(), nb::arg("offsets"), nb::arg("cells"),
             nb::arg("input"), nb::arg("output"), nb::arg("input_state"), nb::arg("output_state"),
             nb::arg("words"), nb::arg("is_frozen"), nb::arg("dim"), nb::arg("learning_rate"),
             nb::arg("x_max"), nb::arg("power"), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
        .def("train", &train, nb::kw_only(), nb::arg("first_row"), nb::arg("last_row"));
}

}  // namespace numberline
