#!/usr/bin/env bash
# From a fresh machine to a trained, evaluated, saved and reloaded model, in one command.
#
# Installs what is missing, builds build/persia, generates data in the Criteo format whose best possible AUC is known,
# trains on 1 embedding and 2 trainer ranks (inputs/quickstart.yaml), writes a checkpoint and evaluates it again from
# disk. Everything it writes is in build/ and runs/quickstart/. Works as root and as any user.
#
# The last line is:  quickstart: test auc 0.xxxx (best possible 0.xxxx), N samples/s, W s
# exit:  0 that AUC is within 0.01 of the best and the reloaded model has it too, 1 it is not, 2 the machine lacks
#        something (the line says what)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=validation/launch.sh
source validation/launch.sh

run_file=inputs/quickstart.yaml
folder=$PWD/runs/quickstart
ranks=3
mkdir -p "$folder/logs"

fail() { echo "quickstart: $*" >&2; exit 1; }

# show_progress NAME LOG: how long the stage has run and the build tool's last "[done/all]", on a terminal in one line
# that changes, elsewhere a line a minute. Runs beside the stage, which stays in front so that Ctrl-C reaches it.
show_progress() {
  local start=$SECONDS due=60 seconds built line
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    seconds=$((SECONDS - start))
    [[ -t 1 ]] || ((seconds >= due)) || continue
    due=$((seconds + 60))
    built=$(tail -n 50 "$2" 2>/dev/null | grep -o '^\[[^]]*\]' | tail -n 1) || true
    line=$(printf 'quickstart: %-10s %4d s %s' "$1" "$seconds" "${built:-so far}")
    if [[ -t 1 ]]; then printf '\r\033[K%s' "$line"; else printf '%s\n' "$line"; fi
  done
}

# stage NAME COMMAND...: one line with the seconds when it is done, the log's end and its place when it fails.
stage() {
  local name=$1 start=$SECONDS log=$folder/logs/${1// /_}.log code=0 watcher
  shift
  show_progress "$name" "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 || code=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
  if ((code != 0)); then
    tail -n 30 "$log" >&2
    echo "quickstart: $name failed (all of its output is in $log)" >&2
    exit $((code == 2 ? 2 : 1))
  fi
  printf 'quickstart: %-10s %4d s\n' "$name" $((SECONDS - start))
}

build() {
  local options=()
  # A build folder that was configured otherwise keeps its generator and build type.
  if [[ ! -f build/CMakeCache.txt ]]; then
    options=(-G Ninja -DCMAKE_BUILD_TYPE=Release)
    if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  fi
  # Chained: `set -e` does not hold inside a command whose failure is caught.
  cmake -S . -B build "${options[@]}" &&
    cmake --build build --target persia --parallel "$(nproc)"
}

# run_persia SUBCOMMAND...: on all ranks, with the quickstart's run file and folders.
run_persia() {
  local subcommand=$1
  shift
  persia_mpirun "$ranks" build/persia "$subcommand" "$run_file" \
    --set "data.directory=$folder/data" --set "output=$folder/output" "$@"
}

# field FILE KEY: a number of the JSON object in FILE, or of the object behind the last line's `result `.
field() {
  python3 - "$1" "$2" <<'PYTHON'
import json, sys
text = open(sys.argv[1], encoding="utf-8").read().strip()
lines = [line for line in text.splitlines() if line.startswith("result ")]
value = json.loads(lines[-1].removeprefix("result ") if lines else text).get(sys.argv[2])
if not isinstance(value, (int, float)):
    sys.exit(f"quickstart: {sys.argv[1]} has no number {sys.argv[2]}")
print(value)
PYTHON
}

# differs_by_more A B LIMIT
differs_by_more() { python3 -c 'import sys; a, b, limit = map(float, sys.argv[1:]); sys.exit(abs(a - b) <= limit)' "$@"; }

stage packages bash validation/install_dependencies.sh
stage kokkos bash validation/install_kokkos.sh
stage build build
rm -rf "$folder/output"
stage data build/persia generate criteo --output "$folder/data" --rows 1500000 --test-rows 100000
stage train run_persia train
stage reload run_persia eval

best=$(field "$folder/data/teacher.json" test_auc)
trained=$(field "$folder/logs/train.log" auc)
reloaded=$(field "$folder/logs/reload.log" auc)
rate=$(field "$folder/logs/train.log" samples_per_s)
if differs_by_more "$trained" "$reloaded" 1e-6; then
  fail "the reloaded model has test auc $reloaded, the trained one had $trained"
fi
# Only below: a model may be a little luckier than the teacher.
if python3 -c 'import sys; sys.exit(float(sys.argv[1]) >= float(sys.argv[2]) - 0.01)' "$trained" "$best"; then
  fail "test auc $trained is more than 0.01 below the best possible $best"
fi
printf 'quickstart: test auc %.4f (best possible %.4f), %.0f samples/s, %d s\n' "$trained" "$best" "$rate" "$SECONDS"
