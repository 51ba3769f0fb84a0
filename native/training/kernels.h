// The kernels that are compiled for several instruction sets, and the choice among them.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "mixture.h"
#include "products.h"
#include "support_sums.h"
#include "windows.h"

namespace numberline {

struct Kernels {
    std::string_view instruction_set;
    decltype(&numberline::train_windows) train_windows;
    decltype(&numberline::sparse_product) sparse_product;
    decltype(&numberline::mixture_expectation) mixture_expectation;
    decltype(&numberline::mixture_posterior) mixture_posterior;
    decltype(&numberline::support_sums) support_sums;
};

// Kernels that were compiled and that this machine can run, the fastest last.
const std::vector<const Kernels*>& available_kernels();

// The fastest kernels, unless use_kernels has chosen others.
const Kernels& kernels();
bool use_kernels(std::string_view instruction_set);

}  // namespace numberline
