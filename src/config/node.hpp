// A YAML document as a plain tree in which every value knows where it was written.
//
// Stricter than YAML: one document, maps with distinct text keys, no aliases, anchors, tags or control
// characters. Nothing is dropped silently. Values, no handles; copied freely.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace persia::config {

struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string key{};             // of a map's child
  std::string origin{};          // "run.yaml:12"; of a map's child: its key's place
  std::string text{};            // scalar
  bool quoted = false;           // scalar: was written in quotes
  bool unset = false;            // an override gave the key its default back
  std::vector<Node> children{};  // list, map: in the order written

  [[nodiscard]] const Node* find(std::string_view wanted) const;
};

// `name`: of the file; places read "name:12".
// UserError with file and line for anything that is not one well-formed, strict document. An empty text gives
// null.
[[nodiscard]] Node parse_yaml(const std::string& text, const std::string& name);
// The same for the value of an override: every place is `origin`.
[[nodiscard]] Node parse_yaml_value(const std::string& text, const std::string& origin);

// "a map", "a list", ... for messages.
[[nodiscard]] std::string_view kind_text(const Node& node);

}  // namespace persia::config
