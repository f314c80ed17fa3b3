// oneDNN matmul primitives, one per shape and kept, because making one costs more than a small product. Kept
// per thread; at most 256, so that ever new batch sizes do not grow memory for ever.
//
// Errors: Error with oneDNN's text and the shapes. Callers: gemm_onednn.cpp, linear_product_onednn.cpp.
#pragma once

#include <compare>
#include <cstdint>

namespace persia::model {

// `count` matrices (rows, columns); strides in elements. count 1 is a plain matrix.
struct OnednnMatrix {
  std::int64_t count = 1;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t step = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
  auto operator<=>(const OnednnMatrix&) const = default;
};

struct OnednnProduct {
  OnednnMatrix a, b, c;
  bool has_bias = false;  // one value per column of c
  bool relu = false;
  auto operator<=>(const OnednnProduct&) const = default;
};

// c = relu?(a * b + bias?). Pre: no extent is 0; bias is nullptr unless has_bias.
void onednn_matmul(const OnednnProduct& product, const float* a, const float* b, const float* bias, float* c);

}  // namespace persia::model
