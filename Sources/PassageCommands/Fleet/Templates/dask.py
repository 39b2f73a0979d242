#!/usr/bin/env python3
"""A fleet of stores on Dask. Printed by migrate fleet template dask.

  start    python3 FILE [--scheduler ADDRESS]    without a scheduler, on the processors of this host
  watch    the lines it prints as shards end, and the scheduler's own page
  again    the same command: a store that is done costs one look
  retry    python3 FILE --retry                  only the stores that failed, told by the ledgers
  merge    the ledgers of all shards are brought to the folder fleet-ledgers, and reported at the end

Workers need the command, and the stores under the same names in the same folder. The name of a store
decides its shard, so one host works on a store at a time, which the locks of a shared file system may
not assure. What Dask needs: pip install distributed

Exit status: 0 all well; 50 some stores failed, which the report names; 33 a shard did not end, and the
same command continues; 64 and 65 as of migrate fleet run. A shard is tried five times after a stop, and a
--time-budget holds for each try.
"""

import argparse
import os
import subprocess
import sys
import time

SHARDS = {{shards}}
PROGRAM = {{programLiteral}}
OPTIONS = [
{{arguments}}
]
FOLDER = {{folder}}
# A lock, a disk that is full or fails, and a stop may go well the next time; so may a signal, below 0.
AGAIN = (30, 31, 32, 33)
TRIES = 5


def shard(number, verb):
    """Runs one shard on a worker; gives its exit status, its last words and its ledger."""
    ledger = os.path.join(FOLDER, f"fleet-{number}-of-{SHARDS}.jsonl")
    # A shard in which there was no store has nothing to retry.
    if verb == "retry" and not os.path.exists(ledger):
        return number, 0, "nothing to retry", b""
    call = [PROGRAM, "fleet", verb, *OPTIONS, "--shard", f"{number}/{SHARDS}", "--ledger", ledger]
    for attempt in range(1, TRIES + 1):
        done = subprocess.run(call, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode >= 0 and done.returncode not in AGAIN:
            break
        time.sleep(attempt)
    lines = b""
    if os.path.exists(ledger):
        with open(ledger, "rb") as file:
            lines = file.read()
    words = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()[-8:]
    return number, done.returncode, "\n".join(words), lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", metavar="ADDRESS")
    parser.add_argument("--retry", action="store_true")
    arguments = parser.parse_args()
    from distributed import Client, LocalCluster, as_completed
    cluster = None if arguments.scheduler else LocalCluster(
        n_workers={{atOnce}}, threads_per_worker=1, processes=True, dashboard_address=None)
    os.makedirs("fleet-ledgers", exist_ok=True)
    statuses, ledgers = [], []
    with Client(arguments.scheduler or cluster) as client:
        verb = "retry" if arguments.retry else "run"
        # A worker that dies takes no result with it: its shard runs again on another.
        tasks = client.map(
            shard, range(1, SHARDS + 1), verb=verb, pure=False, retries=TRIES)
        for task in as_completed(tasks):
            if task.status != "finished":
                statuses.append(33)
                print(f"a shard did not end: {task.exception()!r}", flush=True)
                continue
            number, status, words, lines = task.result()
            statuses.append(status)
            print(f"shard {number} of {SHARDS}: exit status {status}\n{words}", flush=True)
            if lines:
                ledgers.append(os.path.join("fleet-ledgers", f"fleet-{number}-of-{SHARDS}.jsonl"))
                with open(ledgers[-1] + ".new", "wb") as file:
                    file.write(lines)
                os.replace(ledgers[-1] + ".new", ledgers[-1])
            task.release()
    if cluster:
        cluster.close()
    if ledgers:
        subprocess.run([PROGRAM, "fleet", "report", *sorted(ledgers)], check=False)
    for status in (64, 65):
        if status in statuses:
            return status
    if any(status not in (0, 50) for status in statuses):
        return 33
    return 50 if 50 in statuses else 0


if __name__ == "__main__":
    sys.exit(main())
