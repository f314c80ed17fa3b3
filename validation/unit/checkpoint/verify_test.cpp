#include <gmock/gmock.h>

#include <fstream>

#include "base/error.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Verify : public CheckpointTest {
 protected:
  void SetUp() override {
    CheckpointTest::SetUp();
    std::vector<Tables> owners;
    owners.push_back(make_tables({schema_of("t", config::Precision::fp32, config::OptimizerType::sgd)}));
    train_rows(*owners[0][0], {1, 2, 3}, 0, 1);
    step_ = save_all(folder_, 1, owners);
    manifest_ = read_manifest(step_);
  }
  std::string message() {
    return user_error([&] { verify(step_, manifest_); });
  }
  std::filesystem::path step_;
  Manifest manifest_;
};

TEST_F(Verify, PassesWhatWasSaved) {
  EXPECT_NO_THROW(verify(step_, manifest_));
}

TEST_F(Verify, NamesAMissingFile) {
  std::filesystem::remove(step_ / "dense.h5");
  EXPECT_THAT(message(), AllOf(HasSubstr("dense.h5"), HasSubstr("missing")));
}

TEST_F(Verify, NamesAFileCutShort) {
  const std::string name = "embedding-0000-of-0001.h5";
  std::filesystem::resize_file(step_ / name, 100);
  EXPECT_THAT(message(), AllOf(HasSubstr(name), HasSubstr("has 100 bytes"), HasSubstr("cut short")));
}

TEST_F(Verify, NamesAFileWithOneFlippedBit) {
  const std::string name = "embedding-0000-of-0001.h5";
  std::fstream file(step_ / name, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-3, std::ios::end);
  const int byte = file.get();
  file.seekp(-3, std::ios::end);
  file.put(static_cast<char>(byte ^ 1));
  file.close();
  EXPECT_THAT(message(), AllOf(HasSubstr(name), HasSubstr("checksum"), HasSubstr("altered")));
}

}  // namespace
}  // namespace persia::checkpoint
