#include "model/concat.hpp"

namespace persia::model {

template <class Real>
void concat(MatrixView<const Real> left, MatrixView<const Real> right, MatrixView<Real> out) {
  using Policy = Kokkos::TeamPolicy<Space>;
  constexpr std::int64_t rows_of_team = 16;
  const std::int64_t teams = (out.rows + rows_of_team - 1) / rows_of_team;
  Kokkos::parallel_for(
      "persia::model::concat", Policy(static_cast<int>(teams), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t first = team.league_rank() * rows_of_team;
        const std::int64_t last = first + rows_of_team < out.rows ? first + rows_of_team : out.rows;
        for (std::int64_t row = first; row < last; ++row) {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, left.columns),
                               [&](std::int64_t column) { out(row, column) = left(row, column); });
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, right.columns), [&](std::int64_t column) {
            out(row, left.columns + column) = right(row, column);
          });
        }
      });
}

template void concat(MatrixView<const float>, MatrixView<const float>, MatrixView<float>);
template void concat(MatrixView<const double>, MatrixView<const double>, MatrixView<double>);

}  // namespace persia::model
