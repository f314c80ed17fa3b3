#!/usr/bin/env bash
# Every tracked C++ and CUDA file is what clang-format 14 makes of it; versions differ in their results, so no
# other is taken.  exit: 0 clean, 1 files differ, 2 no clang-format 14
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

formatter=$(command -v clang-format-14 || command -v clang-format || true)
version=""
if [[ -n $formatter ]]; then version=$("$formatter" --version); fi
if [[ $version != *"version 14."* ]]; then
  echo "check_format: clang-format 14 was not found (${version:-none}); validation/install_dependencies.sh --tests" >&2
  exit 2
fi
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp' '*.cu' '*.cuh')
existing=()
for file in "${files[@]}"; do if [[ -f $file ]]; then existing+=("$file"); fi; done
if ! printf '%s\0' "${existing[@]}" | xargs -0 -n 20 -P "$(nproc)" "$formatter" --dry-run -Werror 2>/dev/null; then
  for file in "${existing[@]}"; do
    "$formatter" --dry-run -Werror "$file" 2>/dev/null || echo "$file: run clang-format -i on it"
  done
  exit 1
fi
echo "check_format: ${#existing[@]} files, 0 faults"
