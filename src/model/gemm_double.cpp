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

}  // namespace persia::model
