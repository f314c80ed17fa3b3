#include "table/admission.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "table_maker.hpp"

namespace persia::table {
namespace {

config::TableSchema admitting(double probability) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 2);
  schema.table.admission = {.policy = config::AdmissionPolicy::probability, .probability = probability};
  return schema;
}

TEST(Admission, LetsInTheGivenShareOfTheIds) {
  for (const double probability : {0.01, 0.3, 0.9}) {
    const auto table = make_table(admitting(probability), {});
    (void)lookup(*table, ids_between(0, 100000));
    const double wanted = 100000 * probability;
    EXPECT_NEAR(static_cast<double>(table->statistics().rows), wanted,
                5 * std::sqrt(wanted * (1 - probability)));
    EXPECT_EQ(table->statistics().rows + table->statistics().not_admitted, 100000);
  }
}

TEST(Admission, DecidesOncePerIdWhateverTheLookUp) {
  const auto table = make_table(admitting(0.5), {});
  const Answer first = lookup(*table, ids_between(0, 1000));
  const auto other = make_table(admitting(0.5), {});
  for (std::uint64_t id = 1000; id-- > 0;)
    EXPECT_EQ(lookup(*other, ids_of({id})).rows[0].absent(), first.rows[id].absent());
  EXPECT_EQ(lookup(*table, ids_between(0, 1000)).rows, first.rows);
}

TEST(Admission, TheOthersAnswerZerosAndTheirGradientsAreNobodys) {
  const auto table = make_table(admitting(0.5), {});
  const auto ids = ids_between(0, 1000);
  for (std::uint64_t step = 0; step < 3; ++step) {
    Answer answer = lookup(*table, ids);
    std::vector<float> gradients = gradients_of(2000, step);
    std::vector<float> expected = answer.values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool absent = answer.rows[i].absent();
      if (absent) {
        EXPECT_EQ(answer.values[2 * i], 0.0F);
        EXPECT_EQ(answer.values[2 * i + 1], 0.0F);
        gradients[2 * i] = NAN;  // not even that is noted
      }
      for (std::size_t d = 2 * i; d < 2 * i + 2; ++d)
        if (!absent) expected[d] -= 0.05F * gradients[d];
    }
    table->update(answer.rows, gradients, Step(0));
    EXPECT_EQ(lookup(*table, ids, Purpose::evaluate).values, expected);
  }
  EXPECT_EQ(table->statistics().non_finite, 0);
}

TEST(Admission, OneLetsEverythingIn) {
  const auto table = make_table(admitting(1), {});
  (void)lookup(*table, ids_between(0, 10000));
  EXPECT_EQ(table->statistics().rows, 10000);
}

}  // namespace
}  // namespace persia::table
