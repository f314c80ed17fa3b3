#include "model/gemm.hpp"

#include <cmath>
#include <tuple>

#include "base/random.hpp"
#include "gpu_test.hpp"

namespace persia::model {
namespace {

// A row-major matrix with unused elements at the end of each row, which must stay as they are.
template <class Real>
struct Matrix {
  std::int64_t rows, columns, stride;
  std::vector<Real> values;
  Matrix(std::int64_t r, std::int64_t c, std::uint64_t seed)
      : rows(r), columns(c), stride(c + 3), values(static_cast<std::size_t>(r * (c + 3))) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<Real>(2 * random_uniform(seed, 0, i) - 1);
  }
  [[nodiscard]] Real at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * stride + column)];
  }
};

template <class Real>
double element(Op op, const Matrix<Real>& matrix, std::int64_t row, std::int64_t column) {
  return op == Op::plain ? matrix.at(row, column) : matrix.at(column, row);
}

template <class Real>
Matrix<Real> stored(Op op, std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  return op == Op::plain ? Matrix<Real>(rows, columns, seed) : Matrix<Real>(columns, rows, seed);
}

// Pre and post images of C agree with a loop in double precision, and what lies between the rows is
// untouched.
template <class Real>
void compare_with_loops(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, Real beta,
                        double tolerance) {
  const auto a = stored<Real>(op_a, m, k, 1);
  const auto b = stored<Real>(op_b, k, n, 2);
  Matrix<Real> c(m, n, 3);
  const cuda::DeviceArray<Real> device_a(a.values), device_b(b.values), device_c(c.values);
  gemm(op_a, op_b, m, n, k, device_a.data(), a.stride, device_b.data(), b.stride, beta, device_c.data(),
       c.stride);
  const Matrix<Real> before = c;
  c.values = device_c.values();
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < c.stride; ++column) {
      if (column >= n) {
        ASSERT_EQ(c.at(row, column), before.at(row, column)) << "between the rows";
        continue;
      }
      double expected = beta * before.at(row, column);
      for (std::int64_t i = 0; i < k; ++i) expected += element(op_a, a, row, i) * element(op_b, b, i, column);
      ASSERT_NEAR(c.at(row, column), expected, tolerance * std::sqrt(static_cast<double>(k) + 1));
    }
  }
}

using Operations = std::tuple<Op, Op>;

class GemmCublasTest : public cuda::GpuTest, public testing::WithParamInterface<Operations> {};

TEST_P(GemmCublasTest, FloatEqualsALoopInDouble) {
  const auto [op_a, op_b] = GetParam();
  for (const float beta : {0.0F, 1.0F}) compare_with_loops<float>(op_a, op_b, 65, 33, 129, beta, 1e-6);
  compare_with_loops<float>(op_a, op_b, 1, 1, 1, 0.0F, 1e-6);
  compare_with_loops<float>(op_a, op_b, 256, 1, 13, 0.0F, 1e-6);
}

TEST_P(GemmCublasTest, DoubleEqualsALoopInDouble) {
  const auto [op_a, op_b] = GetParam();
  for (const double beta : {0.0, 1.0}) compare_with_loops<double>(op_a, op_b, 65, 33, 129, beta, 1e-14);
}

// Three products of matrices that lie one after the other, rows with unused ends, against one product each.
TEST_P(GemmCublasTest, BatchedEqualsOneByOne) {
  const auto [op_a, op_b] = GetParam();
  constexpr std::int64_t count = 3, m = 5, n = 7, k = 11;
  const auto a = stored<float>(op_a, m, k, 1), b = stored<float>(op_b, k, n, 2);
  const auto a_step = std::ssize(a.values), b_step = std::ssize(b.values);
  const Matrix<float> many_a(count * a.rows, a.columns, 4), many_b(count * b.rows, b.columns, 5);
  const Matrix<float> c(count * m, n, 6);
  const cuda::DeviceArray<float> device_a(many_a.values), device_b(many_b.values);
  const cuda::DeviceArray<float> batched(c.values), one_by_one(c.values);
  gemm_batched(count, op_a, op_b, m, n, k, {device_a.data(), a.stride, a_step},
               {device_b.data(), b.stride, b_step}, {batched.data(), c.stride, m * c.stride});
  for (std::int64_t i = 0; i < count; ++i)
    gemm(op_a, op_b, m, n, k, device_a.data() + i * a_step, a.stride, device_b.data() + i * b_step, b.stride,
         0.0F, one_by_one.data() + i * m * c.stride, c.stride);
  const std::vector<float> left = batched.values(), right = one_by_one.values();
  for (std::size_t i = 0; i < left.size(); ++i) ASSERT_NEAR(left[i], right[i], 1e-5F);
}

INSTANTIATE_TEST_SUITE_P(AllOperations, GemmCublasTest,
                         testing::Combine(testing::Values(Op::plain, Op::transposed),
                                          testing::Values(Op::plain, Op::transposed)));

using GemmCublasEdgeTest = cuda::GpuTest;

TEST_F(GemmCublasEdgeTest, NoRowsIsNoWork) {
  const cuda::DeviceArray<float> c({7.0F});
  gemm(Op::plain, Op::plain, 0, 1, 1, c.data(), 1, c.data(), 1, 0.0F, c.data(), 1);
  EXPECT_EQ(c.values(), std::vector<float>{7.0F});
}

TEST_F(GemmCublasEdgeTest, NoInnerDimensionScalesC) {
  const cuda::DeviceArray<float> c({7.0F});
  gemm(Op::plain, Op::plain, 1, 1, 0, c.data(), 1, c.data(), 1, 0.0F, c.data(), 1);
  EXPECT_EQ(c.values(), std::vector<float>{0.0F});
}

}  // namespace
}  // namespace persia::model
