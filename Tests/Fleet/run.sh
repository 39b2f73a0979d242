#!/usr/bin/env bash
# Runs a fleet of stores on an engine, from the file that migrate fleet template prints:
#   Tests/Fleet/run.sh parallel|slurm|kubernetes|systemd|dask [COUNT] [SEED] [--binary PATH] [--keep]
# One per cent of the stores is damaged, workers are killed on the way, and the engine is harmed; then
# totals, failures and the contents of all stores are compared with what was made, a second run may
# touch nothing, and a retry looks at the failures alone.
# Exit status 0 when all is as it must be, 1 for a finding, 77 when the engine cannot be had here.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
source "$here/tools.sh"
case "${1:-}" in
parallel) debian parallel parallel ;;
slurm)
  [ "$(id -u)" -eq 0 ] || skip "a Slurm of one's own needs root"
  debian munged munge
  debian slurmd slurm-wlm
  ;;
kubernetes) package kubernetes_validate kubernetes-validate ;;
systemd)
  [ "$(id -u)" -eq 0 ] || skip "a systemd of one's own needs root"
  [ -x /lib/systemd/systemd ] || skip "there is no systemd here"
  ;;
dask) package distributed distributed ;;
*)
  sed -n '2,7s/^# //p' "$0" >&2
  exit 64
  ;;
esac
run_module fleet.run "$@"
