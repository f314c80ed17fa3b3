// One oneDNN matmul primitive per shape with bias and ReLU inside; kept, because making one costs more than a
// small product. Measured at batch 256 and 2048 on one core with AVX-512: as fast as dnnl_sgemm without bias
// and activation (119-168 against 123-167 GFLOP/s); packed weights gain up to 15 % on the largest layers but
// must be packed anew every step.
#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>

#include "base/error.hpp"
#include "model/linear_product.hpp"

namespace persia::model {
namespace {

using dnnl::memory;

// Narrower outputs are faster through gemm (31 against 10 GFLOP/s at one column).
constexpr std::int64_t min_fused_columns = 8;
// Batch sizes repeat; a caller that changes them for ever must not grow the cache for ever.
constexpr std::size_t max_products = 256;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

memory::desc matrix_shape(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                          std::int64_t column_stride) {
  return {{rows, columns}, memory::data_type::f32, {row_stride, column_stride}};
}

struct Shape {
  Activation activation;
  std::int64_t n, in, out, x_stride, y_stride;
  auto operator<=>(const Shape&) const = default;
};

class FusedProduct {
 public:
  explicit FusedProduct(const Shape& s)
      : x_(matrix_shape(s.n, s.in, s.x_stride, 1), cpu(), nullptr),
        weight_(matrix_shape(s.in, s.out, 1, s.in), cpu(), nullptr),
        bias_(matrix_shape(1, s.out, s.out, 1), cpu(), nullptr),
        y_(matrix_shape(s.n, s.out, s.y_stride, 1), cpu(), nullptr) {
    dnnl::primitive_attr attributes;
    if (s.activation == Activation::relu) {
      dnnl::post_ops after;
      after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
      attributes.set_post_ops(after);
    }
    product_ = dnnl::matmul(dnnl::matmul::primitive_desc(
        {x_.get_desc(), weight_.get_desc(), bias_.get_desc(), y_.get_desc()}, attributes, cpu()));
  }

  void run(const float* x, const float* weight, const float* bias, float* y) {
    // oneDNN takes inputs as void* and does not write them.
    x_.set_data_handle(const_cast<float*>(x));
    weight_.set_data_handle(const_cast<float*>(weight));
    bias_.set_data_handle(const_cast<float*>(bias));
    y_.set_data_handle(y);
    dnnl::stream stream(cpu());
    product_.execute(
        stream,
        {{DNNL_ARG_SRC, x_}, {DNNL_ARG_WEIGHTS, weight_}, {DNNL_ARG_BIAS, bias_}, {DNNL_ARG_DST, y_}});
    stream.wait();
  }

 private:
  memory x_, weight_, bias_, y_;
  dnnl::matmul product_;
};

FusedProduct& product_of(const Shape& shape) {
  thread_local std::map<Shape, FusedProduct> products;
  const auto found = products.find(shape);
  if (found != products.end()) return found->second;
  if (products.size() >= max_products) products.clear();
  return products.try_emplace(shape, shape).first->second;
}

}  // namespace

void linear_product(Activation activation, MatrixView<const float> x, const float* weight, const float* bias,
                    MatrixView<float> y) {
  if (y.rows == 0 || y.columns == 0) return;
  if (x.columns == 0 || y.columns < min_fused_columns) {
    linear_product_in_two_steps(activation, x, weight, bias, y);
    return;
  }
  try {
    product_of({activation, y.rows, x.columns, y.columns, x.stride, y.stride})
        .run(x.data, weight, bias, y.data);
  } catch (const dnnl::error& error) {
    fail("oneDNN: {} (product of {} x {} by {} x {})", error.what(), y.rows, x.columns, x.columns, y.columns);
  }
}

}  // namespace persia::model
