#!/usr/bin/env python3
"""How fast `migrate fleet run` is, and how much memory it takes.

  Tests/Fleet/bench.py [--migrate PROGRAM] [--stores 2000] [--rounds 3] [--finished 10000] [--folder FOLDER]

The stores are copies of the example's: 2,000 objects each, by its two mapping models. What is compared is
a loop that calls `migrate` for each store, and a program in Python's standard library that makes the same
tables in one process. Every figure is one that was seen in this run: nothing is cached, and each
measurement has copies of its own, which have been at rest for some seconds, as the stores of a fleet are.
What is compared is measured in turns; speeds and their ratios are the medians of the rounds.
PROGRAM is `.ci/release`'s by default.
The exit status is 1 when a figure is worse than the bound beside it.
"""

import argparse
import datetime
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Migrations/Sample/Events.sqlite"
# What must hold on two processors.
LEAST_PER_SECOND = 500
LEAST_TIMES_LOOP = 20
LEAST_TIMES_PYTHON = 5
MOST_FURTHER_MEMORY = 64 << 20
MOST_SECONDS_FINISHED = 20.0
FINISHED = 100_000
# A store that was written within three seconds is read under SQLite's locks.
SECONDS_OF_REST = 5


def python_job(paths):
    """The same job in Python: read, write both tables and the bookkeeping, sync, replace, keep the old."""
    start = datetime.datetime(2001, 1, 1)
    for path in paths:
        made = path + ".new"
        source = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        target = sqlite3.connect(made)
        target.execute("PRAGMA synchronous = FULL")
        for (text,) in source.execute(
            "SELECT sql FROM sqlite_master WHERE name IN ('Z_METADATA', 'Z_MODELCACHE', 'Z_PRIMARYKEY')"
        ):
            target.execute(text)
        target.execute(
            "CREATE TABLE ZEVENTPRINTEDDATE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
            " ZPRINTEDDATE VARCHAR)")
        target.execute(
            "CREATE TABLE ZEVENTTIMESTAMP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
            " ZTIMESTAMP FLOAT)")
        for table in ("Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"):
            rows = source.execute(f"SELECT * FROM {table}").fetchall()
            marks = ", ".join("?" * len(rows[0])) if rows else ""
            if rows:
                target.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        events = source.execute("SELECT Z_PK, ZTIMESTAMP FROM ZEVENT").fetchall()
        printed, stamps = [], []
        for key, seconds in events:
            if seconds is None:
                printed.append((key, 1, 1, None))
                continue
            try:
                date = start + datetime.timedelta(seconds=seconds)
                text = f"{date:%b} {date.day}, {date.year} at {date.hour % 12 or 12}:{date:%M:%S %p}"
            except OverflowError:
                text = None
            printed.append((key, 1, 1, text))
            stamps.append((key, 2, 1, seconds + 978307200.0))
        target.executemany("INSERT INTO ZEVENTPRINTEDDATE VALUES (?, ?, ?, ?)", printed)
        target.executemany("INSERT INTO ZEVENTTIMESTAMP VALUES (?, ?, ?, ?)", stamps)
        target.commit()
        assert target.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        target.close()
        source.close()
        os.link(path, path + ".before-1")
        os.rename(made, path)
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


