#include "commands/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace persia::commands {
namespace {

// The manifest cannot tell whether an epoch has more batches.
TEST(Inspect, SaysWhatIsTrainedAndNotWhatComesNext) {
  const nlohmann::ordered_json report = {{"checkpoint", "c"},
                                         {"step", 96},
                                         {"epoch", 3},
                                         {"batch_in_epoch", 24},
                                         {"created", "2026-01-02T03:04:05Z"},
                                         {"num_owners", 2},
                                         {"tables", nlohmann::ordered_json::array()},
                                         {"parameters", nlohmann::ordered_json::array()},
                                         {"files", nlohmann::ordered_json::array()},
                                         {"verified", false}};
  EXPECT_THAT(inspect_text(report),
              testing::HasSubstr("after 96 steps: 24 batches of epoch 3 (the first epoch is 0), created"));
}

}  // namespace
}  // namespace persia::commands
