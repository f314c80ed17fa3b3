// Fills the structs of a run file from a tree, as describe.hpp lays them out. Private to reader.cpp.
//
// Checks types and names; ranges, uses and cross-key rules follow in validate().
#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/describe.hpp"
#include "config/environment.hpp"
#include "config/node.hpp"
#include "config/origins.hpp"
#include "config/scalar.hpp"

namespace persia::config {

// Scalars. `path` and the node's origin go into messages.
template <class T>
void take(const Node& node, const std::string& path, T& member, const Parsed<T>& parsed) {
  require_user(parsed.value.has_value(), "{}: {}: '{}' {}", node.origin, path, node.text, parsed.complaint);
  member = *parsed.value;
}

inline void require_scalar(const Node& node, const std::string& path, std::string_view wanted) {
  require_user(node.kind != Node::Kind::null, "{}: {} has no value; write {} or remove the key", node.origin,
               path, wanted);
  require_user(node.kind == Node::Kind::scalar, "{}: {} is {} where {} is wanted", node.origin, path,
               kind_text(node), wanted);
}

inline void require_plain(const Node& node, const std::string& path, std::string_view wanted) {
  require_scalar(node, path, wanted);
  require_user(!node.quoted, "{}: {}: \"{}\" is text where {} is wanted; remove the quotes", node.origin,
               path, node.text, wanted);
}

inline void read_value(const Node& node, const std::string& path, bool& member) {
  require_plain(node, path, "true or false");
  take(node, path, member, parse_bool(node.text));
}

inline void read_value(const Node& node, const std::string& path, double& member) {
  require_plain(node, path, "a number");
  take(node, path, member, parse_number(node.text));
}

template <std::integral T>
void read_value(const Node& node, const std::string& path, T& member) {
  require_plain(node, path, "a whole number");
  take(node, path, member, parse_whole<T>(node.text));
}

inline void read_value(const Node& node, const std::string& path, std::string& member) {
  require_scalar(node, path, "a text");
  member = node.text;
}

inline void read_value(const Node& node, const std::string& path, Staleness& member) {
  require_scalar(node, path, "a whole number or auto");
  member.automatic = node.text == "auto";
  if (member.automatic) return;
  require_plain(node, path, "a whole number or auto");
  take(node, path, member.bound, parse_whole<std::int32_t>(node.text));
}

template <NamedEnum E>
void read_value(const Node& node, const std::string& path, E& member) {
  const NameList names = names_of(E{});
  require_scalar(node, path, join_names(names));
  const auto found = std::ranges::find(names, node.text);
  if (found == names.end()) {
    const std::string near = nearest_name(node.text, {names.begin(), names.end()});
    fail_user("{}: {}: '{}' is not known; use {}{}", node.origin, path, node.text, join_names(names),
              near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
  }
  member = static_cast<E>(found - names.begin());
}

inline void require_list(const Node& node, const std::string& path) {
  require_user(node.kind == Node::Kind::list, "{}: {} is {} where a list is wanted; write [a, b]",
               node.origin, path, kind_text(node));
}

template <class T>
void read_value(const Node& node, const std::string& path, std::vector<T>& member) {
  require_list(node, path);
  member.clear();
  for (const Node& item : node.children) {
    const std::string item_path = fmt::format("{}[{}]", path, member.size());
    read_value(item, item_path, member.emplace_back());
  }
}

inline void expand_path(std::string& member, const std::string& where) {
  member = replace_environment(member, where);
}
inline void expand_path(std::vector<std::string>& member, const std::string& where) {
  for (std::string& text : member) expand_path(text, where);
}

class ReadVisitor {
 public:
  // `path`: of the map, "" at the top. UserError if the node is no map.
  ReadVisitor(const Node& map, std::string path, Origins& origins)
      : map_(map), path_(std::move(path)), origins_(origins) {
    require_user(map.kind == Node::Kind::map, "{}: {} is {} where a map of keys is wanted", map.origin,
                 path_.empty() ? "the file" : path_, kind_text(map));
  }

  template <class T>
  void field(std::string_view key, T& member, const About& about) {
    const Node* node = find(key);
    if (node == nullptr) return;
    const std::string path = path_of(key);
    read_value(*node, path, member);
    if constexpr (requires { expand_path(member, path); })
      if (about.path) expand_path(member, fmt::format("{}: {}", node->origin, path));
  }

  template <class Body>
  void group(std::string_view key, std::string_view, const Body& body) {
    if (const Node* node = find(key)) read_map(*node, path_of(key), body);
  }

  // Plain text is the map's `name`.
  template <class Body>
  void named_group(std::string_view key, std::string_view, const Body& body) {
    const Node* node = find(key);
    if (node == nullptr) return;
    if (node->kind != Node::Kind::scalar) return read_map(*node, path_of(key), body);
    Node name = *node;
    name.key = "name";
    read_map({.kind = Node::Kind::map, .origin = node->origin, .children = {name}}, path_of(key), body);
  }

  // An element may be a plain text: then it is the element's name.
  template <class T, class Body>
  void list(std::string_view key, std::vector<T>& member, const About&, const Body& body) {
    const Node* node = find(key);
    if (node == nullptr) return;
    require_list(*node, path_of(key));
    member.clear();
    for (const Node& item : node->children) {
      const std::string path = fmt::format("{}[{}]", path_of(key), member.size());
      T& element = member.emplace_back();
      origins_.add(path, item.origin);
      if (item.kind == Node::Kind::scalar)
        read_value(item, path, element.name);
      else
        read_map(item, path, [&](ReadVisitor& nested) { body(nested, element); });
    }
  }

  void tables(std::string_view key, std::vector<NamedTable>& member, const Table& defaults, const About&) {
    const Node* node = find(key);
    if (node == nullptr) return;
    require_user(node->kind == Node::Kind::map, "{}: {} is {} where a map of table names is wanted",
                 node->origin, path_of(key), kind_text(*node));
    member.clear();
    for (const Node& child : node->children) {
      if (child.unset) continue;
      NamedTable& named = member.emplace_back(NamedTable{child.key, defaults});
      const std::string path = path_of(key) + "." + child.key;
      origins_.add(path, child.origin);
      read_map(child, path, [&](ReadVisitor& nested) { describe(nested, named.table); });
    }
  }

  // Call after the description has passed.
  void refuse_unknown() const {
    for (const Node& child : map_.children) {
      if (std::ranges::find(known_, child.key) != known_.end()) continue;
      const std::string near = nearest_name(child.key, known_);
      fail_user("{}: unknown key '{}'{}{}", child.origin, child.key, path_.empty() ? "" : " in " + path_,
                near.empty() ? fmt::format("; known are {}", fmt::join(known_, ", "))
                             : fmt::format(" (did you mean '{}'?)", near));
    }
  }

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

  const Node* find(std::string_view key) {
    known_.emplace_back(key);
    const Node* node = map_.find(key);
    if (node == nullptr || node->unset) return nullptr;
    origins_.add(path_of(key), node->origin);
    return node;
  }

  template <class Body>
  void read_map(const Node& node, const std::string& path, const Body& body) {
    ReadVisitor nested(node, path, origins_);
    body(nested);
    nested.refuse_unknown();
  }

  const Node& map_;
  std::string path_;
  Origins& origins_;
  std::vector<std::string> known_;
};

}  // namespace persia::config
