// The whole life of a trainer rank, and of a process that does everything itself.
#pragma once

#include <nlohmann/json.hpp>

#include "train/setting.hpp"

namespace persia::train {

// Engine, mailboxes, work, orderly end. The result on trainer 0, null elsewhere. Collective over the world,
// in the same order as run_embedding(). Throws roles::StoppedTogether on all trainers when they stop
// together, Error on one trainer otherwise.
[[nodiscard]] nlohmann::json run_trainer(const Setting& setting);

// The same with the tables in this process: no mailboxes, no other ranks.
[[nodiscard]] nlohmann::json run_everything(const Setting& setting);

}  // namespace persia::train
