#!/bin/sh
# Opens pages of --report in Chromium, in a wide and a narrow window and in both colour schemes, and
# checks that nothing overflows or overlaps, that every text can be read, that the console is silent
# and that nothing is loaded: run.sh [--migrate PROGRAM] [--pictures FOLDER].
# Without Chromium it says SKIPPED and succeeds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case " $* " in
*" --migrate "* | *" --migrate="*) ;;
*)
  swift build --package-path "$here/../.." --product migrate >/dev/null
  set -- --migrate "$(swift build --package-path "$here/../.." --show-bin-path)/migrate" "$@"
  ;;
esac
exec python3 "$here/browser.py" "$@"
