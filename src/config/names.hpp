// Names of the run file's enums, as they are written in YAML.
//
// Used by reader, writer, messages and documents alike, so that a name is written in exactly one place. An
// enumerator without its name does not compile; a value outside the enum has the name "". Enumerators count
// from 0 without gaps.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "config/run_file.hpp"
#include "config/table_names.hpp"

namespace persia::config {

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

[[nodiscard]] constexpr std::string_view name_of(DataFormat value) {
  switch (value) {
    case DataFormat::criteo:
      return "criteo";
    case DataFormat::csv:
      return "csv";
    case DataFormat::synthetic:
      return "synthetic";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(Transform value) {
  switch (value) {
    case Transform::none:
      return "none";
    case Transform::log1p:
      return "log1p";
    case Transform::standardise:
      return "standardise";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(CategoryType value) {
  switch (value) {
    case CategoryType::string:
      return "string";
    case CategoryType::integer:
      return "integer";
    case CategoryType::unsigned_integer:
      return "unsigned";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(Pooling value) {
  switch (value) {
    case Pooling::sum:
      return "sum";
    case Pooling::mean:
      return "mean";
    case Pooling::sqrtn:
      return "sqrtn";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(Keep value) {
  switch (value) {
    case Keep::first:
      return "first";
    case Keep::last:
      return "last";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(BadRow value) {
  switch (value) {
    case BadRow::stop:
      return "stop";
    case BadRow::skip:
      return "skip";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(OptimizerType value) {
  switch (value) {
    case OptimizerType::sgd:
      return "sgd";
    case OptimizerType::momentum:
      return "momentum";
    case OptimizerType::adagrad:
      return "adagrad";
    case OptimizerType::rowwise_adagrad:
      return "rowwise_adagrad";
    case OptimizerType::adam:
      return "adam";
    case OptimizerType::rowwise_adam:
      return "rowwise_adam";
    case OptimizerType::adamw:
      return "adamw";
    case OptimizerType::ftrl:
      return "ftrl";
    case OptimizerType::lamb:
      return "lamb";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(ScheduleType value) {
  switch (value) {
    case ScheduleType::constant:
      return "constant";
    case ScheduleType::step:
      return "step";
    case ScheduleType::polynomial:
      return "polynomial";
    case ScheduleType::cosine:
      return "cosine";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(ModelType value) {
  switch (value) {
    case ModelType::lr:
      return "lr";
    case ModelType::dnn:
      return "dnn";
    case ModelType::dlrm:
      return "dlrm";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(Mode value) {
  switch (value) {
    case Mode::sync:
      return "sync";
    case Mode::hybrid:
      return "hybrid";
    case Mode::async:
      return "async";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(Transport value) {
  switch (value) {
    case Transport::rma:
      return "rma";
    case Transport::two_sided:
      return "two_sided";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(MailValues value) {
  switch (value) {
    case MailValues::fp32:
      return "fp32";
    case MailValues::fp16:
      return "fp16";
    case MailValues::bf16:
      return "bf16";
    case MailValues::int8:
      return "int8";
  }
  return "";
}

#pragma GCC diagnostic pop

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
  { name_of(value) } -> std::same_as<std::string_view>;
};

using NameList = std::span<const std::string_view>;

template <NamedEnum E>
[[nodiscard]] consteval std::size_t count_names() {
  std::size_t count = 0;
  while (!name_of(static_cast<E>(count)).empty()) ++count;
  return count;
}

template <NamedEnum E>
inline constexpr auto name_array = [] {
  std::array<std::string_view, count_names<E>()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(static_cast<E>(i));
  return names;
}();

// By underlying value. The argument only selects the enum.
template <NamedEnum E>
[[nodiscard]] constexpr NameList names_of(E) {
  return name_array<E>;
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
