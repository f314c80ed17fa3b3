// The way between the caller's host arrays and the network's memory. Where both are the same memory, arrays
// are borrowed and nothing is copied.
#pragma once

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "model/matrix.hpp"
#include "model/memory.hpp"

namespace persia::model {

inline constexpr bool host_sees_network_memory =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible &&
    Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;

// An input as the network reads it: the array itself, or a copy in `buffer`.
[[nodiscard]] inline MatrixView<const float> stage_input(std::span<const float> host, std::int64_t rows,
                                                         std::int64_t columns, Buffer<float>& buffer) {
  expects(static_cast<std::int64_t>(host.size()) == rows * columns, "input arrays have the network's shape");
  if constexpr (host_sees_network_memory) {
    return dense_matrix(host.data(), rows, columns);
  } else {
    const MatrixView<float> copy = buffer.matrix(rows, columns);
    copy_from_host(host, {copy.data, host.size()});
    return copy;
  }
}

// Where the network writes an output: the array itself, or `buffer`, which fetch_output copies afterwards.
[[nodiscard]] inline MatrixView<float> stage_output(std::span<float> host, std::int64_t rows,
                                                    std::int64_t columns, Buffer<float>& buffer) {
  expects(static_cast<std::int64_t>(host.size()) == rows * columns, "output arrays have the network's shape");
  if constexpr (host_sees_network_memory) {
    return dense_matrix(host.data(), rows, columns);
  } else {
    return buffer.matrix(rows, columns);
  }
}

inline void fetch_output(MatrixView<float> output, std::span<float> host) {
  if constexpr (!host_sees_network_memory) copy_to_host({output.data, host.size()}, host);
}

}  // namespace persia::model
