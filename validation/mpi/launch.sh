#!/usr/bin/env bash
# launch.sh RANKS PROGRAM [ARGUMENT...]: runs a test program on RANKS ranks of this machine (../launch.sh says how),
# with one compute thread per rank unless OMP_NUM_THREADS says otherwise. ctest calls it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../launch.sh"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
persia_mpirun "$@"
