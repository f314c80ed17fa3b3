#!/usr/bin/env bash
# Builds and runs every test. The last line is `N passed, N failed, N skipped`.
#
# usage: test.sh [--quick] [--long]
#   --quick  leaves out the builds with sanitizers and with CUDA
#   --long   adds the tests that ctest labels "long" (campaigns of many minutes)
# exit:  0 all passed, 1 something failed or nothing ran, 2 the machine lacks something
#
# Four builds, each in a folder that is reused: build-ci with every test; build-asan and build-tsan with the unit
# tests under address+undefined and under the thread sanitizer; build-cuda with the GPU's tests, which skip where no
# GPU is seen. PERSIA_DATA_DIR names the folder of the public data sets; tests that need one skip without it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
# shellcheck source=validation/launch.sh
source validation/launch.sh

quick=0
long=0
for argument in "$@"; do
  case $argument in
    --quick) quick=1 ;;
    --long) long=1 ;;
    *) echo "test: unknown argument '$argument' (known: --quick, --long)" >&2; exit 2 ;;
  esac
done

cores=$(nproc)
# Objects are the same wherever the checkout lies, so ccache may find them again in another one.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
passed=0
failed=0
skipped=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

say() { echo "[test $((SECONDS / 60))m$((SECONDS % 60))s] $*"; }

# The last line, and the exit code that goes with it.
finish() {
  say "done"
  echo "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0 && passed > 0))
  exit
}

# step NAME COMMAND...: something that must work but is no test; its output is shown only if it fails.
step() {
  local name=$1
  shift
  say "$name"
  if "$@" >"$logs/step" 2>&1; then return 0; fi
  tail -n 60 "$logs/step"
  say "$name FAILED"
  failed=$((failed + 1))
  return 1
}

# check NAME COMMAND...: one test that is not ctest's.
check() {
  local name=$1
  shift
  if "$@" >"$logs/check" 2>&1; then
    passed=$((passed + 1))
    say "$name: $(tail -n 1 "$logs/check")"
  else
    failed=$((failed + 1))
    tail -n 60 "$logs/check"
    say "$name FAILED"
  fi
}

# run_tests PRESET [CTEST ARGUMENTS]: all of a build's tests, counted.
run_tests() {
  local preset=$1 results=$logs/$1.xml counts
  shift
  local wrapper=()
  # The thread sanitizer of GCC 12 does not start where the kernel scatters addresses widely.
  if [[ $preset == tsan ]] && setarch "$(uname -m)" -R true 2>/dev/null; then wrapper=(setarch "$(uname -m)" -R); fi
  say "running the tests of build-$preset"
  "${wrapper[@]}" ctest --preset "$preset" --parallel "$cores" --output-junit "$results" "$@"
  if [[ ! -s $results ]] || ! counts=$(python3 validation/hygiene/count_results.py "$results"); then
    say "the tests of build-$preset did not run"
    failed=$((failed + 1))
    return
  fi
  local now_passed now_failed now_skipped
  read -r now_passed now_failed now_skipped <<<"$counts"
  say "build-$preset: $now_passed passed, $now_failed failed, $now_skipped skipped"
  if ((now_passed + now_failed + now_skipped == 0)); then now_failed=1; fi
  passed=$((passed + now_passed))
  failed=$((failed + now_failed))
  skipped=$((skipped + now_skipped))
}

configure() {
  local preset=$1 options=()
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  step "configuring build-$preset" cmake --preset "$preset" "${options[@]}"
}

# Floors, headers and format are .ci/run's own first steps.
hygiene() {
  say "hygiene"
  check "the floors check can fail" python3 validation/hygiene/check_floors_test.py
  check shell validation/hygiene/check_shell.sh
  check words validation/hygiene/check_words.sh
  python3 validation/hygiene/check_sizes.py
}

# build_and_test PRESET [CTEST ARGUMENTS]
build_and_test() {
  local preset=$1
  configure "$preset" && step "building build-$preset" cmake --build --preset "$preset" && run_tests "$@"
}

cuda_tests() {
  local nvcc major
  nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
  major=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  if ((${major:-0} < 12)); then
    skipped=$((skipped + 1))
    say "skipped: the CUDA build (no CUDA Toolkit >= 12 on PATH or in ${CUDA_HOME:-/usr/local/cuda})"
    return
  fi
  step "Kokkos with CUDA" bash validation/install_kokkos.sh cuda || return
  local stubs=$logs/cuda-stubs
  # Without a driver the programs start against the toolkit's stand-in for it; the tests then find no GPU and skip.
  if ! ldconfig -p | grep -q 'libcuda\.so\.1'; then
    mkdir -p "$stubs"
    ln -s "$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64/stubs/libcuda.so" "$stubs/libcuda.so.1"
    local -x LD_LIBRARY_PATH=$stubs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  fi
  local -x CUDACXX=$nvcc
  build_and_test cuda
}

say "packages"
bash validation/install_dependencies.sh --tests || exit 2
bash validation/install_kokkos.sh || exit 2
configure ci || finish
hygiene
if step "building build-ci" cmake --build --preset ci; then
  if ((long)); then run_tests ci; else run_tests ci --label-exclude '^long$'; fi
fi
if ((!quick)); then
  build_and_test asan
  build_and_test tsan
  cuda_tests
fi
finish
