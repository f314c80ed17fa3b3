#include "train/predictions.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "fixtures.hpp"
#include "sys/hdf5.hpp"

namespace persia::train {
namespace {

// Rows out of order.
Predictions example() {
  Predictions predictions;
  predictions.add(std::array<std::int64_t, 2>{3, 1}, std::array{0.0F, 100.0F});
  predictions.add(std::array<std::int64_t, 1>{2}, std::array{-1.0F});
  predictions.gather(sys::Communicator::self());
  return predictions;
}

TEST(Predictions, CsvHoldsRowsInOrderWithProbabilitiesThatReadBack) {
  const Folder folder;
  example().write(folder.path() / "p.csv");
  EXPECT_EQ(text_of(folder.path() / "p.csv"), "row,probability\n1,1\n2,0.2689414213699951\n3,0.5\n");
  EXPECT_EQ(std::stod("0.2689414213699951"), 1.0 / (1.0 + std::exp(1.0)));
}

TEST(Predictions, Hdf5HoldsTheSameAsTwoDatasets) {
  const Folder folder;
  for (const std::string name : {"p.h5", "p.hdf5"}) {
    example().write(folder.path() / name);
    sys::Hdf5File file = sys::Hdf5File::open(folder.path() / name);
    std::array<std::int64_t, 3> rows{};
    std::array<double, 3> probabilities{};
    const sys::Hdf5Dataset row = file.root().open_dataset("row");
    ASSERT_EQ(row.shape(), std::vector<std::int64_t>{3});
    row.read_rows(0, std::as_writable_bytes(std::span(rows)));
    const sys::Hdf5Dataset probability = file.root().open_dataset("probability");
    ASSERT_EQ(probability.type(), sys::Hdf5Type::float64);
    probability.read_rows(0, std::as_writable_bytes(std::span(probabilities)));
    EXPECT_EQ(rows, (std::array<std::int64_t, 3>{1, 2, 3}));
    EXPECT_EQ(probabilities, (std::array{1.0, 1.0 / (1.0 + std::exp(1.0)), 0.5}));
  }
}

TEST(Predictions, NoRowsGiveAFileWithoutRows) {
  const Folder folder;
  const Predictions none;
  none.write(folder.path() / "p.csv");
  none.write(folder.path() / "p.h5");
  EXPECT_EQ(text_of(folder.path() / "p.csv"), "row,probability\n");
  EXPECT_EQ(sys::Hdf5File::open(folder.path() / "p.h5").root().open_dataset("row").rows(), 0);
}

TEST(Predictions, ExtremeLogitsGiveZeroAndOneNotNaN) {
  const Folder folder;
  Predictions predictions;
  predictions.add(std::array<std::int64_t, 2>{0, 1}, std::array{-3e38F, 3e38F});
  predictions.write(folder.path() / "p.csv");
  EXPECT_EQ(text_of(folder.path() / "p.csv"), "row,probability\n0,0\n1,1\n");
}

TEST(Predictions, OtherNamesAreAUserErrorThatSaysWhichOnesAreTaken) {
  for (const char* name : {"p.txt", "p", "csv", "p.csv.gz"})
    EXPECT_EQ(message_of<UserError>([&] { Predictions::check_output(name); }),
              fmt::format("--output {} must end in .csv, .h5 or .hdf5", name));
  const Folder folder;
  EXPECT_NO_THROW(Predictions::check_output(folder.path() / "new" / "p.csv"));
  EXPECT_THAT(message_of<UserError>([&] { Predictions::check_output("/proc/none/p.csv"); }),
              ::testing::HasSubstr("--output"));
}

TEST(Predictions, AWriteThatFailsLeavesNothingBehind) {
  const Folder folder;
  EXPECT_THROW(example().write(folder.path() / "absent" / "p.h5"), Error);
  EXPECT_THROW(example().write(folder.path() / "absent" / "p.csv"), Error);
  std::filesystem::create_directories(folder.path() / "p.h5" / "in-the-way");
  EXPECT_THROW(example().write(folder.path() / "p.h5"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "p.h5.tmp"));
}

}  // namespace
}  // namespace persia::train
