// Shared by all bindings: the types of arrays that Python passes, and one function per folder.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

namespace numberline {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using ConstArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using ConstTable = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using MutableTable = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Return a NumPy array that takes over the memory of a vector.
template <class T>
Array<T> to_array(std::vector<T>&& values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    size_t size = owned->size();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array<T>(data, {size}, owner);
}

// Throw if rows of weights would reach beyond a table of so many prototypes.
void require_sparse_rows(const ConstArray<int64_t>& offsets, const ConstArray<int32_t>& indices,
                         const ConstArray<float>& weights, size_t rows, size_t prototypes);

void bind_text(nb::module_& module);      // text → vocabulary and ids
void bind_training(nb::module_& module);  // ids → plans → trained tables
void bind_kernels(nb::module_& module);   // mixtures and products, and their instruction sets

}  // namespace numberline
