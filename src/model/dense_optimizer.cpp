#include "model/dense_optimizer.hpp"

#include "base/error.hpp"
#include "config/optimizers.hpp"
#include "model/dense_optimizer_kinds.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::model {

std::unique_ptr<DenseOptimizer> make_dense_optimizer(const config::Optimizer& options,
                                                     std::int64_t num_parameters) {
  switch (options.type) {
    case config::OptimizerType::sgd:
      return make_dense_sgd(options);
    case config::OptimizerType::momentum:
      return make_dense_momentum(options, num_parameters);
    case config::OptimizerType::adagrad:
      return make_dense_adagrad(options, num_parameters);
    case config::OptimizerType::adam:
      return make_dense_adam(options, num_parameters);
    case config::OptimizerType::rowwise_adagrad:
    case config::OptimizerType::rowwise_adam:
    case config::OptimizerType::adamw:
    case config::OptimizerType::ftrl:
    case config::OptimizerType::lamb:
      fail_user("{}", config::no_dense_form_message(options.type));
  }
  fail("training.optimizer.type has the unknown value {}", static_cast<int>(options.type));
}

}  // namespace persia::model
