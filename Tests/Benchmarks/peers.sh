#!/usr/bin/env bash
# Measures Passage against what a user could use instead, on one job, with the same check of the
# result: peers.sh [--sizes 100000] [--rounds 5] [--lane auto|page|set|row] [--json FILE].
# Prints a Markdown table. The tools are installed in a folder of their own, .build-peers beside this
# file; the table has those that could be, and a line is printed for each of the others.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
installed="$here/.build-peers"
python="$installed/venv/bin/python"
list="$(mktemp)"
trap 'rm -f "$list"' EXIT
mkdir -p "$installed"

command -v sqlite3 >/dev/null || {
  echo "peers.sh: the sqlite3 shell is missing (apt-get install sqlite3)" >&2
  exit 69
}

missing=()
# Adds a contender: name, program, arguments.
peer() { (IFS=$'\t'; echo "$*") >>"$list"; }
# Installs a Python package, and tells its version.
package() {
  "$python" -m pip install --quiet --disable-pip-version-check "$1" >&2 &&
    "$python" -c 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))' "${1%%[~=]*}"
}

if [ -x "$python" ] || python3 -m venv "$installed/venv" >&2; then
  peer "Python $("$python" -c 'import platform; print(platform.python_version())'), executemany" \
    "$python" "$here/Peers/executemany.py" SOURCE DESTINATION
  if version="$(package 'sqlite-utils~=4.2')"; then
    peer "sqlite-utils $version" "$python" "$here/Peers/with_sqlite_utils.py" SOURCE DESTINATION
  else missing+=("sqlite-utils"); fi
  if version="$(package 'alembic~=1.20')"; then
    peer "Alembic $version" "$python" -m alembic -c "$here/Peers/Alembic/alembic.ini" \
      -x store=DESTINATION upgrade head
  else missing+=("Alembic"); fi
  if version="$(package 'Django~=5.2')"; then
    peer "Django $version" "$python" "$here/Peers/Django/migrate.py" DESTINATION
  else missing+=("Django"); fi
else
  missing+=("Python with executemany" "sqlite-utils" "Alembic" "Django")
fi
if swift build -c release --package-path "$here/Peers/GRDB" --scratch-path "$installed/grdb" >&2; then
  peer "GRDB records" "$installed/grdb/release/grdb-peer" DESTINATION
else missing+=("GRDB"); fi

"$here/../../.ci/release" --package-path "$here" --product benchmark-subject >/dev/null
benchmarks="$("$here/../../.ci/release" --package-path "$here" --product passage-benchmarks)"
# Python leaves no compiled files beside the scripts.
PYTHONDONTWRITEBYTECODE=1 \
  "$benchmarks" peers --scenarios "$here/Scenarios" --peers "$list" "$@"
for name in ${missing[@]+"${missing[@]}"}; do
  echo
  echo "$name could not be installed here, so there is no figure for it."
done
