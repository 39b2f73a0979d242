#!/usr/bin/env bash
# Runs a command beside a Slurm of one node, which lives as long as the command and harms nothing:
# network, processes, mounts and the name of the host are its own (namespaces), its files are in a
# folder of its own. As root: slurm-node.sh FOLDER COMMAND...
# Ends with the command's exit status, or 77 when this machine allows no such namespaces.
set -euo pipefail
if [ "${1:-}" != --inside ]; then
  for program in munged slurmctld slurmd unshare ip; do
    command -v "$program" >/dev/null || { echo "$program is missing" >&2 && exit 77; }
  done
  unshare --mount --pid --fork --net --ipc --uts true 2>/dev/null || {
    echo "this machine allows no namespaces of one's own" >&2
    exit 77
  }
  mkdir -p "$1"
  exec unshare --mount --pid --fork --net --ipc --uts --mount-proc --kill-child \
    "$(realpath "$0")" --inside "$(realpath "$1")" "${@:2}"
fi
folder="$2"
shift 2
# The daemons look for devices of this network, and for control groups, which nothing here uses.
mount -t sysfs none /sys
mount -t tmpfs none /sys/fs/cgroup
hostname fleet1
ip link set lo up
# Slurm refuses an address of the loopback, so the node has another one on the same device.
ip addr add 10.11.12.1/32 dev lo
printf '127.0.0.1 localhost\n10.11.12.1 fleet1\n' >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
mkdir -p "$folder"/{state,spool,munge}
chmod 0755 "$folder/munge"
(umask 077 && head -c 128 /dev/urandom >"$folder/munge/key")
munged --force --num-threads=2 --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" \
  --log-file="$folder/munge/log" 2>"$folder/munge/start"
processors="$(nproc)"
cat >"$folder/slurm.conf" <<EOF
ClusterName=fleet
SlurmctldHost=fleet1(10.11.12.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=10000
MinJobAge=3600
RequeueExit=33
NodeName=fleet1 NodeAddr=10.11.12.1 CPUs=$processors State=UNKNOWN
PartitionName=fleet Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf"
export SLURM_CONF="$folder/slurm.conf"
slurmctld -D >"$folder/slurmctld.out" 2>&1 &
slurmd -D >"$folder/slurmd.out" 2>&1 &
for ((i = 0; i < 100; i++)); do
  [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
  sleep 0.2
done
if [ "$(sinfo -h -o %t 2>/dev/null)" != idle ]; then
  tail -n 5 "$folder"/slurm*.{log,out} "$folder"/munge/log >&2 || true
  echo "Slurm did not start" >&2
  exit 77
fi
status=0
"$@" || status=$?
exit "$status"
