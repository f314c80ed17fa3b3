#include <algorithm>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "roles/agree.hpp"
#include "roles/rank_list.hpp"

namespace persia::roles {

namespace {

using Facts = std::map<std::string, std::string>;

// Keys and values, each closed by a NUL, which neither holds.
std::string pack(const Facts& facts) {
  std::string text;
  for (const auto& [key, value] : facts) {
    text.append(key).push_back('\0');
    text.append(value).push_back('\0');
  }
  return text;
}

Facts unpack(const std::string& text) {
  Facts facts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t middle = text.find('\0', begin);
    const std::size_t end = text.find('\0', middle + 1);
    facts.emplace(text.substr(begin, middle - begin), text.substr(middle + 1, end - middle - 1));
    begin = end + 1;
  }
  return facts;
}

// "0.1 on rank 0, 0.01 on ranks 1-2", or "" if all agree.
std::string difference(const std::vector<Facts>& all, const std::string& key) {
  std::vector<std::pair<std::string, std::vector<int>>> values;  // in the order of their first rank
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto found = all[r].find(key);
    const std::string value = found == all[r].end() ? "(absent)" : found->second;
    auto place = std::ranges::find(values, value, &decltype(values)::value_type::first);
    if (place == values.end()) place = values.insert(place, {value, {}});
    place->second.push_back(static_cast<int>(r));
  }
  if (values.size() == 1) return "";
  std::string text;
  for (const auto& [value, ranks] : values)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", value, rank_list(ranks));
  return text;
}

std::string differences(const std::vector<Facts>& all) {
  std::set<std::string> keys;
  for (const Facts& facts : all)
    for (const auto& [key, value] : facts) keys.insert(key);
  std::string text;
  for (const std::string& key : keys) {
    const std::string found = difference(all, key);
    if (!found.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key, found);
  }
  return text;
}

}  // namespace

void require_equal(const sys::Communicator& comm, const std::string& what, const Facts& facts) {
  const std::string mine = pack(facts);
  const auto digest = static_cast<std::int64_t>(hash_bytes(mine, 0));
  if (comm.max(digest) == comm.min(digest)) return;
  std::vector<Facts> all;
  for (const std::string& text : comm.gather_texts(mine)) all.push_back(unpack(text));
  fail_user("{} is not the same on all ranks: {}. Give every rank the same", what, differences(all));
}

}  // namespace persia::roles
