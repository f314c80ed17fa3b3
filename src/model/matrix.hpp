// Row-major matrices in the memory in which the network runs, and the buffers that own them.
//
// MatrixView borrows; rows may lie further apart than they are long (`stride`), so that a layer can write
// into columns of a wider matrix. Buffer owns, grows and never shrinks: after the largest batch a step
// allocates nothing. Thread safety: as the network (the compute thread alone).
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

namespace persia::model {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

// Shape: (rows, columns); element (i, j) at data[i * stride + j].
template <class Real>
struct MatrixView {
  Real* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;

  KOKKOS_FUNCTION Real& operator()(std::int64_t i, std::int64_t j) const { return data[i * stride + j]; }

  // To a view of constants, as pointers do. A template, because nvcc warns of conversions to the own type.
  template <std::same_as<const Real> Other>
  operator MatrixView<Other>() const {  // NOLINT(google-explicit-constructor)
    return {data, rows, columns, stride};
  }
};

template <class Real>
[[nodiscard]] MatrixView<Real> dense_matrix(Real* data, std::int64_t rows, std::int64_t columns) {
  return {data, rows, columns, columns};
}

template <class Real>
class Buffer {
 public:
  explicit Buffer(std::string label) : label_(std::move(label)) {}

  // Contents are undefined after growth. Cost: none unless it grows.
  [[nodiscard]] MatrixView<Real> matrix(std::int64_t rows, std::int64_t columns) {
    const auto size = static_cast<std::size_t>(rows * columns);
    if (size > values_.size())
      values_ = Kokkos::View<Real*, Memory>(Kokkos::view_alloc(label_, Kokkos::WithoutInitializing), size);
    return dense_matrix(values_.data(), rows, columns);
  }

 private:
  std::string label_;
  Kokkos::View<Real*, Memory> values_;
};

}  // namespace persia::model
