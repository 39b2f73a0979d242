#!/bin/sh
# Builds the benchmarks and runs them: run.sh [--sizes 100000,1000000,10000000] [--rounds 5]
# [--only NAME,...] [--lane auto|page|set|row] [--json FILE] [--migrate PROGRAM] [--beside PROGRAM]
# [--smoke]. Needs the sqlite3 shell; valgrind to build as .ci/release does, strace to count syncs,
# python3 for one yardstick.
# What is measured is built with the flags of .ci/release, as users get it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v sqlite3 >/dev/null || {
  echo "run.sh: the sqlite3 shell is missing (apt-get install sqlite3)" >&2
  exit 69
}
# A program that has just been written lies in memory in larger pieces, of which the system maps more
# than of one that was installed and is read from the disk.
release() {
  built=$("$here/../../.ci/release" --package-path "$here" --product "$1")
  sync
  dd if="$built" iflag=nocache count=0 2>/dev/null || true
  echo "$built"
}
# First `migrate`: which functions belong beside each other is known from it.
case " $* " in
*" --migrate "* | *" --migrate="*) ;;
*) set -- --migrate "$(release migrate)" "$@" ;;
esac
release plain-loop >/dev/null
release benchmark-subject >/dev/null
program=$(release passage-benchmarks)
exec "$program" --scenarios "$here/Scenarios" "$@"
