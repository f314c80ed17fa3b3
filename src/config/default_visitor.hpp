// Lays out every key with its default and a comment, as describe.hpp gives them. Private to writer.cpp.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/write_visitor.hpp"

namespace persia::config {

class DefaultVisitor {
 public:
  // `indent` stands in front of every line.
  explicit DefaultVisitor(std::string indent) : indent_(std::move(indent)) {}
  std::string take() { return std::move(text_); }

  template <class T>
  void field(std::string_view key, const T& member, const About& about) {
    std::string help(about.help);
    if constexpr (NamedEnum<T>) append(help, join_names(names_of(member)));
    append(help, about.range.text());
    append(help, about.use.when.empty() ? "" : "only with " + about.use.when);
    line(about.use.used, fmt::format("{}: {}", key, list_text(member)), help);
  }

  template <class Body>
  void group(std::string_view key, std::string_view help, const Body& body) {
    DefaultVisitor nested(indent_ + "  ");
    body(nested);
    line(nested.any_used_, fmt::format("{}:", key), std::string(help));
    text_ += nested.take();
  }

  template <class Body>
  void named_group(std::string_view key, std::string_view help, const Body& body) {
    group(key, help, body);
  }

  // The elements' keys follow in a comment.
  template <class T, class Body>
  void list(std::string_view key, std::vector<T>&, const About& about, const Body& body) {
    std::string help(about.help);
    append(help, about.use.when.empty() ? "" : "only with " + about.use.when);
    line(about.use.used, fmt::format("{}: []", key), help + "; an element's keys:");
    DefaultVisitor nested(indent_ + "#   ");
    T element;
    body(nested, element);
    text_ += nested.take();
  }

  void tables(std::string_view key, std::vector<NamedTable>&, const Table&, const About& about) {
    line(true, fmt::format("{}: {{}}", key), std::string(about.help));
  }

 private:
  template <class T>
  static std::string list_text(const T& value) {
    return value_text(value);
  }
  template <class T>
  static std::string list_text(const std::vector<T>& values) {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ", ") + value_text(value);
    return "[" + text + "]";
  }
  static void append(std::string& help, const std::string& more) {
    if (!more.empty()) help += (help.empty() ? "" : "; ") + more;
  }
  void line(bool used, const std::string& entry, const std::string& help) {
    any_used_ = any_used_ || used;
    const bool comment = used || indent_.find('#') != std::string::npos;
    text_ += fmt::format("{:<36}  # {}\n", indent_ + (comment ? "" : "# ") + entry, help);
  }

  std::string indent_;
  std::string text_;
  bool any_used_ = false;
};

}  // namespace persia::config
