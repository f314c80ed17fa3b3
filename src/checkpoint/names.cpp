#include "checkpoint/names.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace persia::checkpoint {

std::string folder_name(Step step) {
  return fmt::format("step-{:012}", step.value());
}

std::optional<Step> step_of_folder(const std::string& name) {
  constexpr std::string_view prefix = "step-";
  if (!name.starts_with(prefix)) return std::nullopt;
  std::int64_t step = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + prefix.size(), end, step);
  if (parsed.ec != std::errc() || parsed.ptr != end || step < 0) return std::nullopt;
  return Step(step);
}

std::string tables_file(OwnerIndex owner, std::int32_t num_owners) {
  return fmt::format("embedding-{:04}-of-{:04}.h5", owner.value(), num_owners);
}

std::string link_name(const std::string& name) {
  if (name == ".") return "%2E";
  std::string result;
  for (const char c : name) {
    if (c == '/')
      result += "%2F";
    else if (c == '%')
      result += "%25";
    else
      result += c;
  }
  return result;
}

std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix) {
  path += suffix;
  return path;
}

}  // namespace persia::checkpoint
