"""Rehearses a large fleet on one host: see ../scale.sh."""

import argparse
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .findings import conclude
from .ledgers import Ledgers
from .prototypes import process, project_arguments
from .stores import FleetStores

DAMAGED, LOCKED = 0.005, 0.01
# So many stores are compared in full at most; all are asked for their number.
COMPARED = 4_000


@dataclass
class Ending:
    status: int
    seconds: float
    processor: float
    mebibytes: float


class Locks:
    """Other programs that write to stores: transactions that are held open."""

    def __init__(self, folder, names):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4 * len(names) + 256), most))
        self.connections = []
        for name in names:
            connection = sqlite3.connect(folder / name, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
            self.connections.append(connection)

    def release(self):
        for connection in self.connections:
            connection.execute("ROLLBACK")
            connection.close()


def held(number):
    """The most memory that a process has held so far, in MiB: `VmHWM`, proc(5)."""
    try:
        for line in Path(f"/proc/{number}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


class Trial:
    def __init__(self, folder, arguments):
        self.folder, self.found = Path(folder), []
        self.binary, self.count = str(Path(arguments.binary).resolve()), arguments.count
        began = time.monotonic()
        self.stores = FleetStores(
            self.binary, folder, arguments.count, arguments.seed, damaged=DAMAGED)
        self.locked = self.stores.lockable(LOCKED)
        expected = self.stores.expected()
        print(f"  made {arguments.count} stores in {time.monotonic() - began:.0f} s: "
              f"{expected['migrated']} to migrate, {expected['upToDate']} of the newest version, "
              f"{expected['failed']} damaged; {len(self.locked)} are locked by others", flush=True)

    def call(self, verb, *options):
        return [self.binary, "fleet", verb, "--stores", "stores/*/*.sqlite", "--to", "3", "--in-place",
                "--progress", "none", *options, *project_arguments()]

    def start(self, *options, verb="run"):
        with open(self.folder / "migrate.log", "ab") as log:
            return subprocess.Popen(self.call(verb, *options), cwd=self.folder, stdout=log,
                                    stderr=log, stdin=subprocess.DEVNULL)

    def to_end(self, *options, verb="run"):
        """Runs to the end; what it took, the system says."""
        began, peak = time.monotonic(), 0.0
        process_ = self.start(*options, verb=verb)
        while True:
            # The peak that wait4 tells has in it what this program held when it started the other.
            peak = max(peak, held(process_.pid))
            ended, status, usage = os.wait4(process_.pid, os.WNOHANG)
            if ended:
                break
            time.sleep(0.05)
        process_.returncode = os.waitstatus_to_exitcode(status)
        return Ending(process_.returncode, time.monotonic() - began,
                      usage.ru_utime + usage.ru_stime, peak)

    def kill(self, share):
        """Starts the run, and kills it when the ledger has such a share of all lines."""
        started = self.start()
        ledger = self.folder / "fleet.jsonl"
        while started.poll() is None:
            if ledger.exists() and self.lines(ledger) >= share * self.count:
                started.send_signal(signal.SIGKILL)
                started.wait()
                return True
            time.sleep(0.02)
        return False

    @staticmethod
    def lines(path):
        with open(path, "rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))

    def run(self, kills):
        refused = self.of_locks()
        locks = Locks(self.folder, self.locked)
        killed = sum(self.kill((number + 1) / (kills + 2)) for number in range(kills))
        self.expect(killed == kills, f"{killed} of {kills} runs were killed")
        lines = Ledgers(self.folder, "fleet.jsonl").lines
        end = self.to_end()
        locks.release()
        self.expect(end.status == 50, f"exit status {end.status}, not 50")
        migrated = sum(entry["outcome"] == "migrated"
                       for entry in Ledgers(self.folder, "fleet.jsonl").tail(lines))
        print(f"  killed {killed} times; the last run took {end.seconds:.1f} s for "
              f"{migrated} stores ({migrated / end.seconds:.0f} a second) and a look at the others, "
              f"at most {end.mebibytes:.0f} MiB", flush=True)
        failing = self.stores.failing() | refused
        failed = Ledgers(self.folder, "fleet.jsonl").failed()
        self.expect(failed == failing,
                    f"the failures differ: {sorted(failed.items() ^ failing.items())[:4]}")
        retried = self.to_end("--ledger", "fleet.jsonl", "--class", "30", verb="retry")
        self.expect(retried.status == 0, f"the retry of what was locked: exit status {retried.status}")
        print(f"  {len(self.stores.failing())} damaged and {len(self.locked)} locked stores failed, each "
              f"with its class; a retry of class 30 migrated what was locked", flush=True)
        self.compare()
        self.again()
        self.report()

    def of_locks(self):
        """The class and code of each locked store, as migrate run has them: one with a log can be read
        while others write, and is refused only when it is to be replaced."""
        known = {}
        for sort in {self.stores.of[name].name: self.stores.of[name] for name in self.locked}.values():
            path = self.folder / "locked.sqlite"
            path.write_bytes(sort.files[""])
            locks = Locks(self.folder, [path.name])
            ending = process.run(
                [self.binary, "run", "--store", str(path), "--to", "3", "--in-place", "--progress",
                 "none", *project_arguments()], self.folder, limit=120)
            locks.release()
            path.unlink()
            known[sort.name] = (ending.status, ending.code)
        self.expect({status for status, _ in known.values()} <= {30}, f"locked stores: {known}")
        return {name: known[self.stores.of[name].name] for name in self.locked}

    def compare(self):
        every = max(1, self.count // COMPARED)
        self.found += Ledgers(self.folder, "fleet.jsonl").wrong(self.stores)
        self.found += self.stores.wrong(every=every)
        print(f"  all stores have their number and version, and one of {every} was compared in full",
              flush=True)

    def again(self):
        before = self.stores.state()
        end = self.to_end()
        self.expect(end.status == 50, f"a second run: exit status {end.status}, not 50")
        self.expect(self.stores.state() == before, "a second run touched stores")
        print(f"  a second run touched nothing: {end.seconds:.1f} s, {end.processor:.1f} s of processor, "
              f"at most {end.mebibytes:.0f} MiB", flush=True)

    def report(self):
        done = subprocess.run(
            [self.binary, "fleet", "report", "fleet.jsonl", "--format", "json"], cwd=self.folder,
            capture_output=True, text=True, check=True)
        told, expected = json.loads(done.stdout), self.stores.expected()
        self.expect(told["stores"] == self.count, f"the report has {told['stores']} stores")
        self.expect(told["failed"] == expected["failed"], f"the report: {told['failed']} failed")
        self.expect(told["migrated"] + told["upToDate"] == expected["migrated"] + expected["upToDate"],
                    f"the report: {told['migrated']} migrated, {told['upToDate']} up to date")

    def expect(self, holds, sentence):
        if not holds:
            self.found.append(sentence)


def main():
    parser = argparse.ArgumentParser(prog="scale.sh", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2_000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--scratch", help="the folder for all files")
    arguments = parser.parse_args()
    print(f"scale: {arguments.count} stores, seed {arguments.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="fleet-scale-", dir=arguments.scratch))
    trial = Trial(folder, arguments)
    trial.run(arguments.kills)
    return conclude("scale", trial.found, folder)


if __name__ == "__main__":
    sys.exit(main())
