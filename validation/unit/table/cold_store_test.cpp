#include "table/cold_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "base/file_size_limit.hpp"
#include "base/folder_test.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"

namespace persia::table {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kColdSalt = 99;
constexpr std::uint64_t kLastId = UINT64_MAX;

using Record = std::vector<std::byte>;

std::uint64_t cold_place(std::uint64_t id) {
  return place_hash(FeatureId(id), kColdSalt);
}

// The id and what only this version of its row holds.
Record cold_record(std::uint64_t id, std::int32_t row_bytes, std::uint64_t version) {
  Record record(static_cast<std::size_t>(row_bytes));
  std::memcpy(record.data(), &id, sizeof id);
  for (std::size_t i = sizeof id; i < record.size(); i += 4) {
    const auto word = static_cast<std::uint32_t>(random_bits(version, id, i));
    std::memcpy(record.data() + i, &word, std::min(sizeof word, record.size() - i));
  }
  return record;
}

std::uint64_t id_of_cold(const Record& record) {
  return InnerShard::id_of(record.data()).value();
}

// A store and what must be in it.
class Cold {
 public:
  Cold(const fs::path& folder, std::int32_t bytes, std::int32_t num_threads = 4)
      : team(num_threads), store(folder, bytes, kColdSalt, team), row_bytes(bytes) {}

  void put(std::uint64_t id) {
    Record record = cold_record(id, row_bytes, ++version);
    store.put(shard_of(cold_place(id)), cold_place(id), record.data());
    expected[id] = std::move(record);
  }
  [[nodiscard]] bool has(std::uint64_t id) const {
    return store.find(shard_of(cold_place(id)), FeatureId(id), cold_place(id)).has_value();
  }
  // All of them with one read().
  void read(const std::vector<std::uint64_t>& ids, Keep keep) {
    std::vector<Record> records(ids.size(), Record(static_cast<std::size_t>(row_bytes)));
    std::vector<ColdRead> reads;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint64_t place = cold_place(ids[i]);
      const auto location = store.find(shard_of(place), FeatureId(ids[i]), place);
      ASSERT_TRUE(location.has_value()) << ids[i];
      reads.push_back({shard_of(place), place, *location, records[i].data()});
    }
    store.read(reads, keep);
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(records[i], expected.at(ids[i])) << ids[i];
    if (keep == Keep::yes) return;
    for (const std::uint64_t id : ids) expected.erase(id);
    for (const std::uint64_t id : ids) ASSERT_FALSE(has(id)) << id;
  }
  [[nodiscard]] std::vector<Record> all() const {
    std::vector<Record> records;
    for (std::uint32_t s = 0; s < kInnerShards; ++s)
      store.for_each(s, [&](const std::byte* record) {
        records.emplace_back(record, record + row_bytes);
        EXPECT_EQ(shard_of(cold_place(id_of_cold(records.back()))), s);
      });
    return records;
  }
  void expect_all() const {
    const std::vector<Record> records = all();
    ASSERT_EQ(records.size(), expected.size());
    ASSERT_EQ(store.rows(), static_cast<std::int64_t>(expected.size()));
    for (const Record& record : records) ASSERT_EQ(record, expected.at(id_of_cold(record)));
  }

  ThreadTeam team;
  ColdStore store;
  std::int32_t row_bytes;
  std::uint64_t version = 0;
  std::unordered_map<std::uint64_t, Record> expected;
};

class ColdStoreTest : public FolderTest {
 protected:
  // Where many small writes take no time.
  [[nodiscard]] fs::path fast_folder() const { return fs::exists("/dev/shm") ? "/dev/shm" : folder_; }
};

// Ids from 0 up that go to inner shard 0.
std::vector<std::uint64_t> ids_of_shard_0(std::size_t count) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; ids.size() < count; ++id)
    if (shard_of(cold_place(id)) == 0) ids.push_back(id);
  return ids;
}

TEST_F(ColdStoreTest, GivesBackBitForBitWhatWasPutAgainAndAgain) {
  for (const std::int32_t row_bytes : {8, 12, 16, 60, 412, 5000, 50000}) {
    const ColdLayout layout = make_cold_layout(row_bytes);
    Cold cold(folder_, row_bytes);
    std::vector<std::uint64_t> ids{0, kLastId};
    for (std::uint64_t id = 1; id < 16 * 5 / 2 * layout.block_rows; ++id) ids.push_back(id * id);
    for (int round = 0; round < 2; ++round) {
      for (const std::uint64_t id : ids) cold.put(id);
      EXPECT_GT(cold.store.blocks_written(), 16);
      EXPECT_FALSE(cold.has(2));
      EXPECT_FALSE(cold.has(kLastId - 1));
      cold.expect_all();
      cold.read(ids, Keep::yes);
      cold.read({ids.begin() + 1, ids.end()}, Keep::no);
      cold.expect_all();
      cold.read({0}, Keep::no);
      EXPECT_EQ(cold.store.rows(), 0);
    }
    EXPECT_LE(cold.store.file_bytes(),
              static_cast<std::int64_t>((ids.size() / layout.block_rows + 16) * layout.block_bytes));
  }
}

