// What all trainers together have read. Caller: trainer.cpp.
#pragma once

#include "data/batch.hpp"
#include "sys/communicator.hpp"
#include "train/setting.hpp"

namespace persia::train {

// Collective over `trainers`.
[[nodiscard]] data::ReadCounts sum_over(const sys::Communicator& trainers, const data::ReadCounts& own);

// A network that saw no row must not pass for a trained one: all trainers stop together with a UserError,
// unless the training goes on from a checkpoint. Collective over the trainers.
void require_rows(const Setting& setting, const data::ReadCounts& own);

}  // namespace persia::train
