# Sourced by scripts: how to start ranks on this machine, for Open MPI 4.1 and 5.0, as root or not.
#
# persia_mpirun RANKS COMMAND...   runs COMMAND on RANKS ranks of this machine; returns mpirun's exit code
# persia_mpirun_flags RANKS        sets the array PERSIA_MPIRUN_FLAGS to the options that persia_mpirun gives
#
# More ranks than cores are allowed (tests and small machines); then idle ranks yield the core. No rank is bound
# to a core: threads of one rank spread over all of them.

# Open MPI refuses root unless told twice.
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi

persia_mpirun_flags() {
  local ranks=$1 version
  # No pipe into head: a closed pipe would look like a failure under `set -o pipefail`.
  version=$(mpirun --version 2>/dev/null) || true
  case $version in
    *"(Open MPI) 4."*) PERSIA_MPIRUN_FLAGS=(--oversubscribe --bind-to none) ;;
    *"(Open MPI) "*) PERSIA_MPIRUN_FLAGS=(--map-by :OVERSUBSCRIBE --bind-to none) ;;
    "") echo "launch: no mpirun on PATH; run validation/install_dependencies.sh" >&2; return 2 ;;
    *) echo "launch: mpirun is not Open MPI's (${version%%$'\n'*}); put Open MPI's first on PATH" >&2; return 2 ;;
  esac
  if ((ranks > $(nproc))); then PERSIA_MPIRUN_FLAGS+=(--mca mpi_yield_when_idle 1); fi
  PERSIA_MPIRUN_FLAGS+=(-np "$ranks")
}

persia_mpirun() {
  local ranks=$1
  shift
  persia_mpirun_flags "$ranks" || return
  mpirun "${PERSIA_MPIRUN_FLAGS[@]}" "$@"
}
