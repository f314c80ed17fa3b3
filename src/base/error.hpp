// The two ways a run ends early, and the checks that start them.
//
// UserError: the person can mend it (run file, data, command line, damaged input). Exit code 2.
// Error:     anything else (lost peer, full disk, library failure, broken invariant). Exit code 1.
// StuckError: a wait for other ranks met its deadline. Exit code 1, and every rank says what it waits for.
// Messages read: what is wrong, (why,) what to do. One catch, in commands/, prints them; nothing else does.
// Thread safety: free functions, no state.
#pragma once

#include <fmt/format.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace persia {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::source_location where = std::source_location::current());
  // File and line of the throwing code; printed for Error, not for UserError.
  [[nodiscard]] const std::source_location& where() const { return where_; }
  [[nodiscard]] virtual int exit_code() const { return 1; }

 private:
  std::source_location where_;
};

class UserError : public Error {
 public:
  // Written out, not inherited: nvcc 13.0 crashes on an inherited constructor with such a default argument.
  explicit UserError(const std::string& message, std::source_location where = std::source_location::current())
      : Error(message, where) {}
  [[nodiscard]] int exit_code() const override { return 2; }
};

class StuckError final : public Error {
 public:
  explicit StuckError(const std::string& message,
                      std::source_location where = std::source_location::current())
      : Error(message, where) {}
};

// A format string that remembers where it was written, so that helpers need no macro.
template <class... Args>
struct LocatedFormat {
  fmt::format_string<Args...> text;
  std::source_location where;
  template <class String>
  consteval LocatedFormat(const String& s,
                          std::source_location w = std::source_location::current())  // NOLINT
      : text(s), where(w) {}
};

template <class... Args>
[[noreturn]] void fail(LocatedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  throw Error(fmt::format(format.text, std::forward<Args>(args)...), format.where);
}

template <class... Args>
[[noreturn]] void fail_user(LocatedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  throw UserError(fmt::format(format.text, std::forward<Args>(args)...), format.where);
}

template <class... Args>
[[noreturn]] void fail_stuck(LocatedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  throw StuckError(fmt::format(format.text, std::forward<Args>(args)...), format.where);
}

// Always checked: user input, files, results of libraries.
template <class... Args>
void require_user(bool ok, LocatedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  if (!ok) throw UserError(fmt::format(format.text, std::forward<Args>(args)...), format.where);
}

template <class... Args>
void require(bool ok, LocatedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  if (!ok) throw Error(fmt::format(format.text, std::forward<Args>(args)...), format.where);
}

// A caller's promise. Cheap enough to be checked in every build unless it stands in an inner loop.
void expects(bool promise, std::string_view what = "precondition",
             std::source_location where = std::source_location::current());

// "name (did you mean 'nearest'?)" helper: the known name with the smallest edit distance, or "" if none is
// near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace persia
