// The format as documented: names, types, attributes and bytes of a tiny checkpoint, read without the room's
// own readers, and by h5py where it is installed.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>

#include "base/file.hpp"
#include "fixtures.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {
namespace {

using sys::Hdf5Type;
using ::testing::ElementsAre;

// Two rows of two values, each exact in every precision.
class TwoRows final : public table::Table {
 public:
  explicit TwoRows(config::TableSchema schema) : schema_(std::move(schema)) {}
  void lookup(std::span<const FeatureId>, table::Purpose, std::span<float>, std::span<table::Row>,
              table::Moment) override {}
  void update(std::span<const table::Row>, std::span<const float>, Step) override {}
  [[nodiscard]] const config::TableSchema& schema() const override { return schema_; }
  [[nodiscard]] table::TableStatistics statistics() const override {
    table::TableStatistics statistics;
    statistics.rows = 2;
    return statistics;
  }
  [[nodiscard]] std::int32_t value_bytes() const override {
    switch (schema_.table.precision) {
      case config::Precision::fp32:
        return 8;
      case config::Precision::fp16:
      case config::Precision::bf16:
        return 4;
      case config::Precision::int8:
        return 2;
    }
    return 0;
  }
  [[nodiscard]] std::int32_t state_floats() const override { return 1; }
  void for_each_block(std::int64_t, const std::function<void(const Block&)>& visit) const override {
    const std::array<FeatureId, 2> ids = {FeatureId(UINT64_MAX), FeatureId(5)};
    const std::array<float, 2> state = {0.25F, 8.0F};
    const std::array<float, 4> fp32 = {1.0F, -2.0F, 0.5F, 4.0F};
    const std::array<std::uint16_t, 4> fp16 = {0x3C00, 0xC000, 0x3800, 0x4400};
    const std::array<std::uint16_t, 4> bf16 = {0x3F80, 0xC000, 0x3F00, 0x4080};
    const std::array<std::int8_t, 4> int8 = {1, -2, 0, 127};
    switch (schema_.table.precision) {
      case config::Precision::fp32:
        return visit({ids, std::as_bytes(std::span(fp32)), state});
      case config::Precision::fp16:
        return visit({ids, std::as_bytes(std::span(fp16)), state});
      case config::Precision::bf16:
        return visit({ids, std::as_bytes(std::span(bf16)), state});
      case config::Precision::int8:
        return visit({ids, std::as_bytes(std::span(int8)), state});
    }
  }
  void insert_block(const Block&) override {}
  [[nodiscard]] std::vector<std::uint64_t> sightings() const override { return {}; }
  void insert_sightings(std::span<const std::uint64_t>) override {}

