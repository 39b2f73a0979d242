"""Runs a fleet on an engine, with damage and kills, and compares with what was made: see ../run.sh."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .engines import ENGINES
from .findings import conclude
from .ledgers import Ledgers
from .prototypes import project_arguments
from .stores import FleetStores
from .workers import Workers

SHARDS = 4
# A run that was harmed is started again, so many times at most.
STARTS = 5
# The statuses with which a fleet has ended.
ENDED = (0, 50)


class Trial:
    """One fleet on one engine."""

    def __init__(self, folder, arguments):
        self.folder, self.found = Path(folder), []
        began = time.monotonic()
        self.stores = FleetStores(arguments.binary, folder, arguments.count, arguments.seed)
        self.workers = Workers(self.folder.parent / "bin", arguments.binary, arguments.seed)
        self.engine = ENGINES[arguments.engine](folder, self.workers.environment, SHARDS)
        expected = self.stores.expected()
        print(f"  made {arguments.count} stores in {time.monotonic() - began:.0f} s: "
              f"{expected['migrated']} to migrate, {expected['upToDate']} of the newest version, "
              f"{expected['failed']} damaged", flush=True)

    def run(self):
        # A pattern that a shell would expand, and that holds for all stores, whatever their folder.
        self.engine.write([
            "--stores", "stores/*/*.sqlite", "--to", "3", "--in-place", "--jobs", "1",
            "--progress", "none", *project_arguments()])
        self.workers.tickets(2 * SHARDS, longest=0.5)
        began = time.monotonic()
        starts, status = 1, self.engine.run(harm=True)
        while status not in ENDED and starts < STARTS:
            starts, status = starts + 1, self.engine.run()
        self.workers.spare()
        # What ran beside a killed engine may still be at work, and had stores locked that the run after
        # it came to. One more run waits for nobody's locks.
        self.expect(self.engine.waits_for_workers(), "workers were still at work")
        if starts == 1 or self.engine.harmed:
            starts, status = starts + 1, self.engine.run()
        self.expect(status == 50, f"exit status {status}, not 50")
        killed = self.workers.killed
        print(f"  {starts} starts in {time.monotonic() - began:.0f} s: {killed} workers were killed; "
              f"{self.engine.harmed or 'nothing else could be harmed'}", flush=True)
        self.expect(killed > 0, "no worker was killed")
        self.compare("after the kills")
        self.again()
        self.retry()

    def compare(self, when):
        ledgers = Ledgers(self.folder)
        self.found += [f"{when}: {sentence}"
                       for sentence in ledgers.wrong(self.stores) + self.stores.wrong()]
        outcomes = ledgers.outcomes()
        print(f"  {when}: {outcomes['migrated'] + outcomes['upToDate']} done, "
              f"{outcomes['failed']} failed, each as it was made", flush=True)

    def again(self):
        """A second run changes nothing, and finds everything done."""
        before, lines = self.stores.state(), Ledgers(self.folder).lines
        status = self.engine.run()
        self.expect(status == 50, f"a second run: exit status {status}, not 50")
        self.expect(self.stores.state() == before, "a second run touched stores")
        ledgers = Ledgers(self.folder)
        done = sum(self.stores.expected().values()) - self.stores.expected()["failed"]
        self.expect(ledgers.lines - lines == len(self.stores.of),
                    f"a second run wrote {ledgers.lines - lines} lines")
        self.expect(ledgers.outcomes()["upToDate"] == done,
                    f"a second run found {ledgers.outcomes()} for {done} that were done")
        print("  a second run: no file was touched", flush=True)

    def retry(self):
        """Only stores that failed are looked at. One is put right, and is migrated."""
        lines = Ledgers(self.folder).lines
        name = sorted(self.stores.failing())[0]
        self.stores.mend(name)
        status = self.engine.run("retry")
        expected = 50 if self.stores.failing() else 0
        self.expect(status == expected, f"retry: exit status {status}, not {expected}")
        written = Ledgers(self.folder).lines - lines
        self.expect(written == len(self.stores.failing()) + 1, f"retry wrote {written} lines")
        self.compare("after one was put right, and a retry")

    def expect(self, holds, sentence):
        if not holds:
            self.found.append(sentence)


def main():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("count", nargs="?", type=int, default=400)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    arguments = parser.parse_args()
    print(f"{arguments.engine}: {arguments.count} stores in {SHARDS} shards, seed {arguments.seed}",
          flush=True)
    # The name has what a template must put in quotation marks.
    parent = Path(tempfile.mkdtemp(prefix="fleet-"))
    folder = parent / "it's a $fleet 100%"
    folder.mkdir()
    trial = Trial(folder, arguments)
    trial.run()
    return conclude(arguments.engine, trial.found, parent, arguments.keep)


if __name__ == "__main__":
    sys.exit(main())
