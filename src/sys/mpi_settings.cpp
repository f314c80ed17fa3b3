#include "sys/mpi_settings.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace persia::sys {

namespace {

constexpr std::array<std::string_view, 10> names{"osc",
                                                 "pml",
                                                 "btl",
                                                 "mpi_yield_when_idle",
                                                 "btl_vader_single_copy_mechanism",
                                                 "btl_sm_single_copy_mechanism",
                                                 "btl_tcp_if_include",
                                                 "btl_tcp_if_exclude",
                                                 "opal_common_ucx_tls",
                                                 "opal_common_ucx_devices"};

// One control variable as MPI describes it.
struct Variable {
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum choices = MPI_T_ENUM_NULL;
  int binding = MPI_T_BIND_NO_OBJECT;
};

// Owner of the tool interface.
class Tools {
 public:
  Tools() {
    int provided = 0;
    ready_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }
  ~Tools() {
    if (ready_) MPI_T_finalize();
  }
  Tools(const Tools&) = delete;
  Tools& operator=(const Tools&) = delete;
  Tools(Tools&&) = delete;
  Tools& operator=(Tools&&) = delete;
  [[nodiscard]] int num_variables() const {
    int count = 0;
    return ready_ && MPI_T_cvar_get_num(&count) == MPI_SUCCESS ? count : 0;
  }

 private:
  bool ready_ = false;
};

Variable describe(int index) {
  std::array<char, 256> name{};
  std::array<char, 1024> description{};
  int name_length = static_cast<int>(name.size());
  int description_length = static_cast<int>(description.size());
  int verbosity = 0;
  int scope = 0;
  Variable variable;
  const int code =
      MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &variable.type, &variable.choices,
                          description.data(), &description_length, &variable.binding, &scope);
  if (code == MPI_SUCCESS) variable.name = name.data();
  return variable;
}

std::string choice_text(MPI_T_enum choices, int value) {
  int count = 0;
  std::array<char, 256> text{};
  if (MPI_T_enum_get_info(choices, &count, text.data(), nullptr) != MPI_SUCCESS) return std::to_string(value);
  for (int i = 0; i < count; ++i) {
    int item = 0;
    int length = static_cast<int>(text.size());
    if (MPI_T_enum_get_item(choices, i, &item, text.data(), &length) == MPI_SUCCESS && item == value)
      return text.data();
  }
  return std::to_string(value);
}

std::string value_text(const Variable& variable, const std::vector<std::byte>& bytes) {
  if (variable.type == MPI_CHAR) return reinterpret_cast<const char*>(bytes.data());
  int value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return variable.choices == MPI_T_ENUM_NULL ? std::to_string(value) : choice_text(variable.choices, value);
}

// Texts and small integers; other types do not occur among `names`.
std::string read(int index, const Variable& variable) {
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return "";
  // A text's count is its longest length so far, which a later value may exceed: leave ample room.
  std::vector<std::byte> bytes(65536 + 8 * static_cast<std::size_t>(std::max(count, 0)));
  const bool ok = MPI_T_cvar_read(handle, bytes.data()) == MPI_SUCCESS;
  MPI_T_cvar_handle_free(&handle);
  return ok ? value_text(variable, bytes) : "";
}

}  // namespace

std::map<std::string, std::string> mpi_settings() {
  std::map<std::string, std::string> settings;
  const Tools tools;
  for (int i = 0; i < tools.num_variables(); ++i) {
    const Variable variable = describe(i);
    const bool wanted = std::ranges::find(names, variable.name) != names.end();
    if (wanted && variable.binding == MPI_T_BIND_NO_OBJECT) settings[variable.name] = read(i, variable);
  }
  return settings;
}

}  // namespace persia::sys
