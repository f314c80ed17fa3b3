#include "embed/local_source.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "example.hpp"

namespace persia::embed {
namespace {

struct LocalSource : ::testing::Test {
  config::Schema schema = example::schema();
  data::Batch batch = example::batch();
  LookupPlan plan = make_plan(batch, schema, 1);
  std::vector<std::unique_ptr<table::Table>> tables;
  std::unique_ptr<EmbeddingSource> source;
  LocalSource() {
    for (const config::TableSchema& one : schema.tables)
      tables.push_back(table::make_table(one, {.seed = 1}));
    source = make_local_source(tables);
  }
  std::vector<float> look_up(table::Purpose purpose) {
    (void)source->start_lookup(plan, Step(0), purpose);
    return source->ready().value().rows;
  }
};

TEST_F(LocalSource, UpdatesAreSeenByTheNextLookup) {
  const Token token = source->start_lookup(plan, Step(0), table::Purpose::train);
  const std::vector<float> before = source->ready().value().rows;
  EXPECT_EQ(source->open_tokens(), 1);
  source->push(token, plan, Step(0), std::vector<float>(before.size(), 0.25F));
  EXPECT_EQ(source->open_tokens(), 0);
  const std::vector<float> after = look_up(table::Purpose::evaluate);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_FLOAT_EQ(after[i], before[i] - 0.25F);
}

TEST_F(LocalSource, EvaluationOpensNoTokenAndMakesNoRow) {
  const std::vector<float> rows = look_up(table::Purpose::evaluate);
  EXPECT_EQ(rows, std::vector<float>(rows.size(), 0.0F));
  EXPECT_EQ(source->open_tokens(), 0);
  EXPECT_EQ(tables[0]->statistics().rows, 0);
}

TEST_F(LocalSource, ReadyGivesLookupsInTheOrderOfTheirStart) {
  const Token first = source->start_lookup(plan, Step(0), table::Purpose::train);
  const Token second = source->start_lookup(plan, Step(1), table::Purpose::train);
  EXPECT_EQ(source->ready().value().token, first);
  EXPECT_EQ(source->ready().value().token, second);
  EXPECT_FALSE(source->ready().has_value());
}

TEST_F(LocalSource, APushWithoutAnOpenTokenIsRefused) {
  EXPECT_THROW(source->push(Token(77), plan, Step(0), {}), Error);
}

}  // namespace
}  // namespace persia::embed
