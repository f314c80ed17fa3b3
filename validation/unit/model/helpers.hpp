// Small schemas, numbers and the comparison with central differences, for the tests of this room.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "config/schema.hpp"
#include "model/matrix.hpp"

namespace persia::model::testing {

// One table and one categorical column per dim.
inline config::Schema make_test_schema(std::int32_t num_dense, const std::vector<std::int32_t>& dims) {
  config::Schema schema;
  for (std::int32_t j = 0; j < num_dense; ++j) schema.dense.push_back({.name = fmt::format("x{}", j)});
  for (const std::int32_t dim : dims) {
    const auto index = static_cast<std::int32_t>(schema.tables.size());
    const std::string name = fmt::format("c{}", index);
    config::Table table;
    table.dim = dim;
    schema.tables.push_back({.name = name, .table = table, .salt = 0});
    config::CategoricalColumn column;
    column.name = name;
    column.table = name;
    schema.columns.push_back({column, TableIndex(index), dim, schema.embedded_width});
    schema.embedded_width += dim;
  }
  return schema;
}

inline config::Model model_of(config::ModelType type, std::vector<std::int32_t> hidden,
                              std::vector<std::int32_t> bottom, std::vector<std::int32_t> top) {
  return {.type = type, .hidden = std::move(hidden), .bottom = std::move(bottom), .top = std::move(top)};
}

// Uniform on (-1, 1).
template <class Real>
std::vector<Real> random_values(std::int64_t size, std::uint64_t stream) {
  std::vector<Real> values;
  for (std::int64_t i = 0; i < size; ++i)
    values.push_back(static_cast<Real>(2 * random_uniform(7, stream, static_cast<std::uint64_t>(i)) - 1));
  return values;
}

// The vector as a matrix of that many columns.
template <class Real>
MatrixView<Real> view(std::vector<Real>& values, std::int64_t rows, std::int64_t columns) {
  EXPECT_EQ(static_cast<std::int64_t>(values.size()), rows * columns);
  return dense_matrix(values.data(), rows, columns);
}

inline double weighted_sum(const std::vector<double>& values, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
  return sum;
}

// `analytic` against central differences of `loss` in each of `x`, to 1e-6 relative.
inline void expect_gradient(const std::function<double()>& loss, std::span<double> x,
                            std::span<const double> analytic) {
  ASSERT_EQ(x.size(), analytic.size());
  constexpr double h = 1e-5;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double kept = x[i];
    x[i] = kept + h;
    const double above = loss();
    x[i] = kept - h;
    const double below = loss();
    x[i] = kept;
    const double numeric = (above - below) / (2 * h);
    ASSERT_NEAR(analytic[i], numeric, 1e-6 * std::max({std::abs(numeric), std::abs(analytic[i]), 1e-3}))
        << "at " << i;
  }
}

}  // namespace persia::model::testing
