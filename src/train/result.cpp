#include "train/result.hpp"

#include <algorithm>
#include <vector>

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
    for (const json& table : owner.at("tables"))
      for (const auto& [name, value] : table.items())
        if (value.is_number_integer())
          totals[name] = totals.value(name, std::int64_t{0}) + value.get<std::int64_t>();
  if (totals.contains("found_on_disk")) {
    const double on_disk = totals["found_on_disk"], in_memory = totals["found_in_memory"];
    if (in_memory + on_disk > 0) totals["memory_hit_rate"] = in_memory / (in_memory + on_disk);
  }
  return totals;
}

namespace {

// Of a number that every owner reports.
json spread_over(const json& loads, const char* name) {
  double sum = 0, most = 0;
  for (const json& load : loads) {
    sum += load.at(name).get<double>();
    most = std::max(most, load.at(name).get<double>());
  }
  const double mean = sum / static_cast<double>(loads.size());
  return {{"mean", mean}, {"most", most}, {"most_over_mean", mean > 0 ? most / mean : 1.0}};
}

}  // namespace

json loads_of(const json& statistics) {
  json loads = json::array();
  for (std::size_t owner = 0; owner < statistics.size(); ++owner) {
    if (!statistics[owner].contains("load")) continue;
    const json& load = statistics[owner].at("load");
    const double seconds = std::max(1e-9, load.at("seconds").get<double>());
    const auto per_s = [&](const char* one, const char* other) {
      return (load.at(one).get<double>() + load.at(other).get<double>()) / seconds;
    };
    loads.push_back({{"owner", owner},
                     {"rows_per_s", per_s("lookup_rows", "update_rows")},
                     {"bytes_per_s", per_s("bytes_received", "bytes_sent")},
                     {"busy_share", load.at("busy_seconds").get<double>() / seconds},
                     {"lookup_rows", load.at("lookup_rows")},
                     {"update_rows", load.at("update_rows")}});
  }
  return loads;
}

json load_spread(const json& loads) {
  json spread;
  for (const char* name : {"rows_per_s", "bytes_per_s", "busy_share"})
    spread[name] = spread_over(loads, name);
  return spread;
}

json others_updates(const json& statistics) {
  std::vector<std::int64_t> histogram;
  for (const json& owner : statistics) {
    if (!owner.contains("others_updates")) continue;
    const json& of_owner = owner.at("others_updates");
    histogram.resize(std::max(histogram.size(), of_owner.size()));
    for (std::size_t n = 0; n < of_owner.size(); ++n) histogram[n] += of_owner[n].get<std::int64_t>();
  }
  double rows = 0, updates = 0;
  for (std::size_t n = 0; n < histogram.size(); ++n) {
    rows += static_cast<double>(histogram[n]);
    updates += static_cast<double>(n) * static_cast<double>(histogram[n]);
  }
  if (rows == 0) return nullptr;
  return {{"mean", updates / rows}, {"max", histogram.size() - 1}, {"histogram", histogram}};
}

json worker_shares(const json& reports) {
  json shares = json::object();
  for (const json& report : reports) {
    const json& seconds = report.at("seconds");
    double sum = 0;
    for (const json& one : seconds) sum += one.get<double>();
    for (const auto& [name, one] : seconds.items()) {
      const double share = sum > 0 ? one.get<double>() / sum : 0.0;
      shares[name] = shares.value(name, 0.0) + share / static_cast<double>(reports.size());
    }
  }
  return shares;
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
