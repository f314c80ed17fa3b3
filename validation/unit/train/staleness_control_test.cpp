#include "train/staleness_control.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace persia::train {
namespace {

config::Training automatic(std::int32_t most = 16, double margin = 0.001) {
  config::Training training;
  training.staleness.automatic = true;
  training.staleness_max = most;
  training.staleness_margin = margin;
  return training;
}

StepTotals totals(double waited_share, double loss) {
  return {.loss_sum = loss * 100,
          .rows = 100,
          .waited_seconds = waited_share,
          .worked_seconds = 1 - waited_share};
}

// `steps` steps whose waiting and loss depend on the bound of their look-up. Returns the bound of each.
std::vector<std::int32_t> run(StalenessControl& control, int steps,
                              const std::function<double(std::int32_t)>& waiting,
                              const std::function<double(std::int32_t, int step)>& loss) {
  std::vector<std::int32_t> bounds;
  for (int step = 0; step < steps; ++step) {
    bounds.push_back(control.bound());
    control.add(totals(waiting(bounds.back()), loss(bounds.back(), step)));
  }
  return bounds;
}

const auto equal_loss = [](std::int32_t, int step) { return 0.5 + 0.01 * (step % 7); };

TEST(StalenessControl, ANumberStaysWhatItIs) {
  config::Training training;
  training.staleness.bound = 7;
  StalenessControl control(training);
  const auto bounds = run(
      control, 3000, [](std::int32_t) { return 0.9; }, equal_loss);
  EXPECT_EQ(bounds, std::vector<std::int32_t>(3000, 7));
}

TEST(StalenessControl, TrainersThatWaitGetMoreUpToTheMost) {
  StalenessControl control(automatic(13));
  const auto bounds = run(
      control, 400, [](std::int32_t bound) { return 0.9 / (1 + bound); }, equal_loss);
  EXPECT_EQ(*std::max_element(bounds.begin(), bounds.end()), 13);
  EXPECT_EQ(control.bound(), 13);
}

TEST(StalenessControl, TheLeastBoundThatKeepsThemBusyIsFound) {
  StalenessControl control(automatic());
  const auto waiting = [](std::int32_t bound) { return bound >= 6 ? 0.0 : 0.3 - 0.04 * bound; };
  const auto bounds = run(control, 20000, waiting, equal_loss);
  const auto at_six = std::count(bounds.end() - 10000, bounds.end(), 6);
  EXPECT_GT(at_six, 9000) << "of the last 10000 steps";
}

TEST(StalenessControl, WhatDoesNotHelpIsTakenBack) {
  StalenessControl control(automatic());
  const auto bounds = run(
      control, 20000, [](std::int32_t) { return 0.5; }, equal_loss);
  const auto at_start = std::count(bounds.end() - 10000, bounds.end(), 4);
  EXPECT_GT(at_start, 8000) << "the owners' speed decides, not the bound";
}

TEST(StalenessControl, ABoundThatCostsLossIsHalved) {
  StalenessControl control(automatic(16, 0.001));
  const auto waiting = [](std::int32_t bound) { return 0.9 / (1 + bound); };
  const auto loss = [](std::int32_t bound, int step) {
    return 0.5 + 0.001 * (step % 2) + (bound > 5 ? 0.01 : 0.0);
  };
  const auto bounds = run(control, 20000, waiting, loss);
  const auto above = std::count_if(bounds.end() - 10000, bounds.end(), [](std::int32_t b) { return b > 5; });
  EXPECT_LT(above, 4500);
  EXPECT_EQ(*std::max_element(bounds.begin(), bounds.begin() + 300), 16);
  EXPECT_LE(*std::max_element(bounds.begin() + 450, bounds.begin() + 1400), 8);
}

TEST(StalenessControl, AFallingLossIsNotTakenForStaleness) {
  StalenessControl control(automatic(16, 0.0005));
  const auto waiting = [](std::int32_t bound) { return 0.9 / (1 + bound); };
  const auto loss = [](std::int32_t, int step) { return 0.7 - 0.00005 * step; };
  (void)run(control, 5000, waiting, loss);
  EXPECT_EQ(control.bound(), 16);
}

TEST(StalenessControl, NoiseIsNotTakenForStaleness) {
  StalenessControl control(automatic(16, 1e-6));
  const auto waiting = [](std::int32_t bound) { return 0.9 / (1 + bound); };
  const auto loss = [](std::int32_t, int step) { return 0.5 + 0.01 * ((step * 7919) % 101) / 101.0; };
  (void)run(control, 5000, waiting, loss);
  EXPECT_GE(control.bound(), 8);
}

TEST(StalenessControl, EqualSumsGiveEqualBounds) {
  StalenessControl one(automatic()), other(automatic());
  const auto waiting = [](std::int32_t bound) { return 0.4 / (1 + bound); };
  EXPECT_EQ(run(one, 3000, waiting, equal_loss), run(other, 3000, waiting, equal_loss));
}

}  // namespace
}  // namespace persia::train
