// Batches from criteo and csv files (contract in source.hpp).
#pragma once

#include <memory>

#include "data/source.hpp"

namespace persia::data {

[[nodiscard]] std::unique_ptr<BatchSource> open_file_source(const config::Data& data,
                                                            const config::Schema& schema,
                                                            const SourceOptions& options);

}  // namespace persia::data
