// EmbeddingSource over tables of the same process: no messages, every call acts at once.
#pragma once

#include <memory>
#include <span>

#include "embed/source.hpp"

namespace persia::embed {

// `tables` by TableIndex; they must outlive the source.
[[nodiscard]] std::unique_ptr<EmbeddingSource> make_local_source(
    std::span<const std::unique_ptr<table::Table>> tables);

}  // namespace persia::embed
