// Checks ranges and uses of every key, as describe.hpp gives them. Private to validate.cpp.
#pragma once

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
  }

  template <class Body>
  void group(std::string_view key, std::string_view, const Body& body) {
    CheckVisitor nested(path_of(key), origins_);
    body(nested);
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
    require_user(use.used || !origins_.written(path), "{}: {} is not used {} (it is for {}); remove it",
                 origins_.where(path), path, use.why_not, use.when);
  }

  template <class T>
  void check_range(const std::string& path, const T& value, const Range& range) const {
    if constexpr (std::is_arithmetic_v<T>) {
      require_user(range.holds(static_cast<double>(value)), "{}: {} is {}; it must be {}",
                   origins_.where(path), path, value, range.text());
    }
  }
  template <class T>
  void check_range(const std::string& path, const std::vector<T>& values, const Range& range) const {
    for (const T& value : values) check_range(path, value, range);
  }

  std::string path_;
  const Origins& origins_;
};

}  // namespace persia::config
