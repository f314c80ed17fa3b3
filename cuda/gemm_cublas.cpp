// model/gemm.hpp on device memory, in Kokkos's stream: products wait for the kernels before them and kernels
// after them wait for the products, without a fence.
#include <cublas_v2.h>

#include <memory>
#include <type_traits>

#include "base/error.hpp"
#include "kokkos_stream.hpp"
#include "model/gemm.hpp"

namespace persia::model {
namespace {

void check(cublasStatus_t status, std::source_location where = std::source_location::current()) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(fmt::format("cuBLAS: {} ({})", cublasGetStatusString(status), cublasGetStatusName(status)),
                where);
}

struct DestroyHandle {
  void operator()(cublasHandle_t handle) const noexcept { static_cast<void>(cublasDestroy(handle)); }
};

// One per thread that computes: a handle belongs to one device and one thread. fp32 products stay fp32 (no
// TF32): a trained model should not depend on the kind of GPU more than rounding does.
cublasHandle_t handle() {
  thread_local const auto owner = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made));
    return std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, DestroyHandle>(made);
  }();
  check(cublasSetStream(owner.get(), cuda::kokkos_stream()));
  return owner.get();
}

cublasOperation_t operation(Op op) {
  return op == Op::plain ? CUBLAS_OP_N : CUBLAS_OP_T;
}

// cuBLAS counts by columns: a row-major C is its transpose there, and C' = op(B)' op(A)'.
template <class Real, class Product>
void multiply(Product product, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
              const Real* a, std::int64_t lda, const Real* b, std::int64_t ldb, Real beta, Real* c,
              std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  const Real one = 1;
  check(product(handle(), operation(op_b), operation(op_a), n, m, k, &one, b, ldb, a, lda, &beta, c, ldc));
}

template <class Real, class Product>
void multiply_batched(Product product, std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n,
                      std::int64_t k, Batched<const Real> a, Batched<const Real> b, Batched<Real> c) {
  if (count == 0 || m == 0 || n == 0) return;
  const Real one = 1;
  const Real zero = 0;
  check(product(handle(), operation(op_b), operation(op_a), n, m, k, &one, b.data, b.row_stride, b.step,
                a.data, a.row_stride, a.step, &zero, c.data, c.row_stride, c.step, count));
}

}  // namespace

void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
          const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  multiply(cublasSgemm_64, op_a, op_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void gemm(Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
          const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  multiply(cublasDgemm_64, op_a, op_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void gemm_batched(std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  Batched<const float> a, Batched<const float> b, Batched<float> c) {
  multiply_batched(cublasSgemmStridedBatched_64, count, op_a, op_b, m, n, k, a, b, c);
}

void gemm_batched(std::int64_t count, Op op_a, Op op_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  Batched<const double> a, Batched<const double> b, Batched<double> c) {
  multiply_batched(cublasDgemmStridedBatched_64, count, op_a, op_b, m, n, k, a, b, c);
}

}  // namespace persia::model
