#!/usr/bin/env bash
# Runs a training and, if it fails, runs it again with --resume, so that it goes on from its newest checkpoint.
#
# usage: persia-retry RETRIES COMMAND...
# Exit code 2 is a mistake in the run file or its data and is not tried again: the same start would fail the same
# way. The exit code is that of the last try.
set -uo pipefail

retries=${1:?usage: persia-retry RETRIES COMMAND...}
shift
if [[ ! $retries =~ ^[0-9]+$ ]] || (($# == 0)); then
  echo "persia-retry: usage: persia-retry RETRIES COMMAND..." >&2
  exit 2
fi

resume=()
for ((attempt = 0; ; attempt++)); do
  "$@" "${resume[@]}"
  code=$?
  if ((code == 0 || code == 2 || attempt >= retries)); then exit "$code"; fi
  echo "persia-retry: exit code $code; try $((attempt + 2)) of $((retries + 1)) goes on from the newest checkpoint" >&2
  resume=(--resume)
  sleep "${PERSIA_RETRY_SECONDS:-10}" # a container that was killed needs a moment to be back
done
