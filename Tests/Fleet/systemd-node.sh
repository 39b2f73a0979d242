#!/usr/bin/env bash
# Runs a command beside a systemd of its own, which lives as long as the command: network, processes,
# mounts and control groups are its own (namespaces). As root: systemd-node.sh FOLDER COMMAND...
# Ends with the command's exit status, or 77 when this machine allows no such namespaces.
set -euo pipefail
if [ "${1:-}" != --inside ]; then
  [ -x /lib/systemd/systemd ] || { echo "systemd is missing" >&2 && exit 77; }
  unshare --mount --pid --fork --net --ipc --uts --cgroup true 2>/dev/null || {
    echo "this machine allows no namespaces of one's own" >&2
    exit 77
  }
  mkdir -p "$1"
  folder="$(realpath "$1")"
  # The command as a script, since a unit has quotation marks of its own.
  { echo "cd $(printf %q "$PWD")" && printf '%q ' "${@:2}" && echo; } >"$folder/command"
  rm -f "$folder/status"
  timeout --signal=KILL 600 unshare --mount --pid --fork --net --ipc --uts --cgroup --mount-proc \
    --kill-child "$(realpath "$0")" --inside "$folder" >"$folder/log" 2>&1 || true
  [ -e "$folder/status" ] || { echo "systemd did not start" >&2 && tail -n 3 "$folder/log" >&2 && exit 77; }
  exit "$(cat "$folder/status")"
fi
folder="$2"
mount --make-rprivate /
mount -t tmpfs none /run
mount -t sysfs none /sys
mount -t cgroup2 none /sys/fs/cgroup
mkdir -p /run/systemd/system
cat >/run/systemd/system/trial.service <<EOF
[Unit]
DefaultDependencies=no
SuccessAction=exit-force
FailureAction=exit-force
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/sh -c 'bash $folder/command >$folder/out 2>&1; echo \$\$? >$folder/status'
EOF
export container=lxc
exec /lib/systemd/systemd --system --unit=trial.service --log-level=info --log-target=console
