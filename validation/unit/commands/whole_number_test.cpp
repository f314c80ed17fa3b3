#include "commands/whole_number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "commands/bench.hpp"
#include "commands/bench_table.hpp"
#include "commands/doctor.hpp"
#include "commands/generate.hpp"

namespace persia::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// "accepted", or what is wrong with the command line.
std::string verdict(const std::string& line) {
  CLI::App app("", "persia");
  Invocation invocation;
  register_generate(app, invocation);
  register_bench(app, invocation);
  register_doctor(app, invocation);
  try {
    app.parse(line);
  } catch (const CLI::ParseError& mistake) {
    return mistake.what();
  }
  return "accepted";
}

TEST(WholeNumber, RefusesWhatTheTypeCannotHold) {
  const std::string generate = "generate criteo --output /nowhere ";
  EXPECT_EQ(verdict(generate + "--rows 5 --test-rows 5 --seed 18446744073709551615"), "accepted");
  EXPECT_THAT(verdict(generate + "--rows 99999999999999999999"),
              AllOf(HasSubstr("--rows"), HasSubstr("is no whole number from 1 to 9223372036854775807")));
  for (const char* text : {"--rows 0", "--rows -5", "--rows 1e3", "--rows 010", "--test-rows 0", "--seed -1",
                           "--seed 18446744073709551616", "--cardinality 99999999999999999999"})
    EXPECT_NE(verdict(generate + text), "accepted") << text;
}

TEST(WholeNumber, RefusesMoreThreadsThanTheBackEndHolds) {
  for (const char* command : {"bench dense", "doctor"}) {
    EXPECT_EQ(verdict(command + std::string(" --threads 512")), "accepted");
    EXPECT_THAT(verdict(command + std::string(" --threads 513")), HasSubstr("to 512")) << command;
  }
}

TEST(WholeNumber, BenchTableTakesRowsOrBytes) {
  for (const char* text : {"--rows 5", "--bytes 12884901888"})
    EXPECT_EQ(verdict(std::string("bench table ") + text), "accepted") << text;
  EXPECT_THAT(verdict("bench table --rows 5 --bytes 5"), AllOf(HasSubstr("--rows"), HasSubstr("--bytes")));
  for (const char* text : {"--bytes 0", "--bytes -5", "--bytes 12GiB", "--bytes 9223372036854775808"})
    EXPECT_THAT(verdict(std::string("bench table ") + text), HasSubstr("is no whole number from 1")) << text;
}

TEST(BenchTable, RefusesTablesLargerThanTheMachine) {
  for (const std::int64_t rows : {99999999999999, std::numeric_limits<std::int64_t>::max()}) try {
      (void)bench_table({.rows = rows});
      FAIL();
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("dim=16 fp32"), HasSubstr("iB of memory"), HasSubstr("give fewer --rows")));
    }
  try {
    (void)bench_table({.bytes = std::numeric_limits<std::int64_t>::max()});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("iB of memory"), HasSubstr("give fewer --bytes")));
  }
}

}  // namespace
}  // namespace persia::commands
