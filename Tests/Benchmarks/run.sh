#!/bin/sh
# Builds the benchmarks and runs them: run.sh [--sizes 100000,1000000,10000000] [--rounds 5]
# [--only NAME,...] [--lane auto|page|set|row] [--json FILE] [--migrate PROGRAM] [--beside PROGRAM]
# [--smoke]. Needs the sqlite3 shell; strace to count syncs, python3 for one yardstick.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v sqlite3 >/dev/null || {
  echo "run.sh: the sqlite3 shell is missing (apt-get install sqlite3)" >&2
  exit 69
}
swift build -c release --package-path "$here" >&2
binaries=$(swift build -c release --package-path "$here" --show-bin-path)
case " $* " in
*" --migrate "* | *" --migrate="*) ;;
*)
  swift build -c release --package-path "$here" --product migrate >&2
  set -- --migrate "$binaries/migrate" "$@"
  ;;
esac
exec "$binaries/passage-benchmarks" --scenarios "$here/Scenarios" "$@"
