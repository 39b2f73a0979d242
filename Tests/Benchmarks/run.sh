#!/bin/sh
# Builds the benchmarks and runs them: run.sh [--sizes 100000,1000000,10000000] [--rounds 5]
# [--only NAME,...] [--json FILE] [--migrate PROGRAM] [--beside PROGRAM] [--smoke]. Needs the sqlite3 shell.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v sqlite3 >/dev/null || {
  echo "run.sh: the sqlite3 shell is missing (apt-get install sqlite3)" >&2
  exit 69
}
swift build -c release --package-path "$here" >&2
exec "$(swift build -c release --package-path "$here" --show-bin-path)/passage-benchmarks" \
  --scenarios "$here/Scenarios" "$@"
