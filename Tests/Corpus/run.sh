#!/usr/bin/env bash
# Checks the corpus of foreign models, mapping models and stores: everything in it is read, compared
# with what is recorded in it, migrated and compared again. Nothing in it is written.
#   Tests/Corpus/run.sh [CORPUS] [OPTIONS]        the checks; --help names the options
#   Tests/Corpus/run.sh damage [CORPUS] [OPTIONS] stores that were damaged on purpose
#   Tests/Corpus/run.sh rehearse [CORPUS] [OPTIONS] every series of models goes every way
# CORPUS is ../shared/corpus beside the project unless it is given. Where it is absent, the script
# says so and ends with status 0.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
command=()
case "${1:-}" in damage | rehearse)
  command=("$1")
  shift
  ;;
esac
corpus="$(dirname "$(cd "$here/../.." && pwd)")/shared/corpus"
complete=(--complete)
case "${1:-}" in
  "" | -*) ;;
  *)
    corpus="$1"
    complete=()
    shift
    ;;
esac
if ! [ -d "$corpus" ]; then
  echo "skipped: there is no corpus of foreign stores and models at $corpus"
  exit 0
fi
swift build --package-path "$here" >&2
binaries="$(swift build --package-path "$here" --show-bin-path)"
case "${command[*]}" in
rehearse)
  exec "$binaries/passage-corpus" rehearse "$corpus" --expectations "$here/Expectations" "$@"
  ;;
damage)
  exec "$binaries/passage-corpus" damage "$corpus" --program "$binaries/corpus-migrate" "$@"
  ;;
esac
exec "$binaries/passage-corpus" check "$corpus" --expectations "$here/Expectations" \
  "${complete[@]}" "$@"
