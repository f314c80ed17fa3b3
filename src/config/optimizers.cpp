#include "config/optimizers.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "config/names.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::config {

bool has_dense_form(OptimizerType type) {
  switch (type) {
    case OptimizerType::sgd:
    case OptimizerType::momentum:
    case OptimizerType::adagrad:
    case OptimizerType::adam:
      return true;
    case OptimizerType::rowwise_adagrad:
    case OptimizerType::rowwise_adam:
    case OptimizerType::adamw:
    case OptimizerType::ftrl:
    case OptimizerType::lamb:
      return false;
  }
  return false;
}

bool has_element_states(OptimizerType type) {
  switch (type) {
    case OptimizerType::sgd:
    case OptimizerType::rowwise_adagrad:
      return false;
    case OptimizerType::momentum:
    case OptimizerType::adagrad:
    case OptimizerType::adam:
    case OptimizerType::rowwise_adam:
    case OptimizerType::adamw:
    case OptimizerType::ftrl:
    case OptimizerType::lamb:
      return true;
  }
  return false;
}

std::string optimizers_with(bool (*has)(OptimizerType)) {
  const NameList all = names_of(OptimizerType());
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (has(static_cast<OptimizerType>(i))) names.push_back(all[i]);
  return join_names(names);
}

std::string no_dense_form_message(OptimizerType type) {
  return fmt::format(
      "training.optimizer.type is {}, which is for embedding rows alone; for the dense network use {}",
      name_of(type), optimizers_with(has_dense_form));
}

}  // namespace persia::config
