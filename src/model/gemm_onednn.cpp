// float products on CPU: dnnl_sgemm, which takes row-major arguments and the calling thread's OpenMP team.
#include <oneapi/dnnl/dnnl.h>

#include "base/error.hpp"
#include "model/gemm.hpp"

namespace persia::model {
namespace {

char letter(Op op) {
  return op == Op::plain ? 'N' : 'T';
}

}  // namespace

void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
          const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), m, n, k, 1.0F, a, lda, b, ldb, beta, c, ldc);
  require(status == dnnl_success, "oneDNN: product of {} x {} by {} x {} failed with status {}", m, k, k, n,
          static_cast<int>(status));
}

}  // namespace persia::model
