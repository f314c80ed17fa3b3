// The settings of the MPI library that choose and tune its transports, read through MPI's tool interface.
#pragma once

#include <map>
#include <string>

namespace persia::sys {

// Name -> value text, of those the library knows; "" for a setting without a value. Pre: MPI runs. A library
// without such an interface gives an empty map.
[[nodiscard]] std::map<std::string, std::string> mpi_settings();

}  // namespace persia::sys
