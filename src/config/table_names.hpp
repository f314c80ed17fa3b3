// Names of the enums of an embedding table, for names.hpp alone.
#pragma once

#include <string_view>

#include "config/run_file.hpp"

namespace persia::config {

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

[[nodiscard]] constexpr std::string_view name_of(Precision value) {
  switch (value) {
    case Precision::fp32:
      return "fp32";
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
    case Precision::int8:
      return "int8";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(StatePrecision value) {
  switch (value) {
    case StatePrecision::fp32:
      return "fp32";
    case StatePrecision::bf16:
      return "bf16";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(InitType value) {
  switch (value) {
    case InitType::uniform:
      return "uniform";
    case InitType::normal:
      return "normal";
    case InitType::truncated_normal:
      return "truncated_normal";
    case InitType::constant:
      return "constant";
    case InitType::zero:
      return "zero";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(BadId value) {
  switch (value) {
    case BadId::error:
      return "error";
    case BadId::count:
      return "count";
    case BadId::hash:
      return "hash";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(ComposeType value) {
  switch (value) {
    case ComposeType::none:
      return "none";
    case ComposeType::hash_stack:
      return "hash_stack";
    case ComposeType::quotient_remainder:
      return "quotient_remainder";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(AdmissionPolicy value) {
  switch (value) {
    case AdmissionPolicy::always:
      return "always";
    case AdmissionPolicy::probability:
      return "probability";
    case AdmissionPolicy::sightings:
      return "sightings";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(EvictionPolicy value) {
  switch (value) {
    case EvictionPolicy::none:
      return "none";
    case EvictionPolicy::lru:
      return "lru";
    case EvictionPolicy::lfu:
      return "lfu";
    case EvictionPolicy::lowest_norm:
      return "lowest_norm";
  }
  return "";
}

[[nodiscard]] constexpr std::string_view name_of(EvictionJournal value) {
  switch (value) {
    case EvictionJournal::none:
      return "none";
    case EvictionJournal::ids:
      return "ids";
    case EvictionJournal::rows:
      return "rows";
  }
  return "";
}

#pragma GCC diagnostic pop

}  // namespace persia::config
