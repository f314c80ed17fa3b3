// double products on CPU, for gradient checks: plain loops.
#include "model/gemm.hpp"

namespace persia::model {

void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
          const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += (op_a == Op::plain ? a[i * lda + l] : a[l * lda + i]) *
               (op_b == Op::plain ? b[l * ldb + j] : b[j * ldb + l]);
      }
      double& out = c[i * ldc + j];
      out = beta == 0 ? sum : sum + beta * out;
    }
  }
}

void gemm_batched(std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  Batched<const double> a, Batched<const double> b, Batched<double> c) {
  for (std::int64_t i = 0; i < count; ++i)
    gemm(op_a, op_b, m, n, k, a.data + i * a.step, a.row_stride, b.data + i * b.step, b.row_stride, 0.0,
         c.data + i * c.step, c.row_stride);
}

}  // namespace persia::model
