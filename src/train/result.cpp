#include "train/result.hpp"

#include "roles/agree.hpp"

namespace persia::train {

using nlohmann::json;

json to_json(const data::ReadCounts& counts) {
  return {{"rows", counts.rows},
          {"skipped_rows", counts.skipped_rows},
          {"blank_dense", counts.blank_dense},
          {"blank_categories", counts.blank_categories},
          {"truncated_lists", counts.truncated_lists},
          {"bad_ids", counts.bad_ids}};
}

json table_totals(const json& statistics) {
  json totals{{"rows", 0},         {"resident_bytes", 0}, {"unseen", 0},
              {"not_admitted", 0}, {"evicted", 0},        {"non_finite_gradients", 0}};
  for (const json& owner : statistics)
    for (const json& table : owner)
      for (const auto& [name, value] : table.items())
        if (value.is_number_integer())
          totals[name] = totals.value(name, std::int64_t{0}) + value.get<std::int64_t>();
  if (totals.contains("found_on_disk")) {
    const double on_disk = totals["found_on_disk"], in_memory = totals["found_in_memory"];
    if (in_memory + on_disk > 0) totals["memory_hit_rate"] = in_memory / (in_memory + on_disk);
  }
  return totals;
}

std::string message_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const roles::StoppedTogether& stopped) {
    return stopped.own ? message_of(stopped.own)
                       : "another trainer could not go on; its message is in the output";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown failure";
  }
}

}  // namespace persia::train
