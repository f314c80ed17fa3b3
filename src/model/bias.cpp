#include "model/bias.hpp"

namespace persia::model {
namespace {

using Team = Kokkos::TeamPolicy<Space>::member_type;

constexpr std::int64_t block_rows = 64;

Kokkos::TeamPolicy<Space> teams_over(std::int64_t count) {
  return {static_cast<int>(count), Kokkos::AUTO};
}

std::int64_t num_blocks(std::int64_t rows) {
  return (rows + block_rows - 1) / block_rows;
}

// Every thread of a team keeps its columns while the rows go by, so nothing needs a barrier.
template <class Real, class Visit>
void for_each_row_block(const char* label, MatrixView<Real> matrix, Visit visit) {
  Kokkos::parallel_for(
      label, teams_over(num_blocks(matrix.rows)), KOKKOS_LAMBDA(const Team& team) {
        const std::int64_t block = team.league_rank();
        const std::int64_t first = block * block_rows;
        const std::int64_t last = first + block_rows < matrix.rows ? first + block_rows : matrix.rows;
        for (std::int64_t row = first; row < last; ++row) {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, matrix.columns),
                               [&](std::int64_t column) { visit(block, row, column); });
        }
      });
}

template <class Real>
struct Fill {
  MatrixView<Real> matrix;
  Real value;
  KOKKOS_FUNCTION void operator()(std::int64_t, std::int64_t row, std::int64_t column) const {
    matrix(row, column) = value;
  }
};

template <class Real>
struct AddBias {
  bool relu;
  const Real* bias;
  MatrixView<Real> y;
  KOKKOS_FUNCTION void operator()(std::int64_t, std::int64_t row, std::int64_t column) const {
    const Real sum = y(row, column) + bias[column];
    y(row, column) = relu && sum < Real{0} ? Real{0} : sum;
  }
};

// Shape: partial (blocks, columns), zero before.
template <class Real>
struct Sum {
  MatrixView<const Real> d_y;
  MatrixView<Real> partial;
  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t row, std::int64_t column) const {
    partial(block, column) += d_y(row, column);
  }
};

template <class Real>
struct MaskAndSum {
  MatrixView<const Real> y;
  MatrixView<Real> d_y;
  MatrixView<Real> partial;
  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t row, std::int64_t column) const {
    const Real gradient = y(row, column) > Real{0} ? d_y(row, column) : Real{0};
    d_y(row, column) = gradient;
    partial(block, column) += gradient;
  }
};

}  // namespace

template <class Real>
void fill(MatrixView<Real> matrix, Real value) {
  for_each_row_block("persia::model::fill", matrix, Fill<Real>{matrix, value});
}

template <class Real>
void add_bias(Activation activation, const Real* bias, MatrixView<Real> y) {
  for_each_row_block("persia::model::add_bias", y, AddBias<Real>{activation == Activation::relu, bias, y});
}

template <class Real>
void mask_and_sum(Activation activation, MatrixView<const Real> y, MatrixView<Real> d_y,
                  Buffer<Real>& scratch, Real* sums) {
  const std::int64_t blocks = num_blocks(d_y.rows);
  const MatrixView<Real> partial = scratch.matrix(blocks, d_y.columns);
  fill(partial, Real{0});
  if (activation == Activation::relu) {
    for_each_row_block("persia::model::mask_and_sum", d_y, MaskAndSum<Real>{y, d_y, partial});
  } else {
    for_each_row_block("persia::model::sum", d_y, Sum<Real>{d_y, partial});
  }
  Kokkos::parallel_for(
      "persia::model::sum_blocks", Kokkos::RangePolicy<Space>(0, d_y.columns),
      KOKKOS_LAMBDA(std::int64_t column) {
        Real sum = 0;
        for (std::int64_t block = 0; block < blocks; ++block) sum += partial(block, column);
        sums[column] = sum;
      });
}

template void fill(MatrixView<float>, float);
template void fill(MatrixView<double>, double);
template void add_bias(Activation, const float*, MatrixView<float>);
template void add_bias(Activation, const double*, MatrixView<double>);
template void mask_and_sum(Activation, MatrixView<const float>, MatrixView<float>, Buffer<float>&, float*);
template void mask_and_sum(Activation, MatrixView<const double>, MatrixView<double>, Buffer<double>&,
                           double*);

}  // namespace persia::model
