#include "model/gemm.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::random_values;

// All four forms, with rows further apart than long, against the double loops.
TEST(Gemm, FloatEqualsDoubleInEveryForm) {
  constexpr std::int64_t m = 17, n = 5, k = 33, ld = 40;
  const auto a = random_values<float>(ld * ld, 1);
  const auto b = random_values<float>(ld * ld, 2);
  const std::vector<double> a_double(a.begin(), a.end());
  const std::vector<double> b_double(b.begin(), b.end());
  for (const Op op_a : {Op::plain, Op::transposed}) {
    for (const Op op_b : {Op::plain, Op::transposed}) {
      for (const float beta : {0.0F, 1.0F}) {
        std::vector<float> c(ld * ld, 0.5F);
        std::vector<double> c_double(ld * ld, 0.5);
        gemm(op_a, op_b, m, n, k, a.data(), ld, b.data(), ld, beta, c.data(), ld);
        gemm(op_a, op_b, m, n, k, a_double.data(), ld, b_double.data(), ld, beta, c_double.data(), ld);
        for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], c_double[i], 1e-5);
      }
    }
  }
}

// 27 vectors of 16 and their full square, and odd shapes whose matrices lie apart.
TEST(Gemm, BatchedEqualsOneByOne) {
  struct Batch {
    std::int64_t count, m, n, k;
  };
  for (const auto [count, m, n, k] : {Batch{3, 27, 27, 16}, Batch{1, 5, 4, 3}, Batch{70, 2, 1, 2}}) {
    constexpr std::int64_t apart = 1000;
    const auto a = random_values<float>(count * apart, 1);
    const auto b = random_values<float>(count * apart, 2);
    for (const Op op_b : {Op::plain, Op::transposed}) {
      const std::int64_t ldb = op_b == Op::plain ? n : k;
      std::vector<float> all(static_cast<std::size_t>(count * apart), 9.0F);
      std::vector<float> each(all);
      gemm_batched(count, Op::plain, op_b, m, n, k, Batched<const float>{a.data(), k, apart},
                   Batched<const float>{b.data(), ldb, apart}, Batched<float>{all.data(), n, apart});
      for (std::int64_t i = 0; i < count; ++i)
        gemm(Op::plain, op_b, m, n, k, a.data() + i * apart, k, b.data() + i * apart, ldb, 0.0F,
             each.data() + i * apart, n);
      for (std::size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(all[i], each[i], 1e-5) << count << " at " << i;
    }
  }
}

TEST(Gemm, KnownProduct) {
  const std::vector<double> a = {1, 2, 3, 4};  // [1 2; 3 4]
  const std::vector<double> b = {5, 6, 7, 8};
  std::vector<double> c(4);
  gemm(Op::plain, Op::transposed, 2, 2, 2, a.data(), 2, b.data(), 2, 0.0, c.data(), 2);
  EXPECT_EQ(c, (std::vector<double>{17, 23, 39, 53}));
}

TEST(Gemm, EmptyResultsAreLeftAlone) {
  float value = 3;
  gemm(Op::plain, Op::plain, 0, 1, 1, &value, 1, &value, 1, 0.0F, &value, 1);
  EXPECT_EQ(value, 3);
}

}  // namespace
}  // namespace persia::model
