// What a reader reads for one trainer, whoever runs it.
#pragma once

#include <cstdint>

#include "table/table.hpp"
#include "train/batch_feed.hpp"
#include "train/setting.hpp"

namespace persia::train {

// `trainer` decides the slice of every global batch. Training starts at `start`, an evaluation at the
// beginning.
[[nodiscard]] FeedOptions feed_options(const Setting& setting, table::Purpose purpose,
                                       const data::Position& start, std::int32_t trainer);

}  // namespace persia::train