TEST_F(ColdStoreTest, BlocksWasteAtMostAnEighthAndAreNoLongerThanThatTakes) {
  for (const std::int32_t row_bytes : {12, 60, 511, 512, 513, 3000, 4096, 4100, 5000, 50000, 70000}) {
    const ColdLayout layout = make_cold_layout(row_bytes);
    const std::size_t used = layout.block_rows * layout.row_bytes;
    EXPECT_EQ(layout.block_bytes % 4096, 0U);
    EXPECT_LE(layout.block_bytes - used, layout.block_bytes / 8) << row_bytes;
    EXPECT_LT(layout.block_bytes - used, layout.row_bytes);
    for (std::size_t less = 4096; less < layout.block_bytes; less += 4096)
      EXPECT_GT(less % layout.row_bytes, less / 8) << row_bytes;
  }
  EXPECT_EQ(make_cold_layout(60).block_bytes, 4096U);
  EXPECT_EQ(make_cold_layout(5000).block_bytes, 16384U);
}

TEST_F(ColdStoreTest, ReadsRecordsOfTheOutgoingBlockFromMemory) {
  Cold cold(folder_, 60);
  const std::vector<std::uint64_t> ids = ids_of_shard_0(68);
  for (const std::uint64_t id : ids) cold.put(id);
  cold.read(ids, Keep::yes);
  cold.read({ids[3], ids[60]}, Keep::no);
  cold.expect_all();
  EXPECT_EQ(cold.store.blocks_read(), 0);
  EXPECT_EQ(cold.store.blocks_written(), 0);
  EXPECT_EQ(cold.store.file_bytes(), 0);
}

// Taken and put by turns, as rows do that are used from time to time: the block never fills with dead ones.
TEST_F(ColdStoreTest, AnOutgoingBlockThatIsHalfDeadHasRoomAgain) {
  Cold cold(folder_, 60);
  const std::vector<std::uint64_t> ids = ids_of_shard_0(30);
  for (const std::uint64_t id : ids) cold.put(id);
  for (std::size_t i = 0; i < 1000; ++i) {
    cold.read({ids[i % 30]}, Keep::no);
    cold.put(ids[i % 30]);
  }
  cold.expect_all();
  EXPECT_EQ(cold.store.blocks_written(), 0);
}

TEST_F(ColdStoreTest, LocationsHoldWhileOtherRecordsArePut) {
  Cold cold(folder_, 60);
  const std::uint64_t place = cold_place(7);
  cold.put(7);
  const auto location = cold.store.find(shard_of(place), FeatureId(7), place);
  for (std::uint64_t id = 1000; id < 5000; ++id) cold.put(id);
  EXPECT_EQ(cold.store.find(shard_of(place), FeatureId(7), place), location);
  Record record(60);
  cold.store.read(std::vector<ColdRead>{{shard_of(place), place, *location, record.data()}}, Keep::no);
  EXPECT_EQ(record, cold.expected.at(7));
}

TEST_F(ColdStoreTest, ReadsABlockOnceForTwoThousandReads) {
  Cold cold(folder_, 12, 16);
  const std::vector<std::uint64_t> ids = ids_of_shard_0(342);
  for (const std::uint64_t id : ids) cold.put(id);
  EXPECT_EQ(cold.store.blocks_written(), 1);
  std::vector<std::uint64_t> wanted;
  for (std::size_t i = 0; i < 2000; ++i) wanted.push_back(ids[i % 341]);
  cold.read(wanted, Keep::yes);
  EXPECT_EQ(cold.store.blocks_read(), 1);
  cold.read({ids.begin(), ids.end() - 1}, Keep::no);
  EXPECT_EQ(cold.store.blocks_read(), 2);
}

