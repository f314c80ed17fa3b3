// The life of a worker rank: reads, looks up and pools what trainers want, and takes their gradients to the
// owners.
#pragma once

#include "train/setting.hpp"

namespace persia::train {

// Serves the trainers until all of them are done. Throws roles::StoppedTogether where they stopped for a
// reason; what is wrong was told by them. Collective over the world.
void run_worker(const Setting& setting);

}  // namespace persia::train
