#include "model/onednn_matmul.hpp"

#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "base/error.hpp"

namespace persia::model {
namespace {

using dnnl::memory;

constexpr std::size_t max_products = 256;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

memory::desc describe(const OnednnMatrix& m) {
  if (m.count == 1) return {{m.rows, m.columns}, memory::data_type::f32, {m.row_stride, m.column_stride}};
  return {{m.count, m.rows, m.columns}, memory::data_type::f32, {m.step, m.row_stride, m.column_stride}};
}

class KeptProduct {
 public:
  explicit KeptProduct(const OnednnProduct& product)
      : a_(describe(product.a), cpu(), nullptr),
        b_(describe(product.b), cpu(), nullptr),
        c_(describe(product.c), cpu(), nullptr) {
    dnnl::primitive_attr attributes;
    if (product.relu) {
      dnnl::post_ops after;
      after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
      attributes.set_post_ops(after);
    }
    arguments_ = {{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, b_}, {DNNL_ARG_DST, c_}};
    if (product.has_bias) {
      const std::int64_t columns = product.c.columns;
      bias_ = memory({{1, columns}, memory::data_type::f32, memory::dims{columns, 1}}, cpu(), nullptr);
      arguments_.insert({DNNL_ARG_BIAS, bias_});
    }
    const dnnl::matmul::desc operation =
        product.has_bias ? dnnl::matmul::desc(a_.get_desc(), b_.get_desc(), bias_.get_desc(), c_.get_desc())
                         : dnnl::matmul::desc(a_.get_desc(), b_.get_desc(), c_.get_desc());
    product_ = dnnl::matmul(dnnl::matmul::primitive_desc(operation, attributes, cpu()));
  }

  void run(const float* a, const float* b, const float* bias, float* c) {
    // oneDNN takes inputs as void* and does not write them. The arguments share these memory objects.
    a_.set_data_handle(const_cast<float*>(a));
    b_.set_data_handle(const_cast<float*>(b));
    c_.set_data_handle(c);
    if (bias != nullptr) bias_.set_data_handle(const_cast<float*>(bias));
    dnnl::stream stream(cpu());
    product_.execute(stream, arguments_);
    stream.wait();
  }

 private:
  memory a_, b_, c_, bias_;
  std::unordered_map<int, memory> arguments_;
  dnnl::matmul product_;
};

KeptProduct& kept(const OnednnProduct& product) {
  thread_local std::map<OnednnProduct, KeptProduct> products;
  const auto found = products.find(product);
  if (found != products.end()) return found->second;
  if (products.size() >= max_products) products.clear();
  return products.try_emplace(product, product).first->second;
}

}  // namespace

void onednn_matmul(const OnednnProduct& product, const float* a, const float* b, const float* bias,
                   float* c) {
  try {
    kept(product).run(a, b, bias, c);
  } catch (const dnnl::error& error) {
    fail("oneDNN: {} (product of {} times {} x {} by {} x {})", error.what(), product.c.count, product.a.rows,
         product.a.columns, product.b.rows, product.b.columns);
  }
}

}  // namespace persia::model
