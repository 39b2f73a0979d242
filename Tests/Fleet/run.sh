#!/usr/bin/env bash
# Runs a fleet of stores on an engine, from the file that migrate fleet template prints:
#   Tests/Fleet/run.sh parallel|slurm|kubernetes|dask [COUNT] [SEED] [--binary PATH] [--keep]
# One per cent of the stores is damaged, workers are killed on the way, and the engine is harmed; then
# totals, failures and the contents of all stores are compared with what was made, a second run may
# touch nothing, and a retry looks at the failures alone.
# Exit status 0 when all is as it must be, 1 for a finding, 77 when the engine cannot be had here.
# Python's packages are installed in .build-tools beside this file; Debian's by apt-get, as root.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
engine="${1:-}"
python=python3
# Ends when something cannot be had.
skip() {
  echo "SKIPPED: $1"
  exit 77
}
# Installs Debian's package for a program.
debian() {
  command -v "$1" >/dev/null && return
  [ "$(id -u)" -eq 0 ] || skip "$1 is missing (apt-get install $2)"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$2"; } >/dev/null 2>&1 ||
    skip "$2 could not be installed"
}
# Installs a package of Python.
package() {
  python="$here/.build-tools/bin/python"
  [ -x "$python" ] || python3 -m venv "$here/.build-tools" >/dev/null || skip "there is no python3-venv"
  "$python" -c "import $1" 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check "$2" >/dev/null 2>&1 ||
    skip "$2 could not be installed"
}

case "$engine" in
parallel) debian parallel parallel ;;
slurm)
  [ "$(id -u)" -eq 0 ] || skip "a Slurm of one's own needs root"
  debian munged munge
  debian slurmd slurm-wlm
  ;;
kubernetes) package kubernetes_validate kubernetes-validate ;;
dask) package distributed distributed ;;
*)
  sed -n '2,8s/^# //p' "$0" >&2
  exit 64
  ;;
esac
case " $* " in
*" --binary "* | *" --binary="*) ;;
*)
  swift build --package-path "$here/../.." --product migrate >/dev/null
  set -- "$@" --binary "$(swift build --package-path "$here/../.." --show-bin-path)/migrate"
  ;;
esac
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here"
exec "$python" -m fleet.run "$@"
