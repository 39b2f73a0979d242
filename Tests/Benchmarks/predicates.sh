#!/usr/bin/env bash
# Measures the expression language: predicates in SQL on COUNT objects (default 1000000) against the
# same WHERE written by hand, as the ratio of medians over ROUNDS (default 9), and comparisons in
# memory on one core.
#   Tests/Benchmarks/predicates.sh [COUNT] [ROUNDS]
# Fails when a ratio is above 1.1 or fewer than two million comparisons are made each second.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
count="${1:-1000000}"
rounds="${2:-9}"
swift build -c release --package-path "$here" --product predicate-speed >&2
program="$(swift build -c release --package-path "$here" --show-bin-path)/predicate-speed"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
store="$folder/predicates.sqlite"
sqlite3 "$store" <<SQL
CREATE TABLE item (pk INTEGER PRIMARY KEY, mass INTEGER, name VARCHAR, weight FLOAT);
CREATE TABLE part (pk INTEGER PRIMARY KEY, item INTEGER, mass INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
INSERT INTO item SELECT i, CASE WHEN i % 10 THEN (i * 7919) % 1000 END, 'name ' || (i % 1000),
  ((i * 104729) % 1000) / 1000.0 FROM n;
INSERT INTO part SELECT pk, (pk * 31) % $count, (pk * 7907) % 1000 FROM item;
CREATE INDEX part_item ON part (item);
SQL

seconds() {
  # The shell tells the time of what it reads, not of what stands in its arguments.
  printf '.timer on\nSELECT count(*) FROM item AS s WHERE %s;\n' "$1" | sqlite3 "$store" |
    sed -n 's/.*user \([0-9.]*\) sys \([0-9.]*\).*/\1 \2/p' | awk '{ print $1 + $2 }'
}

answer() { sqlite3 "$store" "SELECT count(*) FROM item AS s WHERE $1;"; }

failed=0
while IFS=$'\t' read -r text translated byHand; do
  if [ "$(answer "$translated")" != "$(answer "$byHand")" ]; then
    echo "$text: the two find different objects" >&2
    exit 1
  fi
  : >"$folder/ours"
  : >"$folder/hand"
  for _ in $(seq "$rounds"); do
    seconds "$translated" >>"$folder/ours"
    seconds "$byHand" >>"$folder/hand"
  done
  ours="$(sort -n "$folder/ours" | sed -n "$((rounds / 2 + 1))p")"
  hand="$(sort -n "$folder/hand" | sed -n "$((rounds / 2 + 1))p")"
  if [ "$(wc -w <"$folder/ours")" != "$rounds" ] || [ "$(wc -w <"$folder/hand")" != "$rounds" ]; then
    echo "$text: the sqlite3 shell told no time" >&2
    exit 1
  fi
  awk -v text="$text" -v ours="$ours" -v hand="$hand" 'BEGIN {
    ratio = ours / (hand > 0 ? hand : 0.000001)
    printf "%-45s in SQL %.2f times the same by hand\n", text, ratio
    exit ratio > 1.1
  }' || failed=1
done < <("$program" sql)
while IFS=$'\t' read -r text rate; do
  printf '%-45s in memory %s comparisons a second\n' "$text" "$rate"
  [ "$rate" -ge 2000000 ] || failed=1
done < <("$program" memory)
exit "$failed"
