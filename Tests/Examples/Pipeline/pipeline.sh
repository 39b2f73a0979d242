#!/bin/sh
# What a pipeline does with a project of migrations, for each commit and for each store:
#   pipeline.sh check RESULTS                 models, mapping models and every way, with made-up stores
#   pipeline.sh migrate STORE OUTPUT RESULTS  one store: plan, migrate, verify
# Runs in the project's folder, with Migrations/ and Mappings/. RESULTS is a folder for the pages and the
# XML, which the pipeline publishes whether or not this succeeds. MIGRATE names the program, LOSSES
# which values may be lost (refuse).
# The exit status is that of the first command that failed: 33 and 32 mean that the same call continues.
set -eu
migrate=${MIGRATE:-migrate}

check() {
  results=$1
  mkdir -p "$results"
  "$migrate" --version --format json >"$results/versions.json"
  # Nothing is read in place of a mistake in a file: all of them are listed with file, line and column.
  "$migrate" rehearse --junit "$results/rehearsal.xml" --report "$results/rehearsal.html"
}

migrate_store() {
  store=$1 output=$2 results=$3
  mkdir -p "$results"
  "$migrate" plan --store "$store" --output "$output" --report "$results/plan.html"
  # A stopped call continues: try again as long as that is what the exit status says.
  attempts=0
  while :; do
    status=0
    "$migrate" run --store "$store" --output "$output" --progress plain \
      --losses "${LOSSES:-refuse}" \
      --report "$results/run.html" || status=$?
    attempts=$((attempts + 1))
    case $status in 32 | 33) [ "$attempts" -lt 3 ] && continue ;; esac
    break
  done
  [ "$status" -eq 0 ] || return "$status"
  "$migrate" verify --store "$store" --output "$output" --report "$results/verify.html"
}

case "${1:-} $#" in
"check 2") check "$2" ;;
"migrate 4") migrate_store "$2" "$3" "$4" ;;
*)
  sed -n '2,9p' "$0" >&2
  exit 64
  ;;
esac
