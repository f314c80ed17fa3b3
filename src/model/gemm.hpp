// Matrix products, row-major, on the memory in which the network runs (host memory; device memory in GPU
// builds).
//
// float: oneDNN (gemm_onednn.cpp) or cuBLAS (cuda/gemm_cublas.cpp), chosen by CMake. double: plain loops, for
// gradient checks only.
#pragma once

#include <cstdint>

namespace persia::model {

enum class Op { plain, transposed };

// C (m, n) = op(A) (m, k) * op(B) (k, n) + beta * C. lda, ldb, ldc: elements between rows as stored.
void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
          const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);
void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
          const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc);

}  // namespace persia::model
