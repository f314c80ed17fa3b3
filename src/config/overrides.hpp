// `--set section.key=value` on the tree of a run file.
//
// The value is YAML (`[64, 32]`, `{type: sgd, learning_rate: 0.1}`, `"1"`) and replaces what stood there,
// maps included. An empty value (`--set training.staleness=`) takes the key back to its default, as if it
// were not written. Names with dots and elements of lists cannot be addressed; replace the whole list.
#pragma once

#include <string>
#include <vector>

#include "config/node.hpp"

namespace persia::config {

// In the order given. Pre: `root` is a map. UserError naming the override.
void apply_overrides(Node& root, const std::vector<std::string>& overrides);

}  // namespace persia::config
