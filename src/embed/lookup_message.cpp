#include "embed/lookup_message.hpp"

#include <cstring>

#include "base/cast.hpp"
#include "wire/ids.hpp"
#include "wire/records.hpp"

namespace persia::embed {

namespace {

wire::LookupPurpose purpose_of(table::Purpose purpose, bool some_kept) {
  if (purpose == table::Purpose::evaluate) return wire::LookupPurpose::evaluate;
  return some_kept ? wire::LookupPurpose::train_some_kept : wire::LookupPurpose::train;
}

}  // namespace

std::vector<std::byte> write_lookup(std::span<const OwnerPart> asked, std::span<const OwnerPart> kept,
                                    Step step, table::Purpose purpose, wire::ValueFormat values) {
  const wire::LookupHeader header{.step = step.value(),
                                  .purpose = purpose_of(purpose, !kept.empty()),
                                  .values = values,
                                  .num_tables = checked_cast<std::uint32_t>(asked.size())};
  std::vector<std::uint32_t> counts, bytes;
  const std::size_t numbers_bytes = (asked.size() + kept.size()) * sizeof(std::uint32_t);
  std::vector<std::byte> body(sizeof header + 2 * numbers_bytes);
  for (const std::span<const OwnerPart> parts : {asked, kept}) {
    for (const OwnerPart& part : parts) {
      counts.push_back(checked_cast<std::uint32_t>(part.ids.size()));
      bytes.push_back(wire::append_ids(part.ids, body));
    }
  }
  std::memcpy(body.data(), &header, sizeof header);
  if (asked.empty()) return body;
  std::memcpy(body.data() + sizeof header, counts.data(), numbers_bytes);
  std::memcpy(body.data() + sizeof header + numbers_bytes, bytes.data(), numbers_bytes);
  return body;
}

}  // namespace persia::embed