TEST_F(ColdStoreTest, ABlockThatIsHalfDeadIsEmptiedAndUsedAgain) {
  Cold cold(folder_, 60);
  const std::vector<std::uint64_t> ids = ids_of_shard_0(5 * 68 + 1);
  for (std::size_t i = 0; i < 2 * 68 + 1; ++i) cold.put(ids[i]);
  const auto take = [&](std::size_t begin, std::size_t end) {
    cold.read(
        {ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end)},
        Keep::no);
  };
  take(0, 33);  // 35 of 68 are left
  EXPECT_EQ(cold.store.blocks_written(), 2);
  cold.put(ids[3 * 68]);
  cold.read({ids[68 + 5]}, Keep::no);
  take(33, 34);  // half of the first block goes on to the outgoing one, which has room
  cold.expect_all();
  EXPECT_EQ(cold.store.file_bytes(), 2 * 4096);
  for (std::size_t i = 3 * 68 + 1; i < 4 * 68; ++i) cold.put(ids[i]);
  cold.expect_all();
  EXPECT_EQ(cold.store.blocks_written(), 3);
  EXPECT_EQ(cold.store.file_bytes(), 3 * 4096);  // the outgoing block had a number of its own
  for (std::size_t i = 4 * 68; i < 5 * 68; ++i) cold.put(ids[i]);
  cold.expect_all();
  EXPECT_EQ(cold.store.blocks_written(), 4);
  EXPECT_EQ(cold.store.file_bytes(), 3 * 4096);  // this one had that of the emptied block
}

TEST_F(ColdStoreTest, TheFileStaysBelowTwiceTheRowsInALongRun) {
  for (const std::int32_t row_bytes : {60, 5000}) {
    const ColdLayout layout = make_cold_layout(row_bytes);
    Cold cold(fast_folder(), row_bytes);
    const std::uint64_t num_live = 16 * 10 * layout.block_rows;
    std::vector<std::uint64_t> ids;
    std::uint64_t next = 0;
    const auto outgoing = static_cast<double>(kInnerShards * layout.block_bytes);
    for (std::uint64_t round = 0; round < 400; ++round) {
      while (ids.size() < num_live) cold.put(ids.emplace_back(next++));
      std::vector<std::uint64_t> taken;
      for (std::uint64_t i = 0; i < num_live / 40; ++i) {
        std::swap(ids[random_below(2, round, i, ids.size())], ids.back());
        taken.push_back(ids.back());
        ids.pop_back();
      }
      cold.read(taken, Keep::no);
      const double live = static_cast<double>(num_live) * row_bytes;
      ASSERT_LE(static_cast<double>(cold.store.file_bytes()), 2.2 * live + outgoing) << round;
    }
    cold.expect_all();
  }
}

TEST_F(ColdStoreTest, HoldsWhatAMapHolds) {
  for (const std::int32_t row_bytes : {12, 60, 1500, 5000}) {
    Cold cold(fast_folder(), row_bytes, row_bytes == 60 ? 1 : 4);
    const std::uint64_t num_ids = std::min(16 * 12 * make_cold_layout(row_bytes).block_rows, 20000U);
    std::vector<std::uint64_t> ids;
    std::uint64_t draws = 0;
    const auto draw = [&](std::uint64_t bound) { return random_below(11, 0, draws++, bound); };
    // The ends of the range of ids, and numbers between.
    const auto any_id = [&] { return draw(num_ids) - num_ids / 2; };
    for (std::uint64_t operations = 0; operations < 50000;) {
      const std::uint64_t count = 1 + draw(60);
      const std::uint64_t kind = draw(ids.size() > num_ids / 2 ? 5 : 3);
      std::vector<std::uint64_t> chosen;
      for (std::uint64_t i = 0; i < count; ++i, ++operations) {
        if (kind == 0 || kind == 1) {
          const std::uint64_t id = any_id();
          ASSERT_EQ(cold.has(id), cold.expected.contains(id));
          if (cold.expected.contains(id)) continue;
          cold.put(ids.emplace_back(id));
        } else if (!ids.empty()) {
          std::swap(ids[draw(ids.size())], ids.back());
          chosen.push_back(ids.back());
          if (kind > 2) ids.pop_back();
        }
      }
      ASSERT_NO_FATAL_FAILURE(cold.read(chosen, kind > 2 ? Keep::no : Keep::yes));
      ASSERT_EQ(cold.store.rows(), static_cast<std::int64_t>(ids.size()));
      if (draw(300) == 0) {
        ASSERT_NO_FATAL_FAILURE(cold.expect_all());
      }
    }
    ASSERT_NO_FATAL_FAILURE(cold.expect_all());
  }
}

