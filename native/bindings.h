// Shared by all bindings: the types of arrays that Python passes, and one function per folder.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
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
using ConstIndices = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
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

// Throw if a message's condition does not hold; Python gets a ValueError.
inline void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

// Throw if an array does not begin where its items may lie: arrays over other memory may not.
template <class AnyArray>
void require_aligned(const AnyArray& array, const char* name) {
    using Item = typename AnyArray::Scalar;
    if (array.size() && reinterpret_cast<uintptr_t>(array.data()) % alignof(Item) != 0)
        throw std::invalid_argument(std::string(name) + " is not aligned to its items; pass a copy");
}

// One use of an object whose memory each use changes. A second thread gets a RuntimeError.
class Use {
  public:
    Use(std::atomic_flag& is_used, const char* object) : is_used_(is_used) {
        if (is_used.test_and_set(std::memory_order_acquire))
            throw std::runtime_error("another thread uses this " + std::string(object) +
                                     "; each thread needs one of its own");
    }
    ~Use() { is_used_.clear(std::memory_order_release); }
    Use(const Use&) = delete;

  private:
    std::atomic_flag& is_used_;
};

// Throw if rows of weights would reach beyond a table of so many prototypes.
void require_sparse_rows(const ConstArray<int64_t>& offsets, const ConstArray<int32_t>& indices,
                         const ConstArray<float>& weights, size_t rows, size_t prototypes);

void bind_text(nb::module_& module);      // text → vocabulary and ids
void bind_quantities(nb::module_& module);  // text → quantities
void bind_training(nb::module_& module);  // ids → plans → trained tables
void bind_kernels(nb::module_& module);   // mixtures and products, and their instruction sets

}  // namespace numberline
