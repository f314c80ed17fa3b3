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
  json totals;
  for (const char* name :
       {"rows", "resident_bytes", "unseen", "not_admitted", "evicted", "non_finite_gradients"}) {
    std::int64_t sum = 0;
    for (const json& owner : statistics)
      for (const json& table : owner) sum += table.at(name).get<std::int64_t>();
    totals[name] = sum;
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
