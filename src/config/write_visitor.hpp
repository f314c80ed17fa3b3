// Turns the structs of a run file into a tree of the keys that are used. Private to writer.cpp.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/describe.hpp"
#include "config/node.hpp"
#include "config/scalar.hpp"

namespace persia::config {

[[nodiscard]] inline std::string value_text(bool value) {
  return value ? "true" : "false";
}
[[nodiscard]] inline std::string value_text(double value) {
  return number_text(value);
}
[[nodiscard]] inline std::string value_text(const std::string& value) {
  return string_text(value);
}
template <std::integral T>
[[nodiscard]] std::string value_text(T value) {
  return std::to_string(value);
}
[[nodiscard]] inline std::string value_text(const Staleness& value) {
  return value.automatic ? "auto" : value_text(value.bound);
}
template <NamedEnum E>
[[nodiscard]] std::string value_text(E value) {
  return std::string(name_of(value));
}

// Scalars of the tree hold YAML text, quotes included.
class WriteVisitor {
 public:
  WriteVisitor() { map_.kind = Node::Kind::map; }
  Node take() { return std::move(map_); }

  template <class T>
  void field(std::string_view key, const T& member, const About& about) {
    if (about.use.used) add(key, to_node(member));
  }

  template <class Body>
  void group(std::string_view key, std::string_view, const Body& body) {
    WriteVisitor nested;
    body(nested);
    if (!nested.map_.children.empty()) add(key, nested.take());
  }

  template <class Body>
  void named_group(std::string_view key, std::string_view help, const Body& body) {
    group(key, help, body);
  }

  template <class T, class Body>
  void list(std::string_view key, std::vector<T>& member, const About& about, const Body& body) {
    if (!about.use.used) return;
    Node node{.kind = Node::Kind::list};
    for (T& element : member) {
      WriteVisitor nested;
      body(nested, element);
      node.children.push_back(nested.take());
    }
    add(key, std::move(node));
  }

  void tables(std::string_view key, std::vector<NamedTable>& member, const Table&, const About&) {
    WriteVisitor all;
    for (NamedTable& named : member) {
      WriteVisitor nested;
      describe(nested, named.table);
      all.add(named.name, nested.take());
    }
    add(key, all.take());
  }

 private:
  template <class T>
  static Node to_node(const T& value) {
    return {.kind = Node::Kind::scalar, .text = value_text(value)};
  }
  template <class T>
  static Node to_node(const std::vector<T>& values) {
    Node node{.kind = Node::Kind::list};
    for (const T& value : values) node.children.push_back(to_node(value));
    return node;
  }
  void add(std::string_view key, Node node) {
    node.key = key;
    map_.children.push_back(std::move(node));
  }

  Node map_;
};

}  // namespace persia::config
