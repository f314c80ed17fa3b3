#!/usr/bin/env bash
# Start of a worker pod: an ssh server of its own, as the pod's unprivileged user, for the launcher's mpirun.
#
# A session opened through sshd does not inherit the container's environment; variables that ranks must see are
# handed over here: all that begin with PERSIA_, OMP_, UCX_, NCCL_, NVIDIA_ or CUDA_, and the library path.
set -euo pipefail

folder=$(mktemp -d)
ssh-keygen -q -t ed25519 -N '' -f "$folder/host_key"
cp /etc/persia/sshd_config "$folder/sshd_config"
echo "HostKey $folder/host_key" >>"$folder/sshd_config"

handed_over=()
while IFS='=' read -r -d '' name value; do
  if [[ $name =~ ^(PERSIA_|OMP_|UCX_|NCCL_|NVIDIA_|CUDA_|LD_LIBRARY_PATH$) ]]; then
    handed_over+=("\"$name=$value\"")
  fi
done < <(env -0)
# sshd heeds the first SetEnv line only: all names on one.
if ((${#handed_over[@]})); then echo "SetEnv ${handed_over[*]}" >>"$folder/sshd_config"; fi

# The absolute path: sshd starts itself again for every connection.
exec /usr/sbin/sshd -D -e -f "$folder/sshd_config"
