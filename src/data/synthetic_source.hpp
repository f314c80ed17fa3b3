// Batches of the synthetic pool (formulas in synthetic.hpp, contract in source.hpp). One epoch is the pool of
// data.synthetic.rows samples; nothing is read, values are made when a batch is asked for.
#pragma once

#include <memory>

#include "data/source.hpp"

namespace persia::data {

[[nodiscard]] std::unique_ptr<BatchSource> open_synthetic_source(const config::Data& data,
                                                                 const config::Schema& schema,
                                                                 const SourceOptions& options);

}  // namespace persia::data