 private:
  config::TableSchema schema_;
};

class Format : public CheckpointTest {
 protected:
  void SetUp() override {
    CheckpointTest::SetUp();
    using enum config::Precision;
    std::vector<Tables> owners(1);
    for (const auto& [name, precision] :
         {std::pair{"fp32", fp32}, {"fp16", fp16}, {"bf16", bf16}, {"int8", int8}})
      owners[0].push_back(
          std::make_unique<TwoRows>(schema_of(name, precision, config::OptimizerType::rowwise_adagrad, 2)));
    step_ = save_all(folder_, 9, owners);
  }
  std::filesystem::path step_;
};

TEST_F(Format, OfAnEmbeddingFile) {
  sys::Hdf5File file = sys::Hdf5File::open(step_ / "embedding-0000-of-0001.h5");
  const sys::Hdf5Group root = file.root();
  EXPECT_THAT(root.children(), ElementsAre("tables"));
  EXPECT_EQ(root.read_text("format"), "persia-checkpoint");
  EXPECT_EQ(root.read_integer("format_version"), 1);
  EXPECT_EQ(root.read_text("content"), "embedding");
  EXPECT_EQ(root.read_integer("step"), 9);
  EXPECT_EQ(root.read_integer("owner"), 0);
  EXPECT_EQ(root.read_integer("num_owners"), 1);
  EXPECT_FALSE(root.read_text("placement").empty());
  const sys::Hdf5Group tables = root.open_group("tables");
  EXPECT_THAT(tables.children(), ElementsAre("bf16", "fp16", "fp32", "int8"));
  const sys::Hdf5Group table = tables.open_group("fp16");
  EXPECT_EQ(table.read_text("name"), "fp16");
  EXPECT_EQ(table.read_integer("rows"), 2);
  EXPECT_EQ(table.read_integer("dim"), 2);
  EXPECT_EQ(table.read_text("precision"), "fp16");
  EXPECT_EQ(table.read_text("optimizer"), "rowwise_adagrad");
  EXPECT_THAT(table.read_text("state_names"), ::testing::StartsWith("accumulator"));
  EXPECT_EQ(table.read_unsigned("salt"), hash_bytes("fp16", 0));
  EXPECT_THAT(table.children(), ElementsAre("ids", "state", "values"));
}

TEST_F(Format, OfItsArrays) {
  sys::Hdf5File file = sys::Hdf5File::open(step_ / "embedding-0000-of-0001.h5");
  const sys::Hdf5Group tables = file.root().open_group("tables");
  for (const auto& [name, type] :
       {std::pair{"fp32", Hdf5Type::float32}, {"fp16", Hdf5Type::float16}, {"bf16", Hdf5Type::bfloat16}}) {
    const sys::Hdf5Group table = tables.open_group(name);
    const sys::Hdf5Dataset ids = table.open_dataset("ids"), values = table.open_dataset("values"),
                           state = table.open_dataset("state");
    EXPECT_EQ(ids.type(), Hdf5Type::uint64);
    EXPECT_EQ(values.type(), type);
    EXPECT_EQ(state.type(), Hdf5Type::float32);
    EXPECT_THAT(ids.shape(), ElementsAre(2));
    EXPECT_THAT(values.shape(), ElementsAre(2, 2));
    EXPECT_THAT(state.shape(), ElementsAre(2, 1));
    std::vector<std::uint64_t> id_values(2);
    ids.read_rows(0, std::as_writable_bytes(std::span(id_values)));
    EXPECT_THAT(id_values, ElementsAre(UINT64_MAX, 5));
    std::vector<float> floats(4);
    values.read_rows_as_float(0, floats);
    EXPECT_THAT(floats, ElementsAre(1.0F, -2.0F, 0.5F, 4.0F));
  }
}

TEST_F(Format, OfRowsWithAScale) {
  sys::Hdf5File file = sys::Hdf5File::open(step_ / "embedding-0000-of-0001.h5");
  const sys::Hdf5Group table = file.root().open_group("tables").open_group("int8");
  EXPECT_THAT(table.read_text("state_names"), ::testing::EndsWith(",scale"));
  const sys::Hdf5Dataset values = table.open_dataset("values");
  EXPECT_EQ(values.type(), Hdf5Type::int8);
  std::vector<std::int8_t> whole(4);
  values.read_rows(0, std::as_writable_bytes(std::span(whole)));
  EXPECT_THAT(whole, ElementsAre(1, -2, 0, 127));
}

TEST_F(Format, OfTheDenseFile) {
  sys::Hdf5File file = sys::Hdf5File::open(step_ / "dense.h5");
  const sys::Hdf5Group root = file.root();
  EXPECT_THAT(root.children(), ElementsAre("optimizer", "parameters"));
  EXPECT_EQ(root.read_text("content"), "dense");
  EXPECT_EQ(root.open_group("optimizer").read_integer("steps"), 77);
  EXPECT_THAT(root.open_group("optimizer").children(), ElementsAre("m", "v"));
  const sys::Hdf5Dataset weight = root.open_group("parameters").open_dataset("bottom.0.weight");
  EXPECT_EQ(weight.type(), Hdf5Type::float32);
  EXPECT_THAT(weight.shape(), ElementsAre(2, 3));
}

TEST_F(Format, IsTheSameBytesForTheSameContent) {
  const std::string first = read_text_file(step_ / "embedding-0000-of-0001.h5");
  TearDown();
  SetUp();
  EXPECT_EQ(read_text_file(step_ / "embedding-0000-of-0001.h5"), first);
}

TEST_F(Format, OpensInH5py) {
  bool checked = false;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = std::string(python) + " " H5PY_CHECK " " + folder_.string();
    const int status = std::system(command.c_str());
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) continue;
    EXPECT_EQ(WEXITSTATUS(status), 0);
    checked = true;
    break;
  }
  if (!checked) GTEST_SKIP() << "no Python here has h5py";
}

}  // namespace
}  // namespace persia::checkpoint
