// Random damage to valid files: always batches or a UserError that names the file, never anything else.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "base/log.hpp"
#include "base/random.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

constexpr int kMutations = PERSIA_FUZZ_MUTATIONS;  // of each format; CMakeLists.txt sets it

class Dice {
 public:
  explicit Dice(std::uint64_t stream) : stream_(stream) {}
  std::size_t below(std::size_t bound) { return random_below(20261130, stream_, counter_++, bound); }

 private:
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;
};

void mutate(std::string& text, Dice& dice) {
  static const std::string interesting = "\t\n\r,\"|0-+.e9\0\xFFx ";
  for (std::size_t i = dice.below(4); i < 4 && !text.empty(); ++i) {
    const std::size_t at = dice.below(text.size());
    switch (dice.below(6)) {
      case 0:
        text[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        text[at] = interesting[dice.below(interesting.size())];
        break;
      case 2:
        text.insert(at, 1, interesting[dice.below(interesting.size())]);
        break;
      case 3:
        text.erase(at, 1 + dice.below(8));
        break;
      case 4:
        text.insert(at, text.substr(dice.below(text.size()), dice.below(40)));
        break;
      default:
        text.resize(at);
    }
  }
}

void check_consistent(const Batch& batch) {
  const auto samples = static_cast<std::size_t>(batch.num_samples);
  ASSERT_EQ(batch.row_numbers.size(), samples);
  ASSERT_EQ(batch.labels.size(), samples);
  for (const float value : batch.dense) ASSERT_TRUE(std::isfinite(value));
  for (const IdColumn& column : batch.columns) {
    ASSERT_EQ(column.offsets.size(), samples + 1);
    ASSERT_EQ(column.offsets.back(), static_cast<std::int32_t>(column.ids.size()));
  }
}

// Reads the damaged file; a UserError must name it.
void expect_batches_or_user_error(const Recipe& recipe, const std::filesystem::path& file) {
  SourceOptions options;
  options.files = {file};
  options.batch_size = 3;
  options.shuffle = true;
  const std::string error = user_error([&] {
    for (const Batch& batch : read_epoch(recipe, options)) check_consistent(batch);
  });
  ASSERT_TRUE(error.empty() || error.find(file.string()) != std::string::npos) << error;
}

// A file in memory: thousands of writes must not wait for a disk.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("fuzzed", MFD_CLOEXEC)) { expects(fd_ >= 0, "a file in memory"); }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path write(const std::string& bytes) const {
    expects(::ftruncate(fd_, 0) == 0, "it can be emptied");
    expects(::pwrite(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
            "it can be filled");
    return fmt::format("/proc/self/fd/{}", fd_);
  }

 private:
  int fd_;
};

void fuzz(Recipe recipe, const std::string& text, std::uint64_t stream) {
  const MemoryFile file;
  Dice dice(stream);
  for (int i = 0; i < kMutations; ++i) {
    std::string bytes = text;
    const bool packed = dice.below(8) == 0;
    if (packed && dice.below(2) == 0) bytes = gzip(bytes);
    mutate(bytes, dice);
    if (packed && !bytes.starts_with("\x1f\x8b")) bytes = gzip(bytes);
    recipe.data.on_bad_row = dice.below(2) == 0 ? config::BadRow::stop : config::BadRow::skip;
    expect_batches_or_user_error(recipe, file.write(bytes));
    if (testing::Test::HasFatalFailure()) FAIL() << "mutation " << i << ":\n" << bytes;
  }
}

class Fuzz : public testing::Test {
 protected:
  void SetUp() override { log::set_level(log::level::off); }
  void TearDown() override { log::set_level(log::level::info); }
};

TEST_F(Fuzz, DamagedCriteoFilesGiveBatchesOrAnError) {
  std::string text;
  for (int i = 0; i < 7; ++i)
    text += criteo_row(i % 2 == 0 ? "1" : "0", i == 3 ? "" : std::to_string(i - 2), "68fd1e64") + "\n";
  fuzz(criteo(), text, 1);
}

TEST_F(Fuzz, DamagedCsvFilesGiveBatchesOrAnError) {
  Recipe recipe = csv();
  recipe.data.comment = "|";
  recipe.dense("price")
      .dense("time", config::Transform::standardise)
      .dense("count", config::Transform::log1p);
  recipe.category("title").category("user", config::CategoryType::integer);
  config::CategoricalColumn tags;
  tags.name = "tags";
  tags.separator = "|";
  tags.max_length = 2;
  recipe.category(tags);
  fuzz(recipe,
       "| a comment\nclick,title,price,time,count,user,tags\n1,\"shoes, red\",3.5,1700000000,-4,17,a|b|c\n"
       "0, \"a "
       "\"\"b\"\"\",1e-3,,5,-9223372036854775808,\r\n0,plain,-7,1.7e18,0,,x|y\n1,\"two\nlines\",4,5,6,7,8\n",
       2);
}

}  // namespace
}  // namespace persia::data
