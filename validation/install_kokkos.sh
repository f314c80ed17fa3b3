#!/usr/bin/env bash
# Builds Kokkos once, where no usable one is installed, from a source package that the Python package index carries.
#
# usage: install_kokkos.sh [openmp|cuda]
#   openmp  (default) host back end, into CACHE/persia/kokkos-4.7.0-openmp
#   cuda    adds the CUDA back end for sm_80 and sm_90, into CACHE/persia/kokkos-4.7.0-cuda; nvcc >= 12 is needed
# CACHE is $XDG_CACHE_HOME, or ~/.cache. CMake looks there (src/cmake/PersiaDependencies.cmake).
# Two runs at once are safe: the second waits, then finds the work done. A run that dies leaves nothing half-made.
# exit:  0 there is a Kokkos, 1 the build failed, 2 something it needs is missing
set -euo pipefail

version=4.7.0
source_package=pygenten
source_version=0.1.5
source_sha256=e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
flavour=${1:-openmp}
case $flavour in
  openmp | cuda) ;;
  *) echo "install_kokkos: unknown flavour '$flavour' (known: openmp, cuda)" >&2; exit 2 ;;
esac
cache=${XDG_CACHE_HOME:-$HOME/.cache}/persia
prefix=$cache/kokkos-$version-$flavour

say() { echo "install_kokkos: $*"; }

# True if CMake finds a Kokkos >= 4.5 with the wanted back end without our help.
is_installed_elsewhere() {
  local probe=$1/probe
  mkdir -p "$probe"
  cat >"$probe/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES CXX)
find_package(Kokkos 4.5 REQUIRED)
string(TOUPPER "$flavour" wanted)
if(NOT wanted IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "without \${wanted}")
endif()
CMAKE
  cmake -S "$probe" -B "$probe/build" >/dev/null 2>&1
}

# A command that runs pip: the system's, or one of a throw-away virtual environment.
find_pip() {
  if python3 -m pip --version >/dev/null 2>&1; then
    pip=(python3 -m pip)
  elif python3 -m venv "$1/venv" >/dev/null 2>&1; then
    pip=("$1/venv/bin/python" -m pip)
  else
    echo "install_kokkos: python3 has neither pip nor venv. Install python3-pip (validation/install_dependencies.sh)" >&2
    exit 2
  fi
}

# Leaves the Kokkos source tree in $1/source.
fetch_source() {
  local folder=$1 archive=$1/download/$source_package-$source_version.tar.gz
  find_pip "$folder"
  if ! "${pip[@]}" download --quiet --no-deps --no-binary "$source_package" --dest "$folder/download" \
      "$source_package==$source_version" >"$folder/download.log" 2>&1; then
    tail -n 15 "$folder/download.log" >&2
    echo "install_kokkos: the source package $source_package $source_version could not be downloaded." \
      "Install Kokkos >= 4.5 yourself and point CMAKE_PREFIX_PATH to it." >&2
    exit 2
  fi
  if ! echo "$source_sha256  $archive" | sha256sum --check --status; then
    echo "install_kokkos: $source_package-$source_version.tar.gz has another SHA-256 than expected; it is not used" >&2
    exit 1
  fi
  mkdir -p "$folder/source"
  tar -xzf "$archive" -C "$folder/source" --strip-components=3 \
    "$source_package-$source_version/tpls/kokkos"
}

# CMake options of the CUDA flavour. Kokkos takes one architecture; the second goes in as a plain flag, so that
# one library serves both. nvcc_wrapper is not used: it does not work with CUDA 13.
cuda_options() {
  local nvcc
  nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
  if [[ ! -x $nvcc ]]; then
    echo "install_kokkos: no nvcc on PATH or in ${CUDA_HOME:-/usr/local/cuda}/bin; the CUDA Toolkit >= 12 is needed" >&2
    exit 2
  fi
  local flags="-std=c++20 -gencode=arch=compute_90,code=sm_90"
  local toolkit
  toolkit=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  if ((toolkit >= 13)); then flags+=" -include $repository/cuda/kokkos_cuda13.hpp"; fi
  options+=(-DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON -DKokkos_ARCH_AMPERE80=ON
    -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=80 "-DCMAKE_CUDA_FLAGS=$flags")
}

# Builds in $1 and installs into $1/stage$prefix, then moves the finished tree to $prefix in one step.
build_and_install() {
  local folder=$1
  options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON "-DCMAKE_INSTALL_PREFIX=$prefix")
  if [[ $flavour == cuda ]]; then cuda_options; fi
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  if ! { cmake -S "$folder/source" -B "$folder/build" "${options[@]}" &&
    DESTDIR=$folder/stage cmake --build "$folder/build" --target install; } >"$folder/build.log" 2>&1; then
    tail -n 40 "$folder/build.log" >&2
    echo "install_kokkos: the build of Kokkos $version ($flavour) failed (its last lines are above)" >&2
    exit 1
  fi
  rm -rf "$prefix"
  mv "$folder/stage$prefix" "$prefix"
}

is_finished() { compgen -G "$prefix/lib*/cmake/Kokkos/KokkosConfig.cmake" >/dev/null; }

if is_finished; then
  say "Kokkos $version ($flavour) is in $prefix"
  exit 0
fi
mkdir -p "$cache"
exec 9>"$cache/kokkos-$version-$flavour.lock"
flock 9
if is_finished; then
  say "Kokkos $version ($flavour) is in $prefix"
  exit 0
fi

# On the cache's own file system, so that the last step is a rename.
work=$(mktemp -d "$cache/build-kokkos.XXXXXX")
trap 'rm -rf "$work"' EXIT
if is_installed_elsewhere "$work"; then
  say "CMake finds a Kokkos >= 4.5 with $flavour; nothing to build"
  exit 0
fi
say "building Kokkos $version ($flavour) into $prefix"
fetch_source "$work"
build_and_install "$work"
say "Kokkos $version ($flavour) built in $SECONDS s"
