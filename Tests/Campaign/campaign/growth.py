"""Growth: time and memory at n, 2n and 4n objects. What doubles twice may not do more than that."""

import subprocess
import sys

from . import process
from .report import Finding, Outcome
from .stores import Stores, project_arguments

# Time may grow by so much from 2n to 4n objects: a little more than the objects do.
MOST_TIME = 2.6
# Memory may grow by so much from n to 4n, in MiB: caches fill up, nothing else.
MOST_MEMORY = 12
ROUNDS = 3
FACTORS = (1, 2, 4)


def _run(store, mappings, output, *more):
    return ["run", "--store", store, "--mappings", mappings, "--output", output, *more,
            "--progress", "none", *project_arguments()]


def _lane(lane):
    """Two passes by one lane. The work is in the folder, because memory would grow with it."""
    return _run(
        "live.sqlite", "Shelves,Classics", "new.sqlite", "--lane", lane, "--work-memory",
        "0"), "new.sqlite"


# Each job: what is run, and what is made, to be removed between the rounds.
JOBS = {
    "page lane": _lane("page"),
    "set lane": _lane("set"),
    "row lane": _lane("row"),
    "policy": (_run("live.sqlite", "Shelves,Cards", "new.sqlite"), "new.sqlite"),
    "select": (["select", "--store", "live.sqlite", "--entity", "Book", "--filter",
                "author.name ENDSWITH[c] '7' AND ANY tags.name = 'tag 3'",
                *project_arguments()[:2]], ""),
    "select by count": (["select", "--store", "live.sqlite", "--entity", "Author", "--filter",
                         "books.@count > 2", *project_arguments()[:2]], ""),
    "pack": (["pack", "live.sqlite", "--output", "packed.sqlite"], "packed.sqlite"),
    "verify": (["verify", "--store", "live.sqlite", "--mappings", "Shelves,Classics", "--output",
                "kept.sqlite", "--progress", "none", *project_arguments()], ""),
    "delimited out": (["run", "--store", "live.sqlite", "--to", "1", "--output", "out.csv",
                       "--progress", "none", *project_arguments()], "out.csv"),
    "delimited in": (_run("in.csv", "Shelves,Classics", "new.sqlite"), "new.sqlite"),
}


def tasks(bench, _, size):
    stores = Stores(bench.binary, bench.scratch / "growing", bench.seed)
    for factor in FACTORS:
        folder = bench.scratch / "growth" / str(factor)
        count = size * factor
        stores.first(folder / "live.sqlite", size=(count // 5, count, 50), salt="growth")
        stores.command(*_in(folder, JOBS["delimited out"][0]))
        (folder / "out.csv").rename(folder / "in.csv")
        stores.command(*_in(folder, _run("live.sqlite", "Shelves,Classics", "kept.sqlite")))
    return list(JOBS)


def _in(folder, arguments):
    """The arguments with the names of the folder's files made whole."""
    ends = (".sqlite", ".csv")
    return [str(folder / part) if part.endswith(ends) else part for part in arguments]


def trial(bench, _, name):
    arguments, made = JOBS[name]
    outcome = Outcome()
    outcome.counts["jobs"] += 1
    if name.endswith(" lane"):
        lanes = _lanes(bench, arguments, made)
        if lanes != {name.removesuffix(" lane")}:
            outcome.findings.append(
                Finding("growth", f"{name}: it migrates by {sorted(lanes)}", f"job “{name}”"))
            return outcome
    times, memories = [], []
    for factor in FACTORS:
        folder = bench.scratch.parent / "growth" / str(factor)
        best, most = float("inf"), 0
        for _ in range(ROUNDS):
            _remove(folder, made)
            seconds, mebibytes, problem = measured([str(bench.binary), *arguments], folder)
            if problem:
                outcome.findings.append(Finding("growth", f"{name}: {problem}", f"job “{name}”"))
                return outcome
            best, most = min(best, seconds), max(most, mebibytes)
        times.append(best)
        memories.append(most)
    how = f"job “{name}”: " + "; ".join(
        f"{factor}n {1000 * seconds:.0f} ms of processor, {memory:.0f} MiB"
        for factor, seconds, memory in zip(FACTORS, times, memories))
    print(f"  {how}", flush=True)
    if times[2] > MOST_TIME * times[1]:
        outcome.findings.append(Finding(
            "growth", f"{name}: {times[2] / times[1]:.2f} times the time for twice the objects", how))
    if memories[2] > memories[0] + MOST_MEMORY:
        outcome.findings.append(Finding(
            "growth", f"{name}: {memories[2] - memories[0]:.0f} MiB more for four times the objects",
            how))
    return outcome


def _lanes(bench, arguments, made):
    """The lanes by which the job migrates the smallest store."""
    folder = bench.scratch.parent / "growth" / str(FACTORS[0])
    _remove(folder, made)
    ending = process.run([str(bench.binary), *arguments, "--format", "json"], folder, limit=120)
    return ending.lanes


def _remove(folder, made):
    if made:
        for tail in ("", "-wal", "-shm"):
            (folder / f"{made}{tail}").unlink(missing_ok=True)


# Runs a program and prints what it took. A process of its own, because the peak that the system
# reports a child is at least its parent's size: this one is smaller than any run.
_MEASURE = """
import os, sys
nothing = os.open(os.devnull, os.O_RDWR)
actions = [(os.POSIX_SPAWN_DUP2, nothing, place) for place in (0, 1, 2)]
out = os.dup(1)
_, status, usage = os.wait4(
    os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=actions), 0)
status = os.waitstatus_to_exitcode(status)
os.write(out, f"{status} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}".encode())
"""


def measured(arguments, folder):
    """Seconds of processor, peak of memory in MiB, and what went wrong.

    The time is the processor's, which other programs do not change much.
    """
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _MEASURE, *arguments], cwd=folder, check=True,
        capture_output=True, env=process.environment())
    status, seconds, kibibytes = done.stdout.split()
    problem = "" if status == b"0" else f"status {status.decode()}"
    return float(seconds), int(kibibytes) / 1024, problem
