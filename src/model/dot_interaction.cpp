// Both kernels work on one sample per team, its vectors staged in team scratch. Work is cut into rows of
// `lanes` results that are summed side by side, so that a compiler turns a row into vector registers (on CPU)
// and no sum crosses threads (on GPU): results do not depend on the number of threads.
#include "model/dot_interaction.hpp"

#include <fmt/format.h>

namespace persia::model {
namespace {

using Policy = Kokkos::TeamPolicy<Space>;
using Team = Policy::member_type;
template <class Real>
using Scratch = Kokkos::View<Real*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

constexpr int lanes = 16;

KOKKOS_INLINE_FUNCTION int pad(int count) {
  return (count + lanes - 1) / lanes * lanes;
}

template <class Real>
struct Vectors {
  MatrixView<Real> first;
  MatrixView<Real> others;
  int num_firsts;
  int dim;
  // Vector `v` of sample `n`.
  KOKKOS_FUNCTION Real* begin(std::int64_t n, int v) const {
    return v < num_firsts ? &first(n, 0) : &others(n, std::int64_t{v - num_firsts} * dim);
  }
};

KOKKOS_INLINE_FUNCTION std::int64_t pair_index(int row, int column) {
  return std::int64_t{row} * (row - 1) / 2 + column;
}

// The sample's vectors, transposed: (dim, padded number of vectors), zeros in the padding.
template <class Real>
struct Forward {
  Vectors<const Real> vectors;
  MatrixView<Real> out;
  int num_vectors;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int dim = vectors.dim;
    const int padded = pad(num_vectors);
    const std::int64_t n = team.league_rank();
    const Scratch<Real> tile(team.team_scratch(0), static_cast<std::size_t>(dim) * padded);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, padded), [&](int v) {
      const Real* from = v < num_vectors ? vectors.begin(n, v) : nullptr;
      for (int d = 0; d < dim; ++d) tile(d * padded + v) = from != nullptr ? from[d] : Real{0};
    });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, vectors.num_firsts * dim),
                         [&](int d) { out(n, d) = vectors.first(n, d); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_vectors), [&](int row) {
      for (int begin = 0; begin < row; begin += lanes) products(&tile(0), padded, n, row, begin);
    });
  }

  // Z(row, begin) .. Z(row, begin + lanes - 1), as far as they are below the diagonal.
  KOKKOS_FUNCTION void products(const Real* tile, int padded, std::int64_t n, int row, int begin) const {
    Real sum[lanes] = {};
    for (int d = 0; d < vectors.dim; ++d) {
      const Real* values = tile + static_cast<std::ptrdiff_t>(d) * padded;
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += values[row] * values[begin + lane];
    }
    Real* to = &out(n, std::int64_t{vectors.num_firsts} * vectors.dim + pair_index(row, begin));
    const int count = row - begin < lanes ? row - begin : lanes;
    for (int lane = 0; lane < count; ++lane) to[lane] = sum[lane];
  }
};

// d T(v) = sum over u of d Z(v, u) T(u) (+ d out's own first vector).
template <class Real>
struct Backward {
  Vectors<const Real> vectors;
  Vectors<Real> d_vectors;
  MatrixView<const Real> d_out;
  int num_vectors;

  // Tile: (number of vectors, padded dim), zeros in the padding.
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int padded = pad(vectors.dim);
    const std::int64_t n = team.league_rank();
    const Scratch<Real> tile(team.team_scratch(0), static_cast<std::size_t>(num_vectors) * padded);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_vectors), [&](int v) {
      const Real* from = vectors.begin(n, v);
      Real* to = &tile(v * padded);
      for (int d = 0; d < padded; ++d) to[d] = d < vectors.dim ? from[d] : Real{0};
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_vectors), [&](int v) {
      for (int begin = 0; begin < vectors.dim; begin += lanes) gradients(&tile(0), padded, n, v, begin);
    });
  }

  KOKKOS_FUNCTION void gradients(const Real* tile, int padded, std::int64_t n, int v, int begin) const {
    const Real* d_pairs = &d_out(n, std::int64_t{vectors.num_firsts} * vectors.dim);
    const int count = vectors.dim - begin < lanes ? vectors.dim - begin : lanes;
    Real sum[lanes] = {};
    if (v < vectors.num_firsts)
      for (int lane = 0; lane < count; ++lane) sum[lane] = d_out(n, begin + lane);
    for (int u = 0; u < num_vectors; ++u) {
      if (u == v) continue;
      const Real d_pair = d_pairs[u < v ? pair_index(v, u) : pair_index(u, v)];
      const Real* values = tile + static_cast<std::ptrdiff_t>(u) * padded + begin;
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += d_pair * values[lane];
    }
    Real* to = d_vectors.begin(n, v) + begin;
    for (int lane = 0; lane < count; ++lane) to[lane] = sum[lane];
  }
};

Policy one_team_per_sample(std::int64_t samples, std::size_t scratch_bytes) {
  return Policy(static_cast<int>(samples), Kokkos::AUTO)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
}

}  // namespace

template <class Real>
DotInteraction<Real>::DotInteraction(bool has_first, std::int32_t num_others, std::int32_t dim)
    : num_firsts_(has_first ? 1 : 0), num_vectors_(num_firsts_ + num_others), dim_(dim) {}

template <class Real>
void DotInteraction<Real>::forward(MatrixView<const Real> first, MatrixView<const Real> others,
                                   MatrixView<Real> out) const {
  const auto tile = static_cast<std::size_t>(dim_) * static_cast<std::size_t>(pad(num_vectors_));
  Kokkos::parallel_for("persia::model::dot_interaction_forward",
                       one_team_per_sample(out.rows, Scratch<Real>::shmem_size(tile)),
                       Forward<Real>{{first, others, num_firsts_, dim_}, out, num_vectors_});
}

template <class Real>
void DotInteraction<Real>::backward(MatrixView<const Real> first, MatrixView<const Real> others,
                                    MatrixView<const Real> d_out, MatrixView<Real> d_first,
                                    MatrixView<Real> d_others) const {
  const auto tile = static_cast<std::size_t>(num_vectors_) * static_cast<std::size_t>(pad(dim_));
  Kokkos::parallel_for(
      "persia::model::dot_interaction_backward",
      one_team_per_sample(d_out.rows, Scratch<Real>::shmem_size(tile)),
      Backward<Real>{
          {first, others, num_firsts_, dim_}, {d_first, d_others, num_firsts_, dim_}, d_out, num_vectors_});
}

template <class Real>
std::int64_t DotInteraction<Real>::out_width() const {
  return std::int64_t{num_firsts_} * dim_ + num_pairs();
}

template <class Real>
LayerSummary DotInteraction<Real>::summary() const {
  return {.name = "interaction",
          .kind = fmt::format("dot products of {} vectors", num_vectors_),
          .in = std::int64_t{num_vectors_} * dim_,
          .out = out_width(),
          .parameters = 0,
          .multiply_adds = num_pairs() * dim_,
          .is_linear = false};
}

template class DotInteraction<float>;
template class DotInteraction<double>;

}  // namespace persia::model
