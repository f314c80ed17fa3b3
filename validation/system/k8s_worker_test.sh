#!/usr/bin/env bash
# The image's worker start and ssh settings, run as the image would run them: as user persia without privileges, with
# the image's files in their places, in mount and network namespaces of their own.
#
# usage: k8s_worker_test.sh
# proves: the launcher's ssh settings log in to what persia-worker starts, and ranks see the handed-over variables;
#         persia-retry tries again with --resume, except after exit code 2.
# exit:   0 proved, 1 not, 77 skipped (not root, no namespaces, or no ssh server program)
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if [[ ${1:-} != inside ]]; then
  if ((EUID != 0)) || [[ ! -x /usr/sbin/sshd ]] || ! command -v ssh unshare setpriv ip >/dev/null; then
    echo "skipped: root, sshd, ssh, unshare, setpriv and ip are needed"
    exit 77
  fi
  if ! unshare --mount --net true 2>/dev/null; then
    echo "skipped: this machine allows no namespaces"
    exit 77
  fi
  exec unshare --mount --net --pid --fork --kill-child bash "${BASH_SOURCE[0]}" inside
fi

fail() { echo "k8s_worker_test: $*" >&2; exit 1; }

# --- persia-retry ---
export PERSIA_RETRY_SECONDS=0
scratch=$(mktemp -d)
trap 'umount --lazy "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
cat >"$scratch/program" <<'PROGRAM'
#!/usr/bin/env bash
echo "start $*" >>"$1"
if [[ " $* " == *" --resume "* ]]; then exit 0; fi
exit "$2"
PROGRAM
chmod +x "$scratch/program"
bash "$repository/k8s/retry.sh" 3 "$scratch/program" "$scratch/lost" 1 2>/dev/null || fail "a lost rank was not tried again"
[[ $(wc -l <"$scratch/lost") == 2 ]] || fail "a lost rank made $(wc -l <"$scratch/lost") starts, expected 2"
code=0
bash "$repository/k8s/retry.sh" 3 "$scratch/program" "$scratch/mistake" 2 || code=$?
[[ $code == 2 && $(wc -l <"$scratch/mistake") == 1 ]] || fail "a mistake was tried again or its code was lost ($code)"

# --- the image's files, visible in this mount namespace only ---
mount --make-rprivate /
mount -t tmpfs tmpfs "$scratch"
mkdir -p "$scratch"/{upper,work}
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$scratch/upper,workdir=$scratch/work" /etc
mount -t tmpfs tmpfs /home
ip link set lo up
sed -i '/^[^:]*:[^:]*:1000:/d' /etc/passwd # whoever has the image's uid on this machine
echo 'persia:x:1000:1000::/home/persia:/bin/bash' >>/etc/passwd
echo 'persia:*:19000:0:99999:7:::' >>/etc/shadow
mkdir -p /etc/persia /etc/ssh/ssh_config.d /home/persia/.ssh
rm -f /etc/ssh/ssh_host_*
cp "$repository/k8s/sshd_config" "$repository/k8s/ssh_config" /etc/persia/
cp "$repository/k8s/ssh_config" /etc/ssh/ssh_config.d/persia.conf
cp "$repository/k8s/worker.sh" /etc/persia/worker.sh # the checkout may lie where only root can read
# The operator's Secret: owned by root and readable by all.
ssh-keygen -q -t ecdsa -b 521 -N '' -f /home/persia/.ssh/id_rsa
cp /home/persia/.ssh/id_rsa.pub /home/persia/.ssh/authorized_keys
chmod 644 /home/persia/.ssh/*

as_persia() { setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs env HOME=/home/persia TMPDIR=/tmp "$@"; }

as_persia PERSIA_TEST_VALUE='a b' OMP_NUM_THREADS=3 bash /etc/persia/worker.sh 2>"$scratch/sshd.log" &
seen=""
for ((try = 0; try < 50; try++)); do
  if seen=$(as_persia timeout 10 ssh -o ConnectionAttempts=1 127.0.0.1 env 2>"$scratch/ssh.log"); then break; fi
  sleep 0.2
done
if ! grep -qx 'PERSIA_TEST_VALUE=a b' <<<"$seen" || ! grep -qx 'OMP_NUM_THREADS=3' <<<"$seen"; then
  cat "$scratch/sshd.log" "$scratch/ssh.log"
  fail "no login, or the variables did not arrive: $seen"
fi
echo "k8s_worker_test: login as uid $(as_persia ssh 127.0.0.1 id -u) with the worker's variables; retries as promised"
