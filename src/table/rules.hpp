// From run-file names to types: the optimizer's rule and the precision's codec.
//
// visit_rule(type, f) calls f.template operator()<Rule>(); visit_precision(precision, f) likewise with Fp32,
// Fp16, Bf16, Int8.
#pragma once

#include "base/error.hpp"
#include "config/run_file.hpp"
#include "table/optimizers/adagrad.hpp"
#include "table/optimizers/adam.hpp"
#include "table/optimizers/adamw.hpp"
#include "table/optimizers/ftrl.hpp"
#include "table/optimizers/lamb.hpp"
#include "table/optimizers/momentum.hpp"
#include "table/optimizers/rowwise_adagrad.hpp"
#include "table/optimizers/rowwise_adam.hpp"
#include "table/optimizers/sgd.hpp"
#include "table/precision.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

namespace persia::table {

template <class Visitor>
auto visit_rule(config::OptimizerType type, const Visitor& visitor) {
  switch (type) {
    case config::OptimizerType::sgd:
      return visitor.template operator()<Sgd>();
    case config::OptimizerType::momentum:
      return visitor.template operator()<Momentum>();
    case config::OptimizerType::adagrad:
      return visitor.template operator()<Adagrad>();
    case config::OptimizerType::rowwise_adagrad:
      return visitor.template operator()<RowwiseAdagrad>();
    case config::OptimizerType::adam:
      return visitor.template operator()<Adam>();
    case config::OptimizerType::rowwise_adam:
      return visitor.template operator()<RowwiseAdam>();
    case config::OptimizerType::adamw:
      return visitor.template operator()<Adamw>();
    case config::OptimizerType::ftrl:
      return visitor.template operator()<Ftrl>();
    case config::OptimizerType::lamb:
      return visitor.template operator()<Lamb>();
  }
  fail("optimizer number {} has no rule", static_cast<int>(type));
}

template <class Visitor>
auto visit_precision(config::Precision precision, const Visitor& visitor) {
  switch (precision) {
    case config::Precision::fp32:
      return visitor.template operator()<Fp32>();
    case config::Precision::fp16:
      return visitor.template operator()<Fp16>();
    case config::Precision::bf16:
      return visitor.template operator()<Bf16>();
    case config::Precision::int8:
      return visitor.template operator()<Int8>();
  }
  fail("precision number {} has no codec", static_cast<int>(precision));
}

}  // namespace persia::table

#pragma GCC diagnostic pop
