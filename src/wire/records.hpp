// Every byte that two ranks exchange, except collectives. Version 3. Little-endian; headers are 8-byte
// aligned, without holes.
//
// A *message* is what embed/ and serve/ exchange: a kind, a token and a body. mail/ carries it as one or more
// *records* (header + piece of the body). Layouts are fixed by static_assert and by the golden test
// wire/records_test.cpp; change them only together with kWireVersion.
//
// clang-format off
//   kind        from -> to          body
//   ----------  ------------------  ------------------------------------------------------------------------
//   lookup      client -> owner     LookupHeader, u32 counts[tables], u32 bytes[tables], then per table its ids, ascending:
//                                   u64 each where bytes[t] is 8 counts[t], otherwise packed into bytes[t] (ids.hpp);
//                                   zeros up to a multiple of 8. Where some rows are kept at the client, counts and bytes are
//                                   (2, tables): first the ids whose rows are asked for, then the others
//   rows        owner -> client     values, a block of (counts[t], dim_t) per table, in the lookup's format (values.hpp);
//                                   the lookup's token
//   gradient    client -> owner     GradientHeader, then values as in rows, in its format, in each table's block those of kept
//                                   rows behind the others; the lookup's token
//   cancel      client -> owner     empty: the lookup's token is closed without an update
//   applied     owner -> client,    empty: the gradient of this token has been applied (staleness credit)
//               worker -> trainer
//   save        trainer 0 -> owner  UTF-8 JSON {"directory":, "step":}
//   saved       owner -> trainer 0  UTF-8 JSON {"file":, "bytes":, "checksum":, "rows":} or {"error":}
//   statistics  trainer 0 -> owner, empty
//               trainer 0 -> worker
//   report      owner -> trainer 0, UTF-8 JSON, the answer to statistics
//               worker -> trainer 0
//   final       client -> owner,    empty: nothing more will come from this client; the token is the exit code
//               trainer -> worker
//   want        trainer -> worker   WantHeader: asks for one batch; opens the token
//   ready       worker -> trainer   ReadyHeader, i64 row_numbers[num_samples], f32 labels[num_labels],
//                                   f32 dense (num_samples, num_dense), then as one block in the want's format
//                                   the pooled rows (num_samples, width); want's token
//   pooled      trainer -> worker   gradients of the pooled rows (num_samples, width), a block in the want's format;
//                                   want's token
//   no_batch    worker -> trainer   NoBatchHeader, then UTF-8 text: the data end before this batch, or cannot be
//                                   read; want's token is closed
//   patience    worker -> trainer,  empty: what the worker waits for meanwhile, so that nobody takes it for stuck; the
//               trainer 0 -> worker token is a Waits. Trainer 0 hands `files` on to the other workers
//
//   A client of owners is a trainer, or a worker where there are workers; then trainer 0 is one too, for the
//   messages that it alone sends.
// clang-format on
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "wire/values.hpp"

namespace persia::wire {

inline constexpr std::uint16_t kWireVersion = 3;
inline constexpr std::uint16_t kRecordMagic = 0x5052;  // "RP"

enum class MessageKind : std::uint16_t {
  lookup = 1,
  rows = 2,
  gradient = 3,
  cancel = 4,
  applied = 5,
  save = 6,
  saved = 7,
  statistics = 8,
  report = 9,
  final = 10,
  want = 11,
  ready = 12,
  pooled = 13,
  no_batch = 14,
  patience = 15,
};

// Stands in front of every record in a ring. `checksum` covers the header (with checksum 0) and the piece; 0
// = not used.
struct RecordHeader {
  std::uint16_t magic = kRecordMagic;
  std::uint16_t version = kWireVersion;
  MessageKind kind = MessageKind::final;
  std::uint16_t flags = 0;     // kLastRecord, kFinalRecord
  std::uint64_t sequence = 0;  // records of this ring, from 0
  std::uint64_t token = 0;
  std::uint32_t piece_bytes = 0;  // of the body in this record, without padding to 8
  std::uint32_t reserved = 0;
  std::uint64_t message_bytes = 0;  // of the whole body
  std::uint64_t checksum = 0;
};
static_assert(sizeof(RecordHeader) == 48 && alignof(RecordHeader) == 8);
inline constexpr std::int64_t kRecordHeaderBytes = sizeof(RecordHeader);

inline constexpr std::uint16_t kLastRecord = 1;   // of its message
inline constexpr std::uint16_t kFinalRecord = 2;  // of its sender: no message, nothing follows

// A record never starts where a ring has fewer bytes left before its end: both sides go on at its start.
inline constexpr std::int64_t kSmallestRoomBytes = 56;

// Bytes that a record with this piece takes in a ring: header and piece, up to a multiple of 8.
[[nodiscard]] constexpr std::int64_t record_bytes(std::int64_t piece_bytes) {
  return kRecordHeaderBytes + ((piece_bytes + 7) & ~std::int64_t{7});
}

// The header's `checksum` field for this header and piece; never 0. Cost: one pass over the piece.
[[nodiscard]] std::uint64_t record_checksum(const RecordHeader& header, std::span<const std::byte> piece);

// "lookup", or "kind 77" for a number that is none.
[[nodiscard]] std::string name_of(MessageKind kind);

enum class LookupPurpose : std::uint16_t {
  train = 0,
  evaluate = 1,
  train_some_kept = 2,  // the client has some of the rows; it will send gradients of all
};

// Opens the body of a lookup.
struct LookupHeader {
  std::int64_t step = 0;  // sync mode: answered when all updates of step - 1 are applied
  LookupPurpose purpose = LookupPurpose::train;
  ValueFormat values = ValueFormat::fp32;  // that the rows shall have
  std::uint32_t num_tables = 0;
};
static_assert(sizeof(LookupHeader) == 16);

// Opens the body of a gradient.
struct GradientHeader {
  std::int64_t step = 0;
  std::int32_t trainer = 0;  // whose batch it is: sync mode sums in the order of trainers
  ValueFormat values = ValueFormat::fp32;
  std::uint16_t reserved = 0;
};
static_assert(sizeof(GradientHeader) == 16);

// The token of `patience`.
enum class Waits : std::uint64_t { files = 0, owners = 1 };

// One pass over data is the training since its start point (pass 0) or one evaluation (1, 2, ...).
struct WantHeader {
  std::int64_t step = 0;    // of the lookup
  std::int64_t number = 0;  // of the batch in its pass; its worker is (number + trainer) % workers
  std::uint32_t pass = 0;
  ValueFormat values = ValueFormat::fp32;  // of pooled rows and their gradients
  std::uint16_t reserved = 0;
};
static_assert(sizeof(WantHeader) == 24);

// What a worker's reader for one trainer and pass has counted so far.
struct ReadCounts {
  std::int64_t rows = 0, skipped_rows = 0, blank_dense = 0, blank_categories = 0, truncated_lists = 0,
               bad_ids = 0;
};

// Opens the body of a ready batch.
struct ReadyHeader {
  std::int64_t epoch = 0;
  std::int64_t batch_in_epoch = 0;
  std::int64_t global_rows = 0;
  std::uint32_t num_samples = 0;
  std::uint32_t num_labels = 0;
  std::uint32_t num_dense = 0;
  std::uint32_t width = 0;
  ReadCounts counts;
};
static_assert(sizeof(ReadyHeader) == 88);

struct NoBatchHeader {
  std::int32_t exit_code = 0;  // 0: the data end; else the text says what is wrong
  std::uint32_t reserved = 0;
  ReadCounts counts;
};
static_assert(sizeof(NoBatchHeader) == 56);

}  // namespace persia::wire
