#!/usr/bin/env bash
# A fleet of stores on GNU parallel, one host. Printed by migrate fleet template parallel.
#
#   start    bash FILE          in the folder from which the names of the stores count
#   watch    tail -f fleet-parallel.log, which has a line for each shard that has ended
#   again    bash FILE          a store that is done costs one look, so this continues what was stopped
#   retry    bash FILE retry    only the stores that failed, told by the ledgers
#   merge    cat fleet-*-of-{{shards}}.jsonl >fleet.jsonl
#
# More hosts are the work of an engine that knows them; see the templates for Slurm, Kubernetes and
# Dask. A store must be worked on by one host only.
#
# Exit status: 0 all well; 50 some stores failed, which the report names; 33 a shard did not end, and
# the same command continues; 64 and 65 as of migrate fleet run. A shard is tried five times after a stop,
# and a --time-budget holds for each try.
set -euo pipefail
export FLEET_VERB="${1:-run}"
shards={{shards}}
# So many shards run at once, or a share of the processors.
at_once={{atOnce}}

# One shard. A stop (33), a disk that is full or fails (31, 32), a lock (30) and a signal (above 128)
# may go well the next time.
shard() {
  local call=({{options}})
  local ledger="fleet-$1-of-{{shards}}.jsonl" status try
  # A shard in which there was no store has nothing to retry.
  if [ "$FLEET_VERB" = retry ] && ! [ -e "$ledger" ]; then return 0; fi
  for try in 1 2 3 4 5; do
    status=0
    {{program}} fleet "$FLEET_VERB" "${call[@]}" --shard "$1/{{shards}}" \
      --ledger "$ledger" || status=$?
    case $status in
    30 | 31 | 32 | 33 | 129 | 1[3-9]?) sleep "$try" ;;
    *) break ;;
    esac
  done
  return "$status"
}
export -f shard

SHELL="$(command -v bash)" parallel --jobs "$at_once" --joblog fleet-parallel.log --line-buffer \
  --tagstring 'shard {}' shard ::: $(seq "$shards") || true
{{program}} fleet report fleet-*-of-{{shards}}.jsonl || true
# The ends of all shards, from the seventh and eighth column of the log.
awk -v shards="$shards" '
  NR > 1 { ended++; status = $8 ? 128 + $8 : $7; seen[status]++; if (status) last = status }
  END {
    if (64 in seen) exit 64
    if (65 in seen) exit 65
    for (status in seen) if (status != 0 && status != 50) other = 1
    if (other || ended < shards) exit 33
    exit last
  }' fleet-parallel.log
