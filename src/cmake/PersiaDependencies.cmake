# Every outside library, found here and nowhere else. Rooms name the imported targets they need.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(MPI 3.1 REQUIRED COMPONENTS C)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
# Debian's dnnl-config.cmake asks for OpenCL development files, which nothing here uses: take header and library.
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.hpp REQUIRED)
find_library(DNNL_LIBRARY dnnl REQUIRED)
# A Kokkos of the system or CMAKE_PREFIX_PATH wins; otherwise the one that validation/install_kokkos.sh built.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(persia_cache $ENV{XDG_CACHE_HOME}/persia)
else()
  set(persia_cache $ENV{HOME}/.cache/persia)
endif()
if(PERSIA_CUDA)
  set(persia_kokkos ${persia_cache}/kokkos-4.7.0-cuda)
else()
  set(persia_kokkos ${persia_cache}/kokkos-4.7.0-openmp)
endif()
find_package(Kokkos 4.5 QUIET)
if(NOT Kokkos_FOUND)
  find_package(Kokkos 4.5 QUIET PATHS ${persia_kokkos})
endif()
if(NOT Kokkos_FOUND)
  message(FATAL_ERROR "Kokkos >= 4.5 was not found. Run `bash validation/install_kokkos.sh` once "
    "(it builds Kokkos into ${persia_kokkos}), or point CMAKE_PREFIX_PATH to your own.")
endif()
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(ucx IMPORTED_TARGET ucx) # linked by Open MPI itself; only its version is reported

# yaml-cpp 0.7 exports a bare target name, 0.8 a namespaced one.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED)
  target_link_libraries(yaml-cpp::yaml-cpp INTERFACE yaml-cpp)
endif()

# The HDF5 and MPI find modules differ over versions; two plain interface targets hide that.
add_library(persia_dep_mpi INTERFACE)
target_link_libraries(persia_dep_mpi INTERFACE MPI::MPI_C)
target_compile_definitions(persia_dep_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

add_library(persia_dep_hdf5 INTERFACE)
target_include_directories(persia_dep_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(persia_dep_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_compile_definitions(persia_dep_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})

add_library(persia_dep_dnnl INTERFACE)
target_include_directories(persia_dep_dnnl SYSTEM INTERFACE ${DNNL_INCLUDE_DIR})
target_link_libraries(persia_dep_dnnl INTERFACE ${DNNL_LIBRARY})