class Bench:
    def __init__(self, migrate, folder):
        self.migrate = str(Path(migrate).resolve())
        self.folder = Path(folder)
        for name in ("Migrations", "Mappings"):
            shutil.copytree(ROOT / name, self.folder / name)
        self.failures = []
        self.measurements = 0

    def stores(self, count, sample=SAMPLE):
        """Fresh copies, and the list of their names. They are on the disk when this returns.

        Those of earlier measurements stay until the end: some file systems pass over each file that was removed
        within a minute, and others tell the disk what is free, beside what is measured.
        """
        self.measurements += 1
        content = Path(sample).read_bytes()
        names = []
        for number in range(count):
            # A folder for each is what apps have; a thousand in one is what servers have.
            name = f"data-{self.measurements}/{number // 1000}/{number}.sqlite"
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            names.append(name)
        (self.folder / "list").write_text("\n".join(names) + "\n")
        os.sync()
        time.sleep(SECONDS_OF_REST)
        return names

    def run(self, *arguments, keeps_ledger=False):
        """Wall seconds, processor seconds, peak bytes, standard output."""
        if not keeps_ledger:
            for ledger in self.folder.glob("*.jsonl"):
                ledger.unlink()
        begin = time.monotonic()
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(
                [self.migrate, *arguments], cwd=self.folder, stdout=output, stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - begin
            output.seek(0)
            text = output.read().decode()
        if child.returncode != 0:
            raise SystemExit(f"bench: {' '.join(arguments)} ended with {child.returncode}:\n{text}")
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text

    def fleet(self, count, *further, keeps_ledger=False):
        seconds, processor, peak, text = self.run(
            "fleet", "run", "--stores-from", "list", "--mappings", "StepOne,StepTwo",
            "--progress", "none", "--format", "json", *further, keeps_ledger=keeps_ledger)
        answer = json.loads(text)
        if answer["migrated"] + answer["upToDate"] != count:
            raise SystemExit(f"bench: {answer}")
        return seconds, processor, peak, answer

    def tell(self, what, value, bound="", is_well=True):
        print(f"{what:<58} {value:>16}  {bound}{'' if is_well else '  MISSED'}", flush=True)
        if not is_well:
            self.failures.append(what)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--migrate", type=Path)
    parser.add_argument("--stores", type=int, default=2_000)
    parser.add_argument("--single", type=int, default=100, help="stores of the loop, of Python and without groups")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--finished", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--python", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python is not None:
        return python_job(Path(options.python[0]).read_text().split())
    migrate = options.migrate or subprocess.run(
        [ROOT / ".ci/release"], check=True, capture_output=True, text=True).stdout.strip()
    folder = Path(tempfile.mkdtemp(prefix="passage-fleet-", dir=options.folder))
    try:
        return measure(Bench(migrate, folder), options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Round:
    """The fleet and what it is compared with, one after the other: stores a second."""

    def __init__(self, bench, count, single):
        bench.stores(count)
        seconds, self.fleet_processor, self.fleet_peak, _ = bench.fleet(count, "--in-place")
        self.fleet = count / seconds
        seconds, _, _, _ = bench.fleet(count, "--in-place")
        self.again = count / seconds

        names = bench.stores(single)
        begin = time.monotonic()
        self.loop_peak = max(
            bench.run("--mappings", "StepOne,StepTwo", "--store", name, "--in-place", "--progress", "none")[2]
            for name in names)
        self.loop = single / (time.monotonic() - begin)

        bench.stores(single)
        begin = time.monotonic()
        subprocess.run([sys.executable, __file__, "--python", "list"], check=True, cwd=bench.folder)
        self.python = single / (time.monotonic() - begin)


def median(rounds, value):
    return statistics.median(value(one) for one in rounds)


def measure(bench, options):
    count, single = options.stores, options.single
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load {load:.1f} (stores a second mean nothing on a busy machine); stores of 2,000 objects, {SAMPLE.stat().st_size} bytes\n")

    rounds = [Round(bench, count, single) for _ in range(options.rounds)]
    peak = max(one.fleet_peak for one in rounds)
    largest = max(one.loop_peak for one in rounds)
    rate = median(rounds, lambda one: one.fleet)
    bench.tell(f"fleet of {count}, in place, stores a second", f"{rate:.0f}",
               f"at least {LEAST_PER_SECOND}", rate >= LEAST_PER_SECOND)
    bench.tell("  processor time for each store",
               f"{median(rounds, lambda one: one.fleet_processor) / count * 1e3:.2f} ms")
    bench.tell("  a second run, stores a second", f"{median(rounds, lambda one: one.again):.0f}")
    for what, speed, least in (
            (f"migrate for each of {single}", lambda one: one.loop, LEAST_TIMES_LOOP),
            (f"Python for {single} in one process", lambda one: one.python, LEAST_TIMES_PYTHON)):
        times = [one.fleet / speed(one) for one in rounds]
        bench.tell(f"{what}, stores a second", f"{median(rounds, speed):.1f}")
        bench.tell("  the fleet is faster, times", f"{statistics.median(times):.1f}",
                   f"at least {least} [{min(times):.1f} to {max(times):.1f}]",
                   statistics.median(times) >= least)

    bench.stores(count)
    (bench.folder / "out").mkdir()
    apart, processor, _, _ = bench.fleet(count, "--output-dir", "out")
    bench.tell(f"fleet of {count}, into a folder, stores a second", f"{count / apart:.0f}")
    bench.tell("  processor time for each store", f"{processor / count * 1e3:.2f} ms")

    bench.stores(single)
    alone, _, _, _ = bench.fleet(single, "--in-place", "--group", "1")
    bench.tell(f"fleet of {single}, without groups, stores a second", f"{single / alone:.0f}")

    bench.stores(100)
    _, _, small, _ = bench.fleet(100, "--in-place")
    bench.tell("peak memory of migrate for one store", f"{largest / 2**20:.1f} MiB")
    bench.tell("peak memory of a fleet of 100", f"{small / 2**20:.1f} MiB",
               f"at most {MOST_FURTHER_MEMORY >> 20} MiB more", small <= largest + MOST_FURTHER_MEMORY)
    bench.tell(f"peak memory of a fleet of {count}", f"{peak / 2**20:.1f} MiB",
               f"at most {MOST_FURTHER_MEMORY >> 20} MiB more", peak <= largest + MOST_FURTHER_MEMORY)

    finished = bench.folder / "finished.sqlite"
    [name] = bench.stores(1)
    bench.fleet(1, "--in-place", "--no-backup")
    shutil.copy(bench.folder / name, finished)
    bench.stores(options.finished, finished)
    # The first call writes the ledger, the second reads it.
    for what, keeps in (("", False), (", with a ledger", True)):
        _, processor, peak, answer = bench.fleet(options.finished, "--in-place", keeps_ledger=keeps)
        if answer["upToDate"] != options.finished:
            raise SystemExit(f"bench: {answer}")
        whole = processor * FINISHED / options.finished
        bench.tell(f"{options.finished} finished stores{what}, processor time", f"{processor:.2f} s")
        bench.tell(f"  for {FINISHED}", f"{whole:.1f} s", f"at most {MOST_SECONDS_FINISHED:.0f} s",
                   whole <= MOST_SECONDS_FINISHED)
        bench.tell("  peak memory", f"{peak / 2**20:.1f} MiB",
                   f"at most {MOST_FURTHER_MEMORY >> 20} MiB more",
                   peak <= largest + MOST_FURTHER_MEMORY)
    if bench.failures:
        print(f"\nmissed: {', '.join(name.strip() for name in bench.failures)}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
