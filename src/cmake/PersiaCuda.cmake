# Builds with PERSIA_CUDA: the language, the flags of every CUDA source and the outside libraries of cuda/.
# Included by the top-level file before any target exists, because the architectures are copied into targets
# when they are made.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin REQUIRED)
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPUs to compile for")
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "CUDA Toolkit ${CMAKE_CUDA_COMPILER_VERSION} is too old: 12 or newer is needed")
endif()
find_package(CUDAToolkit REQUIRED) # CUDA::cuda_driver is the toolkit's stub where no driver is installed
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib REQUIRED)

add_library(persia_dep_cuda INTERFACE)
target_include_directories(persia_dep_cuda SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
target_link_libraries(persia_dep_cuda INTERFACE CUDA::cudart CUDA::cublas CUDA::cuda_driver ${NCCL_LIBRARY})

# CMake 3.25 does not know that nvcc has C++20, and Kokkos 4.7.0 does not know CUDA 13 (see that header).
foreach(kind IN ITEMS STANDARD EXTENSION)
  if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
    set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
  endif()
endforeach()
string(APPEND CMAKE_CUDA_FLAGS " -DFMT_USE_CONSTEXPR=1") # fmt 9 takes nvcc for a compiler without it
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  string(APPEND CMAKE_CUDA_FLAGS " -include ${CMAKE_SOURCE_DIR}/cuda/kokkos_cuda13.hpp")
endif()

# persia_compile_as_cuda(TARGET): sources that use Kokkos must go through nvcc when Kokkos has its CUDA back end.
# They go together, as one source: each would spend a minute on Kokkos's headers, twice per GPU kind.
function(persia_compile_as_cuda target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(text "")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
    set_source_files_properties(${path} TARGET_DIRECTORY ${target} PROPERTIES HEADER_FILE_ONLY TRUE)
    string(APPEND text "#include \"${path}\"\n")
  endforeach()
  set(together ${CMAKE_BINARY_DIR}/cuda/${target}.cu)
  file(CONFIGURE OUTPUT ${together} CONTENT "${text}")
  target_sources(${target} PRIVATE ${together})
endfunction()

# Programs of such a build need libcuda.so.1 to start. Where no driver is installed, tests get a folder with the
# toolkit's stub under that name: they then start, see no GPU, and skip. Never made beside a real driver, which it
# would hide.
find_library(persia_driver NAMES libcuda.so.1 PATHS /usr/local/nvidia/lib64 /usr/lib/wsl/lib NO_CACHE)
if(NOT persia_driver)
  set(PERSIA_CUDA_STUB_FOLDER ${CMAKE_BINARY_DIR}/cuda-stub)
  file(MAKE_DIRECTORY ${PERSIA_CUDA_STUB_FOLDER})
  find_library(persia_driver_stub NAMES cuda HINTS ${CUDAToolkit_LIBRARY_DIR} PATHS ${CUDAToolkit_LIBRARY_ROOT}/lib
    PATH_SUFFIXES stubs NO_CACHE REQUIRED)
  file(CREATE_LINK ${persia_driver_stub} ${PERSIA_CUDA_STUB_FOLDER}/libcuda.so.1 SYMBOLIC)
endif()
