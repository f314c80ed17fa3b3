// Names of the run file's enums, as they are written in YAML. Index = underlying value.
//
// Used by reader, writer, messages and documents alike, so that a name is written in exactly one place.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "config/run_file.hpp"

namespace persia::config {

namespace names {
inline constexpr std::array<std::string_view, 3> data_format{"criteo", "csv", "synthetic"};
inline constexpr std::array<std::string_view, 3> transform{"none", "log1p", "standardise"};
inline constexpr std::array<std::string_view, 3> category_type{"string", "integer", "unsigned"};
inline constexpr std::array<std::string_view, 3> pooling{"sum", "mean", "sqrtn"};
inline constexpr std::array<std::string_view, 2> keep{"first", "last"};
inline constexpr std::array<std::string_view, 2> bad_row{"stop", "skip"};
inline constexpr std::array<std::string_view, 5> optimizer_type{"sgd", "momentum", "adagrad",
                                                                "rowwise_adagrad", "adam"};
inline constexpr std::array<std::string_view, 3> precision{"fp32", "fp16", "bf16"};
inline constexpr std::array<std::string_view, 3> init_type{"uniform", "normal", "zero"};
inline constexpr std::array<std::string_view, 3> model_type{"lr", "dnn", "dlrm"};
inline constexpr std::array<std::string_view, 3> mode{"sync", "hybrid", "async"};
inline constexpr std::array<std::string_view, 2> transport{"rma", "two_sided"};
}  // namespace names

using NameList = std::span<const std::string_view>;

// The argument only selects the enum.
[[nodiscard]] constexpr NameList names_of(DataFormat) {
  return names::data_format;
}
[[nodiscard]] constexpr NameList names_of(Transform) {
  return names::transform;
}
[[nodiscard]] constexpr NameList names_of(CategoryType) {
  return names::category_type;
}
[[nodiscard]] constexpr NameList names_of(Pooling) {
  return names::pooling;
}
[[nodiscard]] constexpr NameList names_of(Keep) {
  return names::keep;
}
[[nodiscard]] constexpr NameList names_of(BadRow) {
  return names::bad_row;
}
[[nodiscard]] constexpr NameList names_of(OptimizerType) {
  return names::optimizer_type;
}
[[nodiscard]] constexpr NameList names_of(Precision) {
  return names::precision;
}
[[nodiscard]] constexpr NameList names_of(InitType) {
  return names::init_type;
}
[[nodiscard]] constexpr NameList names_of(ModelType) {
  return names::model_type;
}
[[nodiscard]] constexpr NameList names_of(Mode) {
  return names::mode;
}
[[nodiscard]] constexpr NameList names_of(Transport) {
  return names::transport;
}

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  names_of(value);
};

// Every enumerator has a name; a value outside the enum is a fault of the program.
template <NamedEnum E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

// "a, b or c"
[[nodiscard]] inline std::string join_names(NameList list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += i + 1 == list.size() ? " or " : ", ";
    text += list[i];
  }
  return text;
}

}  // namespace persia::config
