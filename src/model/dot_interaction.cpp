#include "model/dot_interaction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/concat.hpp"
#include "model/gemm.hpp"

namespace persia::model {
namespace {

using Policy = Kokkos::TeamPolicy<Space>;
using Team = Policy::member_type;

// Full Z of 256 samples of 27 vectors is 0.7 MB; 2 MB a core is usual for a second-level cache.
constexpr std::int64_t block_samples = 256;

template <class Real>
MatrixView<Real> rows_of(MatrixView<Real> matrix, std::int64_t begin, std::int64_t count) {
  return {matrix.data + begin * matrix.stride, count, matrix.columns, matrix.stride};
}

template <class Visit>
void for_each_block(std::int64_t samples, const Visit& visit) {
  for (std::int64_t begin = 0; begin < samples; begin += block_samples)
    visit(begin, std::min(block_samples, samples - begin));
}

// out = first, then the products of all pairs out of the full square.
template <class Real>
void pack(MatrixView<const Real> first, MatrixView<const Real> square, const std::int32_t* places,
          MatrixView<Real> out) {
  Kokkos::parallel_for(
      "persia::model::pack_dot_products", Policy(static_cast<int>(out.rows), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Team& team) {
        const std::int64_t n = team.league_rank();
        const std::int64_t skip = first.columns;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, skip),
                             [&](std::int64_t d) { out(n, d) = first(n, d); });
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, out.columns - skip),
                             [&](std::int64_t pair) { out(n, skip + pair) = square(n, places[pair]); });
      });
}

// The way back: both halves of the full square from the pairs, and zeros between them.
template <class Real>
void unpack(MatrixView<const Real> d_out, std::int64_t skip, std::int32_t num_vectors,
            const std::int32_t* places, MatrixView<Real> square) {
  Kokkos::parallel_for(
      "persia::model::unpack_dot_products", Policy(static_cast<int>(d_out.rows), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Team& team) {
        const std::int64_t n = team.league_rank();
        const std::int64_t pairs = d_out.columns - skip;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, pairs), [&](std::int64_t pair) {
          square(n, places[pair]) = d_out(n, skip + pair);
          square(n, places[pairs + pair]) = d_out(n, skip + pair);
        });
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, num_vectors),
                             [&](std::int64_t i) { square(n, i * (num_vectors + 1)) = Real{0}; });
      });
}

// d_joined to its parts; the first vector also went straight into the output.
template <class Real>
void split(MatrixView<const Real> d_joined, MatrixView<const Real> d_out, MatrixView<Real> d_first,
           MatrixView<Real> d_others) {
  Kokkos::parallel_for(
      "persia::model::split_vectors", Policy(static_cast<int>(d_out.rows), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Team& team) {
        const std::int64_t n = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, d_first.columns),
                             [&](std::int64_t d) { d_first(n, d) = d_joined(n, d) + d_out(n, d); });
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, d_others.columns),
                             [&](std::int64_t d) { d_others(n, d) = d_joined(n, d_first.columns + d); });
      });
}

}  // namespace

template <class Real>
DotInteraction<Real>::DotInteraction(bool has_first, std::int32_t num_others, std::int32_t dim)
    : num_vectors_(num_others + (has_first ? 1 : 0)),
      dim_(dim),
      first_width_(has_first ? dim : 0),
      num_pairs_(std::int64_t{num_vectors_} * (num_vectors_ - 1) / 2) {}

template <class Real>
const std::int32_t* DotInteraction<Real>::places() {
  if (places_.size() > 0) return places_.data();
  // The lower triangle, then its mirror image.
  places_ = Kokkos::View<std::int32_t*, Memory>("persia::model::pair_places",
                                                static_cast<std::size_t>(2 * num_pairs_));
  const auto host = Kokkos::create_mirror_view(places_);
  std::int64_t pair = 0;
  for (std::int32_t i = 0; i < num_vectors_; ++i) {
    for (std::int32_t j = 0; j < i; ++j, ++pair) {
      host(pair) = i * num_vectors_ + j;
      host(num_pairs_ + pair) = j * num_vectors_ + i;
    }
  }
  Kokkos::deep_copy(places_, host);
  return places_.data();
}

template <class Real>
MatrixView<const Real> DotInteraction<Real>::joined(MatrixView<const Real> first,
                                                    MatrixView<const Real> others) {
  if (first_width_ == 0) return others;
  const MatrixView<Real> both = joined_.matrix(others.rows, std::int64_t{num_vectors_} * dim_);
  concat<Real>(first, others, both);
  return both;
}

template <class Real>
void DotInteraction<Real>::forward(MatrixView<const Real> first, MatrixView<const Real> others,
                                   MatrixView<Real> out) {
  const std::int64_t v = num_vectors_;
  for_each_block(out.rows, [&](std::int64_t begin, std::int64_t count) {
    const MatrixView<const Real> own = rows_of(first, begin, count);
    const MatrixView<const Real> t = joined(own, rows_of(others, begin, count));
    const MatrixView<Real> z = square_.matrix(count, v * v);
    gemm_batched(count, Op::plain, Op::transposed, v, v, dim_, Batched<const Real>{t.data, dim_, t.stride},
                 Batched<const Real>{t.data, dim_, t.stride}, Batched<Real>{z.data, v, z.stride});
    pack<Real>(own, z, places(), rows_of(out, begin, count));
  });
}

// d T = (d Z + d Z^t) T, with d Z lower triangular.
template <class Real>
void DotInteraction<Real>::backward(MatrixView<const Real> first, MatrixView<const Real> others,
                                    MatrixView<const Real> d_out, MatrixView<Real> d_first,
                                    MatrixView<Real> d_others) {
  const std::int64_t v = num_vectors_;
  for_each_block(d_out.rows, [&](std::int64_t begin, std::int64_t count) {
    const MatrixView<const Real> t = joined(rows_of(first, begin, count), rows_of(others, begin, count));
    const MatrixView<const Real> d_own_out = rows_of(d_out, begin, count);
    const MatrixView<Real> d_z = square_.matrix(count, v * v);
    unpack<Real>(d_own_out, first_width_, num_vectors_, places(), d_z);
    const bool direct = first_width_ == 0;
    const MatrixView<Real> d_own_others = rows_of(d_others, begin, count);
    const MatrixView<Real> d_t = direct ? d_own_others : d_joined_.matrix(count, v * dim_);
    gemm_batched(count, Op::plain, Op::plain, v, dim_, v, Batched<const Real>{d_z.data, v, d_z.stride},
                 Batched<const Real>{t.data, dim_, t.stride}, Batched<Real>{d_t.data, dim_, d_t.stride});
    if (!direct) split<Real>(d_t, d_own_out, rows_of(d_first, begin, count), d_own_others);
  });
}

template <class Real>
LayerSummary DotInteraction<Real>::summary() const {
  return {.name = "interaction",
          .kind = fmt::format("dot products of {} vectors", num_vectors_),
          .in = std::int64_t{num_vectors_} * dim_,
          .out = out_width(),
          .parameters = 0,
          .multiply_adds = num_pairs_ * dim_,
          .is_linear = false};
}

template class DotInteraction<float>;
template class DotInteraction<double>;

}  // namespace persia::model
