// The body of a lookup message (wire/records.hpp); serve/lookup_request.hpp reads it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/strong.hpp"
#include "embed/owner_part.hpp"
#include "table/table.hpp"
#include "wire/values.hpp"

namespace persia::embed {

// Asks an owner for its parts of a batch, in values of that format; names rows of `kept` that the client has,
// if it keeps any.
[[nodiscard]] std::vector<std::byte> write_lookup(std::span<const OwnerPart> asked,
                                                  std::span<const OwnerPart> kept, Step step,
                                                  table::Purpose purpose, wire::ValueFormat values);

}  // namespace persia::embed
