#!/usr/bin/env bash
# Random jobs for 20 minutes: any mix of ranks, modes, message sizes, delays and small rings (system/soak.py).
#
# usage: soak.sh [--seconds N] [--seed N]     PERSIA_BUILD names the build folder (default: build-ci)
# exit:  0 nothing wrong, 1 a job failed; it is printed with its run file
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PERSIA_BUILD=${PERSIA_BUILD:-build-ci}
exec python3 validation/system/soak.py "$@"
