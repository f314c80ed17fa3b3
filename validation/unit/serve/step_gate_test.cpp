#include "serve/step_gate.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "example.hpp"

namespace persia::serve {
namespace {

constexpr FeatureId kOne{1}, kTwo{2};

TEST(StepGate, SumsARowOverTrainersAndAppliesItOnce) {
  const auto tables = example::tables();
  const auto both = example::rows_of(*tables[0], {kOne, kTwo});
  StepGate gate(2, Step(0));
  EXPECT_FALSE(gate.add(1, Step(0), {{1, Token(11)}, {{both[1]}}, {10, 20}}));
  EXPECT_TRUE(gate.add(0, Step(0), {{0, Token(10)}, {{both[0], both[1]}}, {1, 2, 3, 4}}));
  EXPECT_EQ(gate.apply(tables), (std::vector<Receipt>{{0, Token(10)}, {1, Token(11)}}));
  EXPECT_EQ(gate.open_step(), Step(1));
  EXPECT_EQ(example::values_of(*tables[0], {kOne, kTwo}), (std::vector<float>{-1, -2, -13, -24}));
}

TEST(StepGate, GivesTheSameBitsWhateverTheOrderOfArrival) {
  const std::vector<float> parts[] = {{1e8F, 1.0F}, {1.0F, -1e8F}, {-1e8F, 1e-3F}};
  std::vector<std::vector<float>> results;
  for (const std::vector<std::int32_t>& order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    const auto tables = example::tables();
    const auto rows = example::rows_of(*tables[0], {kOne});
    StepGate gate(3, Step(5));
    for (const std::int32_t trainer : order)
      (void)gate.add(trainer, Step(5), {{0, Token(1)}, {rows}, parts[trainer]});
    gate.apply(tables);
    results.push_back(example::values_of(*tables[0], {kOne}));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(StepGate, RefusesAnotherStepAndASecondGradientOfOneTrainerAndATrainerThatIsNone) {
  StepGate gate(2, Step(3));
  EXPECT_THROW((void)gate.add(0, Step(4), {{0, Token(1)}, {{}}, {}}), Error);
  EXPECT_FALSE(gate.add(0, Step(3), {{0, Token(1)}, {{}}, {}}));
  EXPECT_THROW((void)gate.add(0, Step(3), {{0, Token(2)}, {{}}, {}}), Error);
  EXPECT_THROW((void)gate.add(2, Step(3), {{0, Token(3)}, {{}}, {}}), Error);
}

TEST(StepGate, NamesTheTrainersItWaitsFor) {
  StepGate gate(3, Step(120));
  EXPECT_EQ(gate.describe(), "step 120 waits for the gradients of trainers 0, 1, 2");
  EXPECT_FALSE(gate.add(1, Step(120), {{0, Token(1)}, {{}}, {}}));
  EXPECT_EQ(gate.describe(), "step 120 waits for the gradients of trainers 0, 2");
}

}  // namespace
}  // namespace persia::serve
