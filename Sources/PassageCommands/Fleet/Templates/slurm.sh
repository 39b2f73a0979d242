#!/usr/bin/env bash
#SBATCH --job-name=migrate-fleet
#SBATCH --array=1-{{shards}}{{atMost}}
#SBATCH --cpus-per-task={{jobs}}
#SBATCH --output=fleet-%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
# A fleet of stores as an array of Slurm jobs. Printed by migrate fleet template slurm.
#
#   start    sbatch FILE          in the folder from which the names of the stores count
#   watch    squeue --name migrate-fleet; tail -f fleet-1.log
#            sacct --name migrate-fleet --format JobID,State,ExitCode, where accounts are kept
#   again    sbatch FILE          a store that is done costs one look, so this continues what was stopped
#   retry    sbatch FILE retry    only the stores that failed, told by the ledgers
#   merge    {{program}} fleet report fleet-*-of-{{shards}}.jsonl
#            cat fleet-*-of-{{shards}}.jsonl >fleet.jsonl
#
# The name of a store decides its shard, so one host works on a store, which the locks of a shared
# file system may not assure. Never start the array a second time while it runs.
#
# Exit status of a task: 0 all well; 50 some stores of the shard failed, which its ledger names; 64 and
# 65 as of migrate fleet run. A minute before the time is up, or when the host is taken away, the task
# stops at the next store and goes back into the queue. A shard is tried five times after other stops, and
# a --time-budget holds for each try: let the time of the job be the limit.
set -uo pipefail
verb="${1:-run}"
call=({{options}})
ledger="fleet-$SLURM_ARRAY_TASK_ID-of-$SLURM_ARRAY_TASK_COUNT.jsonl"
# A shard in which there was no store has nothing to retry.
if [ "$verb" = retry ] && ! [ -e "$ledger" ]; then exit 0; fi

stopped=
pid=
trap 'stopped=1; [ -z "$pid" ] || kill -TERM "$pid"' TERM
for try in 1 2 3 4 5; do
  # The shard is SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT.
  {{program}} fleet "$verb" "${call[@]}" --shard env --ledger "$ledger" &
  pid=$!
  status=0
  wait "$pid" || status=$?
  # The trap ends a wait early.
  if [ -n "$stopped" ]; then
    status=0
    wait "$pid" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 50 ] || scontrol requeue "$SLURM_JOB_ID"
    break
  fi
  # A lock, a disk that is full or fails, a stop, and a signal may go well the next time.
  case $status in
  30 | 31 | 32 | 33 | 129 | 1[3-9]?) sleep "$try" ;;
  *) break ;;
  esac
done
exit "$status"
