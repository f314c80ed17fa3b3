// What optimizers are: which the dense network can have (the others are for embedding rows alone), which keep
// numbers for each element of a row.
#pragma once

#include <string>

#include "config/run_file.hpp"

namespace persia::config {

[[nodiscard]] bool has_dense_form(OptimizerType type);

// Whether a row of dim numbers has states of dim numbers, beside those of the row as a whole.
[[nodiscard]] bool has_element_states(OptimizerType type);

// The types for which `has` holds: "momentum, adagrad or adam".
[[nodiscard]] std::string optimizers_with(bool (*has)(OptimizerType));

// "training.optimizer.type is TYPE, which ...; use ...". Pre: no dense form.
[[nodiscard]] std::string no_dense_form_message(OptimizerType type);

}  // namespace persia::config
