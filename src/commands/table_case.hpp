// The embedding tables that benchmarks measure: row-wise Adagrad with its defaults. Callers: bench_table,
// bench_capacity.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "base/hash.hpp"
#include "config/names.hpp"
#include "config/schema.hpp"

namespace persia::commands {

struct TableCase {
  std::int32_t dim = 16;
  config::Precision precision = config::Precision::fp32;

  // "dim=16 fp32"
  [[nodiscard]] std::string name() const { return fmt::format("dim={} {}", dim, config::name_of(precision)); }
  [[nodiscard]] config::TableSchema schema() const {
    config::TableSchema schema{.name = "bench", .table = {}, .salt = hash_bytes("bench", 0)};
    schema.table.dim = dim;
    schema.table.precision = precision;
    return schema;
  }
};

}  // namespace persia::commands
