// Every byte that two ranks exchange, except collectives. Version 1. Little-endian, 8-byte aligned, no
// padding holes.
//
// A *message* is what embed/ and serve/ exchange: a kind, a token and a body. mail/ carries it as one or more
// *records* (header + piece of the body), each at most a ring's slot. Layouts are fixed by static_assert and
// by the golden test wire/records_test.cpp; change them only together with kWireVersion.
//
//   kind        from -> to        body
//   lookup      trainer -> owner  LookupHeader, u32 counts[tables], pad to 8, u64 ids[sum of counts]
//   ascending per table rows        owner -> trainer  f32 values, per table (counts[t], dim_t), tables in
//   order; token of the lookup gradient    trainer -> owner  i64 step, then f32 values as in rows; token of
//   the lookup cancel      trainer -> owner  empty: the lookup's token is closed without an update applied
//   owner -> trainer  empty: the gradient of this token has been applied (staleness credit) save trainer 0 ->
//   owner  UTF-8 JSON {"directory": ..., "step": ...} saved       owner -> trainer 0  UTF-8 JSON {"file":,
//   "bytes":, "checksum":, "rows":} or {"error": "..."} statistics  trainer 0 -> owner  empty; answered by
//   `report`, UTF-8 JSON final       trainer -> owner  empty: nothing more will come from this client
#pragma once

#include <cstddef>
#include <cstdint>

namespace persia::wire {

inline constexpr std::uint16_t kWireVersion = 1;
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
};

// Stands in front of every record in a ring. `checksum` covers the header (with checksum 0) and the piece; 0
// = not used.
struct RecordHeader {
  std::uint16_t magic = kRecordMagic;
  std::uint16_t version = kWireVersion;
  MessageKind kind = MessageKind::final;
  std::uint16_t flags = 0;     // bit 0: last record of its message; bit 1: filler up to the ring's end
  std::uint64_t sequence = 0;  // records of this ring, from 0
  std::uint64_t token = 0;
  std::uint32_t piece_bytes = 0;  // of the body in this record, without padding to 8
  std::uint32_t reserved = 0;
  std::uint64_t message_bytes = 0;  // of the whole body
  std::uint64_t checksum = 0;
};
static_assert(sizeof(RecordHeader) == 48 && alignof(RecordHeader) == 8);

inline constexpr std::uint16_t kLastRecord = 1;
inline constexpr std::uint16_t kFiller = 2;

// Opens the body of a lookup.
struct LookupHeader {
  std::int64_t step = 0;      // sync mode: answered when all updates of step - 1 are applied
  std::uint32_t purpose = 0;  // 0 train, 1 evaluate
  std::uint32_t num_tables = 0;
};
static_assert(sizeof(LookupHeader) == 16);

}  // namespace persia::wire
