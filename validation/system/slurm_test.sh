#!/usr/bin/env bash
# slurm/train.sbatch under a real Slurm: munge, slurmctld and slurmd of this machine, on own ports and folders.
#
# usage: slurm_test.sh PERSIA
# proves: a small training, without and with workers, ends with exit code 0 and a result line; a mistake in the run file ends with exit code 2
#         and is not queued again; a rank that fails otherwise is queued again with --resume.
# exit:   0 proved, 1 not, 77 skipped (not root, or Slurm is not installed)
set -euo pipefail

persia=$(realpath "${1:?usage: slurm_test.sh PERSIA}")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if ((EUID != 0)); then echo "skipped: a one-machine Slurm needs root"; exit 77; fi
for program in munged slurmctld slurmd sbatch scontrol mpirun; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program is not installed (validation/install_dependencies.sh --tests)"
    exit 77
  fi
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/persia-slurm.XXXXXX")
daemons=()
finish() {
  local code=$? pid
  # Jobs before daemons: a job must not outlive the slurmd that watches it.
  if [[ -S $folder/munge/socket ]]; then timeout 20 scancel --user=root 2>/dev/null || true; fi
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  if [[ -s $folder/munge/pid ]]; then kill "$(<"$folder/munge/pid")" 2>/dev/null || true; fi
  if ((code != 0 && code != 77)); then
    for log in "$folder"/log/*.log "$folder"/run/*.out; do
      if [[ -s $log ]]; then echo "--- $log"; tail -n 25 "$log"; fi
    done
  fi
  rm -rf "$folder"
}
trap finish EXIT

# fail MESSAGE
fail() { echo "slurm_test: $*" >&2; exit 1; }

# until_true SECONDS COMMAND...: waits for COMMAND to succeed.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= end)); then return 1; fi
    sleep 0.2
  done
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_munge() {
  mkdir -p "$folder/munge"
  dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
  chmod 755 "$folder"
  chmod 755 "$folder/munge"
  chmod 400 "$folder/munge/key"
  chown -R munge: "$folder/munge"
  runuser -u munge -- munged --socket="$folder/munge/socket" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" ||
    fail "munged did not start"
  until_true 10 munge --socket="$folder/munge/socket" --no-input || fail "munge does not answer"
}

# The node is said to have 8 cores, whatever it has: jobs here have more ranks than a small machine has cores.
start_slurm() {
  local host
  host=$(hostname -s)
  mkdir -p "$folder"/{state,spool,log}
  cat >"$folder/slurm.conf" <<CONF
ClusterName=persia
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
MpiDefault=none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
CONF
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -D >"$folder/log/slurmctld.out" 2>&1 &
  daemons+=($!)
  slurmd -D >"$folder/log/slurmd.out" 2>&1 &
  daemons+=($!)
  until_true 60 bash -c 'sinfo --noheader --format=%t | grep -qE "idle|mix|alloc"' || fail "no node became ready"
}

# job_field JOB FIELD
job_field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }

was_queued_again() { [[ $(job_field "$1" Restarts) == 1 && $(job_field "$1" JobState) == PENDING ]]; }

job_ended() { [[ $(job_field "$1" JobState) =~ ^(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL)$ ]]; }

# submit NAME ARGUMENTS...: sets $job, of $ranks ranks; output in $folder/run/NAME.out
ranks=2
submit() {
  local name=$1
  shift
  job=$(cd "$folder/run" && sbatch --parsable --job-name="$name" --output="$name.out" --ntasks="$ranks" \
    --ntasks-per-node="$ranks" --overcommit "$repository/slurm/train.sbatch" "$@")
}

wait_for_end() { until_true 120 job_ended "$job" || fail "no end within 120 s: $(scontrol show job "$job")"; }

export PERSIA=$persia
export PERSIA_MPIRUN="--oversubscribe --mca mpi_yield_when_idle 1"
mkdir -p "$folder/run"
start_munge
start_slurm

cat >"$folder/run/tiny.yaml" <<'YAML'
name: slurm
output: OUTPUT
roles: {embedding: 1, trainer: 1}
data: {format: synthetic, synthetic: {rows: 4096, shrink: 100000}}
embedding: {dim: 8}
model: {type: dnn, hidden: [16]}
training: {batch_size: 512, max_steps: 8}
YAML
sed -i "s|OUTPUT|$folder/run/output|" "$folder/run/tiny.yaml"

submit good tiny.yaml
wait_for_end
[[ $(job_field "$job" ExitCode) == 0:0 ]] || fail "the training ended with $(job_field "$job" ExitCode)"
grep -q '^result {' "$folder/run/good.out" || fail "the training printed no result line"
echo "slurm_test: job $job: $(grep '^result {' "$folder/run/good.out")"

ranks=5 submit workers tiny.yaml --overwrite --set roles.worker=2 --set roles.trainer=2
wait_for_end
[[ $(job_field "$job" ExitCode) == 0:0 ]] || fail "workers: the training ended with $(job_field "$job" ExitCode)"
grep '^result {' "$folder/run/workers.out" | grep -q '"worker":2' || fail "the result names no two workers"
echo "slurm_test: job $job: $(grep '^result {' "$folder/run/workers.out")"

submit mistake tiny.yaml --set training.no_such_key=1
wait_for_end
[[ $(job_field "$job" ExitCode) == 2:0 ]] || fail "a mistake ended with $(job_field "$job" ExitCode), expected 2:0"
[[ $(job_field "$job" Restarts) == 0 ]] || fail "a mistake was queued again"
echo "slurm_test: job $job: a mistake ends with 2 and is not queued again"

# A program that fails once and then says how it was started: what the script makes of a lost rank.
cat >"$folder/run/fails_once" <<'PROGRAM'
#!/usr/bin/env bash
if [[ " $* " == *" --resume "* ]]; then echo "started again with: $*"; exit 0; fi
exit 7
PROGRAM
chmod +x "$folder/run/fails_once"
PERSIA=$folder/run/fails_once submit again tiny.yaml
until_true 60 was_queued_again "$job" || fail "a failed run was not queued again"
# Slurm itself waits two minutes; the first start's credential must be out of the way, so not at once either.
scontrol update JobId="$job" StartTime=now+3seconds
wait_for_end
grep -q 'started again with: train tiny.yaml --resume' "$folder/run/again.out" || fail "no second start with --resume"
echo "slurm_test: job $job: a failed run is queued again with --resume"
