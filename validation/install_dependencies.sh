#!/usr/bin/env bash
# Installs what building Persia needs from the distribution's packages: only what is missing, nothing else.
#
# usage: install_dependencies.sh [--tests] [--list]
#   --tests  also what only the checks need (formatter, shell checker, a one-machine Slurm, YAML and HDF5 readers, model checker, network namespaces)
#   --list   prints the package names, one a line, and changes nothing
# exit:  0 everything is there, 2 something is missing and cannot be installed from here (the line to run is printed)
set -euo pipefail

build_packages=(
  g++ cmake ninja-build pkg-config git ca-certificates
  libopenmpi-dev openmpi-bin openssh-client libucx-dev
  libhdf5-dev libdnnl-dev libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev
  nlohmann-json3-dev libxxhash-dev zlib1g-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  python3 python3-pip
)
test_packages=(clang-format shellcheck python3-yaml python3-h5py python3-venv slurm-wlm munge spin iproute2)
optional_packages=(ccache) # makes later builds faster; never a reason to stop

with_tests=0
list_only=0
for argument in "$@"; do
  case $argument in
    --tests) with_tests=1 ;;
    --list) list_only=1 ;;
    *) echo "install_dependencies: unknown argument '$argument' (known: --tests, --list)" >&2; exit 2 ;;
  esac
done

required=("${build_packages[@]}")
if ((with_tests)); then required+=("${test_packages[@]}"); fi
if ((list_only)); then
  printf '%s\n' "${required[@]}" "${optional_packages[@]}"
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "install_dependencies: no apt on this system; nothing was checked. CMake names what it does not find."
  exit 0
fi

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Prints those of its arguments that are not installed.
missing_of() {
  local package
  for package in "$@"; do is_installed "$package" || echo "$package"; done
}

mapfile -t missing < <(missing_of "${required[@]}")
mapfile -t missing_optional < <(missing_of "${optional_packages[@]}")
wanted=("${missing[@]}" "${missing_optional[@]}")
if ((${#wanted[@]} == 0)); then
  echo "install_dependencies: everything is there"
  exit 0
fi

if ((EUID == 0)); then
  become_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  become_root=(sudo -n)
elif ((${#missing[@]} == 0)); then
  echo "install_dependencies: everything needed is there (${missing_optional[*]} would make later builds faster)"
  exit 0
else
  echo "install_dependencies: packages are missing and this account may not install them. Have this run as root:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 2
fi

install_wanted() {
  # Waits for another package manager rather than failing on its lock.
  "${become_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${wanted[@]}"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "install_dependencies: installing ${wanted[*]}"
if install_wanted >"$log" 2>&1; then exit 0; fi
# The package lists of a fresh machine are empty, those of an old one out of date.
if "${become_root[@]}" apt-get update >>"$log" 2>&1 && install_wanted >>"$log" 2>&1; then exit 0; fi
tail -n 25 "$log" >&2
echo "install_dependencies: apt-get could not install ${wanted[*]} (its last lines are above)" >&2
exit 2