TEST_F(ColdStoreTest, TheNumberOfThreadsChangesNothing) {
  std::vector<std::unique_ptr<Cold>> colds;
  for (const std::int32_t num_threads : {1, 2, 16})
    colds.push_back(std::make_unique<Cold>(fast_folder(), 412, num_threads));
  for (const auto& cold : colds)
    for (std::uint64_t round = 0; round < 20; ++round) {
      for (std::uint64_t i = 0; i < 200; ++i) cold->put(round * 200 + i);
      std::vector<std::uint64_t> taken;
      for (std::uint64_t id = round; id < 200 * round; id += 25)
        if (cold->has(id)) taken.push_back(id);
      cold->read(taken, Keep::no);
    }
  EXPECT_GT(colds[0]->store.blocks_read(), 100);
  for (const auto& cold : colds) {
    EXPECT_EQ(cold->all(), colds[0]->all());
    EXPECT_EQ(cold->store.blocks_read(), colds[0]->store.blocks_read());
    EXPECT_EQ(cold->store.blocks_written(), colds[0]->store.blocks_written());
    EXPECT_EQ(cold->store.file_bytes(), colds[0]->store.file_bytes());
  }
}

TEST_F(ColdStoreTest, ShardsAreFilledByDifferentThreadsAtTheSameTime) {
  ThreadTeam team(2);
  ColdStore store(fast_folder(), 60, kColdSalt, team);
  std::vector<std::thread> threads;
  for (std::uint32_t k = 0; k < 4; ++k)
    threads.emplace_back([&store, k] {
      for (std::uint64_t id = 0; id < 20000; ++id) {
        const std::uint64_t place = cold_place(id);
        if (shard_of(place) % 4 != k) continue;
        store.put(shard_of(place), place, cold_record(id, 60, 1).data());
        EXPECT_TRUE(store.find(shard_of(place), FeatureId(id), place).has_value());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.rows(), 20000);
  for (std::uint32_t s = 0; s < kInnerShards; ++s)
    store.for_each(s, [&](const std::byte* record) {
      const Record found(record, record + 60);
      ASSERT_EQ(found, cold_record(id_of_cold(found), 60, 1));
    });
}

TEST_F(ColdStoreTest, AFolderThatCannotHoldItIsTheUsersFault) {
  for (const fs::path& folder : {folder_ / "absent", fs::path("/proc")}) {
    try {
      ThreadTeam team(2);
      const ColdStore store(folder, 60, kColdSalt, team);
      ADD_FAILURE() << folder << " was accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(folder.string()));
    }
  }
}

TEST_F(ColdStoreTest, APutThatFindsTheDiskFullSaysSoAndLosesNothing) {
  Cold cold(folder_, 5000);
  const std::vector<std::uint64_t> ids = ids_of_shard_0(7);
  for (std::size_t i = 0; i < 6; ++i) cold.put(ids[i]);
  {
    const FileSizeLimit full(kInnerShards * 16384);  // room for the first block of this shard
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        cold.store.put(0, cold_place(ids[6]), cold_record(ids[6], 5000, 1).data());
        ADD_FAILURE() << "the record was put";
      } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 1);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot write"), HasSubstr(folder_.string())));
      }
    }
    EXPECT_FALSE(cold.has(ids[6]));
    cold.expect_all();
  }
  cold.put(ids[6]);
  cold.expect_all();
}

TEST_F(ColdStoreTest, ShowsNoFileInItsFolder) {
  Cold cold(folder_, 60);
  for (std::uint64_t id = 0; id < 3000; ++id) cold.put(id);
  EXPECT_GT(cold.store.file_bytes(), 0);
  EXPECT_TRUE(fs::is_empty(folder_));
}

// Entries of 12 bytes and at most 14.5 of index, while that grows; and, however many rows there are, what is
// left of the last slabs of each shard and of the last huge page, and the one ahead.
TEST_F(ColdStoreTest, ARowTakesAtMost27BytesOfMemory) {
  ThreadTeam team(1);
  ColdStore store(fast_folder(), 12, kColdSalt, team);
  for (std::uint64_t id = 0; id < 600000; ++id) {
    store.put(shard_of(cold_place(id)), cold_place(id), cold_record(id, 12, 1).data());
    if (id % 1000 != 0) continue;
    ASSERT_LE(store.memory_bytes(), 27 * static_cast<std::int64_t>(id) + (std::int64_t{6} << 20)) << id;
  }
  EXPECT_LE(store.memory_bytes(), 25 * store.rows() + static_cast<std::int64_t>(kHugePageBytes));
}

}  // namespace
}  // namespace persia::table
