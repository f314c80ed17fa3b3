// Which optimizers the dense network can have: the others are for embedding rows alone.
#pragma once

#include <string>

#include "config/run_file.hpp"

namespace persia::config {

[[nodiscard]] bool has_dense_form(OptimizerType type);

// "training.optimizer.type is TYPE, which ...; use ...". Pre: no dense form.
[[nodiscard]] std::string no_dense_form_message(OptimizerType type);

}  // namespace persia::config
