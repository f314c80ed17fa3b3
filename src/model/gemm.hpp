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

// The same product for `count` triples of matrices, each `step` elements after the one before: C_i = op(A_i)
// * op(B_i). For many small matrices.
template <class Real>
struct Batched {
  Real* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t step = 0;
};
void gemm_batched(std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  Batched<const float> a, Batched<const float> b, Batched<float> c);
void gemm_batched(std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  Batched<const double> a, Batched<const double> b, Batched<double> c);

}  // namespace persia::model
