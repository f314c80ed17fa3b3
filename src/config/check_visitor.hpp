// Checks ranges and uses of every key, as describe.hpp gives them. Private to validate.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/describe.hpp"
#include "config/origins.hpp"

namespace persia::config {

class CheckVisitor {
 public:
  CheckVisitor(std::string path, const Origins& origins) : path_(std::move(path)), origins_(origins) {}

  template <class T>
  void field(std::string_view key, const T& member, const About& about) {
    const std::string path = path_of(key);
    refuse_unused(path, about.use);
    check_range(path, member, about.range);
    if (about.fp32) require_survives_fp32(path, member);
  }

  template <class Body>
  void group(std::string_view key, std::string_view, const Body& body) {
    CheckVisitor nested(path_of(key), origins_);
    body(nested);
  }

  template <class Body>
  void named_group(std::string_view key, std::string_view help, const Body& body) {
    group(key, help, body);
  }

  template <class T, class Body>
  void list(std::string_view key, std::vector<T>& member, const About& about, const Body& body) {
    const std::string path = path_of(key);
    refuse_unused(path, about.use);
    for (std::size_t i = 0; i < member.size(); ++i) {
      CheckVisitor nested(fmt::format("{}[{}]", path, i), origins_);
      body(nested, member[i]);
    }
  }

  void tables(std::string_view key, std::vector<NamedTable>& member, const Table&, const About&) {
    for (NamedTable& named : member) {
      CheckVisitor nested(path_of(key) + "." + named.name, origins_);
      describe(nested, named.table);
    }
  }

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

  void refuse_unused(const std::string& path, const Use& use) const {
    require_user(use.used || !origins_.written(path), "{}: {} is not used {} (it is for {}); remove it{}",
                 origins_.where(path), path, use.why_not, use.when, override_remedy(path));
  }

  // Where the command line made a key of the file useless, it can take the key back too.
  [[nodiscard]] std::string override_remedy(const std::string& path) const {
    const bool addressable = path.find('[') == std::string::npos && !path.starts_with("tables.");
    if (!origins_.any_override() || origins_.overridden(path) || !addressable) return "";
    return fmt::format(", or give it its default back with --set {}=", path);
  }

  template <class T>
  void require_survives_fp32(const std::string& path, const T& value) const {
    if constexpr (std::is_same_v<T, double>) {
      constexpr double most = std::numeric_limits<float>::max();
      constexpr double least = std::numeric_limits<float>::denorm_min();
      const double size = std::abs(value);
      require_user(
          size <= most && (size >= least || size == 0),
          "{}: {} is {}, which is {} in fp32, the precision of training; use a number from {:.2g} to {:.2g}",
          origins_.where(path), path, value, size > most ? "infinite" : "0", least, most);
    }
  }

  template <class T>
  void check_range(const std::string& path, const T& value, const Range& range) const {
    if constexpr (std::is_arithmetic_v<T>) {
      require_user(range.holds(static_cast<double>(value)), "{}: {} is {}; it must be {}",
                   origins_.where(path), path, value, range.text());
    }
  }
  void check_range(const std::string& path, const Staleness& value, const Range& range) const {
    check_range(path, value.bound, range);
  }
  template <class T>
  void check_range(const std::string& path, const std::vector<T>& values, const Range& range) const {
    for (const T& value : values) check_range(path, value, range);
  }

  std::string path_;
  const Origins& origins_;
};

}  // namespace persia::config
