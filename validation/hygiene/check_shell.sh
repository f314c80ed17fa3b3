#!/usr/bin/env bash
# Every tracked shell script parses, and shellcheck has nothing to say where it is installed.
# exit: 0 clean, 1 faults
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh' '*.sbatch' .ci/run)
faults=0
for script in "${scripts[@]}"; do
  bash -n "$script" || faults=$((faults + 1))
done
if command -v shellcheck >/dev/null; then
  shellcheck --shell=bash --external-sources --source-path=SCRIPTDIR --severity=style "${scripts[@]}" || faults=$((faults + 1))
else
  echo "check_shell: shellcheck is not installed; syntax only"
fi
echo "check_shell: ${#scripts[@]} scripts, $faults faults"
((faults == 0))
