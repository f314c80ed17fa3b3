#include "train/ready_batch.hpp"

#include <array>

#include "fixtures.hpp"

namespace persia::train {
namespace {

const data::ReadCounts kCounts{.rows = 1,
                               .skipped_rows = 2,
                               .blank_dense = 3,
                               .blank_categories = 4,
                               .truncated_lists = 5,
                               .bad_ids = 6};

bool equal(const data::ReadCounts& a, const data::ReadCounts& b) {
  return a.rows == b.rows && a.skipped_rows == b.skipped_rows && a.blank_dense == b.blank_dense &&
         a.blank_categories == b.blank_categories && a.truncated_lists == b.truncated_lists &&
         a.bad_ids == b.bad_ids;
}

mail::Message message(wire::MessageKind kind, std::vector<std::byte> body) {
  return {mail::PeerIndex(3), kind, Token(1), std::move(body)};
}

// Two samples with one dense value, and pooled rows of the example's width 2.
data::Batch two_samples() {
  data::Batch batch;
  batch.epoch = 4;
  batch.batch_in_epoch = 5;
  batch.global_rows = 6;
  batch.num_samples = 2;
  batch.dense = {0.5F, -0.5F};
  batch.labels = {0, 1};
  batch.row_numbers = {70, 71};
  return batch;
}
const std::vector<float> kPooled{1, 2, 3, 4};  // exact in every format
constexpr std::array kFormats = {wire::ValueFormat::fp32, wire::ValueFormat::fp16, wire::ValueFormat::bf16};

std::vector<std::byte> ready_of(const data::Batch& batch, std::span<const float> pooled,
                                wire::ValueFormat format = wire::ValueFormat::fp32) {
  return write_ready(batch, pooled, kCounts, format);
}
data::ReadCounts read(std::vector<std::byte> body, const Example& example, Flight& flight,
                      wire::ValueFormat format = wire::ValueFormat::fp32) {
  return read_ready(message(wire::MessageKind::ready, std::move(body)), example.schema, format, flight);
}

TEST(ReadyBatch, ArrivesAsItWasSentButForItsIds) {
  const Example example;
  for (const wire::ValueFormat format : kFormats) {
    Flight flight;
    const auto counts = read(ready_of(two_samples(), kPooled, format), example, flight, format);
    const data::Batch& got = flight.input.batch;
    EXPECT_EQ(got.epoch, 4);
    EXPECT_EQ(got.batch_in_epoch, 5);
    EXPECT_EQ(got.global_rows, 6);
    EXPECT_EQ(got.num_samples, 2);
    EXPECT_EQ(got.dense, two_samples().dense);
    EXPECT_EQ(got.labels, two_samples().labels);
    EXPECT_EQ(got.row_numbers, two_samples().row_numbers);
    EXPECT_EQ(flight.embedded, kPooled);
    EXPECT_TRUE(flight.comes_pooled);
    EXPECT_TRUE(equal(counts, kCounts));
  }
}

TEST(ReadyBatch, MayBeAnEmptySlice) {
  const Example example;
  data::Batch batch;
  batch.global_rows = 1;
  Flight flight;
  (void)read(ready_of(batch, {}), example, flight);
  EXPECT_EQ(flight.input.batch.num_samples, 0);
  EXPECT_EQ(flight.input.batch.global_rows, 1);
}

TEST(ReadyBatch, OfAnyOtherSizeIsRefusedWithTheWorkersName) {
  const Example example;
  for (const wire::ValueFormat format : kFormats) {
    const std::vector<std::byte> whole = ready_of(two_samples(), kPooled, format);
    for (const std::size_t size :
         {std::size_t{0}, sizeof(wire::ReadyHeader) - 1, whole.size() - 1, whole.size() + 4}) {
      std::vector<std::byte> body = whole;
      body.resize(size);
      Flight flight;
      EXPECT_THAT(message_of([&] { (void)read(body, example, flight, format); }),
                  ::testing::HasSubstr("worker 3 sent a ready"))
          << size;
    }
  }
  Flight flight;
  EXPECT_THAT(message_of([&] { (void)read(ready_of(two_samples(), {}), example, flight); }),
              ::testing::HasSubstr("width 0 where the network takes 2"));
}

TEST(NoBatch, IsTheEndOfDataOrTheFailureAsItWas) {
  const auto arrived = [](const std::exception_ptr& failure, Flight& flight) {
    return read_no_batch(message(wire::MessageKind::no_batch, write_no_batch(failure, kCounts)), flight);
  };
  Flight end, bad, broken;
  EXPECT_TRUE(equal(arrived(nullptr, end), kCounts));
  EXPECT_TRUE(end.no_batch);
  EXPECT_FALSE(end.error);
  (void)arrived(std::make_exception_ptr(UserError("f.csv:7: no number")), bad);
  EXPECT_FALSE(bad.no_batch);
  EXPECT_EQ(message_of<UserError>([&] { std::rethrow_exception(bad.error); }), "f.csv:7: no number");
  (void)arrived(std::make_exception_ptr(Error("disk lost")), broken);
  EXPECT_EQ(message_of([&] { std::rethrow_exception(broken.error); }), "disk lost");
  EXPECT_EQ(message_of<UserError>([&] {
              try {
                std::rethrow_exception(broken.error);
              } catch (const UserError&) {
                throw;
              } catch (const Error&) {
              }
            }),
            "nothing was thrown")
      << "a failure of the machine is no fault of the person";
}

TEST(PooledGradients, OfAnotherSizeAreRefusedWithTheTrainersName) {
  for (const wire::ValueFormat format : kFormats) {
    const mail::Message four = message(wire::MessageKind::pooled, write_pooled(kPooled, format));
    EXPECT_EQ(read_pooled(four, 4, format), kPooled);
    EXPECT_THAT(message_of([&] { (void)read_pooled(four, 3, format); }),
                ::testing::HasSubstr(fmt::format("trainer 3 sent {} bytes", four.body.size())));
  }
}

}  // namespace
}  // namespace persia::train
