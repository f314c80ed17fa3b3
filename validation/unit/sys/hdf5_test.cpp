#include "sys/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <numeric>

#include "base/error.hpp"

namespace persia::sys {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Hdf5 : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("persia-hdf5-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Hdf5, GivesBackArraysOfEveryType) {
  for (const Hdf5Type type : {Hdf5Type::float16, Hdf5Type::bfloat16, Hdf5Type::float32, Hdf5Type::int8,
                              Hdf5Type::int64, Hdf5Type::uint64}) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(6 * size_of(type)));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37);
    const fs::path path = folder_ / "types.h5";
    {
      Hdf5File file = Hdf5File::create(path);
      file.root().create_dataset("x", type, {3, 2}).write_rows(0, bytes);
      file.close();
    }
    Hdf5File file = Hdf5File::open(path);
    const Hdf5Dataset x = file.root().open_dataset("x");
    EXPECT_EQ(x.type(), type);
    EXPECT_THAT(x.shape(), ElementsAre(3, 2));
    std::vector<std::byte> back(bytes.size());
    x.read_rows(0, back);
    EXPECT_EQ(back, bytes);
    std::vector<std::byte> last(bytes.size() / 3);
    x.read_rows(2, last);
    EXPECT_TRUE(std::equal(last.begin(), last.end(), bytes.end() - static_cast<std::ptrdiff_t>(last.size())));
  }
}

TEST_F(Hdf5, ReadsShortFloatsAsFloats) {
  const std::vector<std::uint16_t> half = {0x3C00, 0xC000, 0x3555};   // 1, -2, 0.33325
  const std::vector<std::uint16_t> brain = {0x3F80, 0xC000, 0x3EAB};  // 1, -2, 0.33398
  const fs::path path = folder_ / "short.h5";
  {
    Hdf5File file = Hdf5File::create(path);
    file.root().create_dataset("half", Hdf5Type::float16, {3}).write_rows(0, std::as_bytes(std::span(half)));
    file.root()
        .create_dataset("brain", Hdf5Type::bfloat16, {3})
        .write_rows(0, std::as_bytes(std::span(brain)));
    file.close();
  }
  Hdf5File file = Hdf5File::open(path);
  std::vector<float> values(3);
  file.root().open_dataset("half").read_rows_as_float(0, values);
  EXPECT_THAT(values, ElementsAre(1.0F, -2.0F, 0.333251953125F));
  file.root().open_dataset("brain").read_rows_as_float(0, values);
  EXPECT_THAT(values, ElementsAre(1.0F, -2.0F, std::bit_cast<float>(0x3EAB0000U)));
}

TEST_F(Hdf5, KeepsAttributesExactly) {
  const fs::path path = folder_ / "attributes.h5";
  {
    Hdf5File file = Hdf5File::create(path);
    Hdf5Group group = file.root().create_group("g");
    group.write_integer("low", INT64_MIN);
    group.write_unsigned("high", UINT64_MAX);
    group.write_text("name", "Größe, 価格");
    group.write_text("empty", "");
    file.close();
  }
  Hdf5File file = Hdf5File::open(path);
  const Hdf5Group group = file.root().open_group("g");
  EXPECT_EQ(group.read_integer("low"), INT64_MIN);
  EXPECT_EQ(group.read_unsigned("high"), UINT64_MAX);
  EXPECT_EQ(group.read_text("name"), "Größe, 価格");
  EXPECT_EQ(group.read_text("empty"), "");
  EXPECT_THAT(file.root().children(), ElementsAre("g"));
  EXPECT_TRUE(file.root().has("g"));
  EXPECT_FALSE(file.root().has("h"));
}

TEST_F(Hdf5, KeepsArraysWithoutRowsOrWidth) {
  const fs::path path = folder_ / "empty.h5";
  {
    Hdf5File file = Hdf5File::create(path);
    file.root().create_dataset("no_rows", Hdf5Type::float32, {0, 4}).write_rows(0, {});
    file.root().create_dataset("no_width", Hdf5Type::float32, {5, 0}).write_rows(0, {});
    file.close();
  }
  Hdf5File file = Hdf5File::open(path);
  EXPECT_THAT(file.root().open_dataset("no_rows").shape(), ElementsAre(0, 4));
  EXPECT_THAT(file.root().open_dataset("no_width").shape(), ElementsAre(5, 0));
}

TEST_F(Hdf5, GrowsByRows) {
  const fs::path path = folder_ / "growing.h5";
  std::vector<float> values(300000);
  std::iota(values.begin(), values.end(), 0.0F);
  const auto bytes = std::as_bytes(std::span(values));
  {
    Hdf5File file = Hdf5File::create(path);
    Hdf5Dataset dataset = file.root().create_growing_dataset("x", Hdf5Type::float32, {});
    dataset.append_rows(bytes.first(4 * 7));
    dataset.append_rows(bytes.subspan(4 * 7));
    file.close();
  }
  Hdf5File file = Hdf5File::open(path);
  std::vector<float> back(values.size());
  file.root().open_dataset("x").read_rows_as_float(0, back);
  EXPECT_EQ(back, values);
}

TEST_F(Hdf5, EqualContentGivesEqualBytes) {
  const auto write = [&](const std::string& name) {
    Hdf5File file = Hdf5File::create(folder_ / name);
    const std::vector<float> values = {1, 2, 3};
    Hdf5Group root = file.root();
    root.write_text("a", "b");
    root.create_dataset("x", Hdf5Type::float32, {3}).write_rows(0, std::as_bytes(std::span(values)));
    file.close();
    std::ifstream in(folder_ / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string first = write("first.h5");
  ::usleep(1100000);  // HDF5's time stamps have seconds
  EXPECT_EQ(write("second.h5"), first);
}

TEST_F(Hdf5, SaysWhichFileCannotBeOpened) {
  const auto message = [](const fs::path& path) -> std::string {
    try {
      (void)Hdf5File::open(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no UserError";
  };
  EXPECT_THAT(message(folder_ / "absent.h5"), HasSubstr("absent.h5: No such file or directory"));
  std::ofstream(folder_ / "text.h5") << "this is no HDF5 file";
  EXPECT_THAT(message(folder_ / "text.h5"), HasSubstr("text.h5: "));
  EXPECT_THAT(message(folder_ / "text.h5"), HasSubstr("damaged"));
}

TEST_F(Hdf5, SaysWhichObjectIsAbsent) {
  Hdf5File file = Hdf5File::create(folder_ / "x.h5");
  try {
    (void)file.root().open_dataset("weights");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/weights"));
    EXPECT_THAT(error.what(), HasSubstr("x.h5"));
  }
}

TEST_F(Hdf5, SaysWhereAFileCannotBeCreated) {
  try {
    (void)Hdf5File::create(folder_ / "absent" / "x.h5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("absent/x.h5: No such file or directory"));
  }
}

TEST_F(Hdf5, RefusesRowsThatAreNotThere) {
  Hdf5File file = Hdf5File::create(folder_ / "x.h5");
  Hdf5Dataset dataset = file.root().create_dataset("x", Hdf5Type::float32, {2});
  std::vector<float> values(3);
  EXPECT_THROW(dataset.write_rows(0, std::as_bytes(std::span(values))), Error);
  EXPECT_THROW(dataset.read_rows_as_float(0, values), UserError);
}

}  // namespace
}  // namespace persia::sys
