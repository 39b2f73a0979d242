"""Power loss: a run is recorded, and the states that a loss may leave are built from the record."""

import hashlib
import shutil
from pathlib import Path

from . import process
from .bench import Judge, keep
from .disk import Disk, Shelf
from .report import Finding, Outcome
from .shim import read_log

# States of one scenario are made in so many tasks, each over all of its moments.
PARTS = 8
# One state of so many is run again to its end.
RERUN_SHARE = 0.05
# Near the cut-over more depends on the order: there are so many states for one elsewhere.
WEIGHT_AT_THE_END = 6


def tasks(bench, scenarios, size):
    """`size` states, shared among the scenarios."""
    share = max(1, size // (len(scenarios) * PARTS))
    found = [(name, part, share) for name in scenarios for part in range(PARTS)]
    bench.dice("power").shuffle(found)
    return found


def trial(bench, scenarios, task):
    name, part, count = task
    return PowerLoss(bench, scenarios[name], part).run(count)


class PowerLoss:
    """A share of the states of one scenario."""

    def __init__(self, bench, scenario, part):
        self.bench = bench
        self.scenario = scenario
        self.part = part
        self.judge = Judge(bench, scenario)
        self.outcome = Outcome()
        self.judged = {}  # the problems of states that were seen before, by their digest
        self.folder = bench.scratch / "lost"
        self.shelf = Shelf(bench.scratch / "shelf")

    def _record(self):
        """Records an undisturbed run, where the states are judged too; gives disk and calls."""
        self.scenario.copy(self.folder)
        self.shelf.keep(self.folder)
        disk = Disk(self.folder)
        log = self.bench.scratch / "power.log"
        log.unlink(missing_ok=True)
        extra = self.bench.shim.environment(self.folder, log=log)
        ending = process.run(self.scenario.command(self.bench), self.folder, extra, limit=120)
        if ending.status != 0:
            raise RuntimeError(f"{self.scenario.name}, recorded: {ending.title}: {ending.message}")
        # The finished store's own file, which marks may name.
        self.shelf.keep(self.folder)
        return disk, read_log(log)

    def run(self, count):
        scenario = self.scenario
        dice = self.bench.dice("power", scenario.name, self.part)
        disk, calls = self._record()
        cut_over = next(
            (number for number, call in enumerate(calls)
             if call.kind in ("rename", "link") and call.other == scenario.result), len(calls))
        weights = [
            WEIGHT_AT_THE_END if number > cut_over - 40 else 1 for number in range(len(calls))]
        moments = sorted(dice.choices(range(len(calls)), weights, k=count))
        at = 0
        for number, call in enumerate(calls):
            disk.play(call)
            while at < len(moments) and moments[at] == number:
                self._state(disk, number, call, dice)
                at += 1
        return self.outcome

    def _state(self, disk, number, call, dice):
        is_rerun = dice.random() < RERUN_SHARE
        # The work in progress matters to who runs the command again, and takes long to be built.
        state = disk.after_loss(dice, lambda name: not is_rerun and name.endswith(".passage"))
        self.outcome.counts["states"] += 1
        how = (
            f"--only {self.scenario.name} --seed {self.bench.seed}, part {self.part}: power lost "
            f"after call {number + 1} ({call.kind} {call.name or '.'})")
        folder = self.folder
        digest = self._digest(state)
        problems = self.judged.get(digest)
        is_written = False
        if problems is None:
            self.outcome.counts["different states"] += 1
            self._write(state, folder)
            is_written = True
            problems = self.judged[digest] = self.judge.interrupted(folder)
        detail = ""
        if not problems and is_rerun:
            if not is_written:
                self._write(state, folder)
            self.outcome.counts["reruns"] += 1
            extra = self.bench.shim.environment(folder, boot=self.bench.boot(dice))
            problems, ending = self.judge.rerun(folder, extra)
            detail = ending.message if problems else ""
            if problems:
                self._write(state, folder)
        if problems:
            if is_written or is_rerun:
                detail += " " + keep(self.bench, folder, f"power-{self.scenario.name}")
            self.outcome.findings += [
                Finding(self.scenario.name, problem, how, detail) for problem in problems]

    def _write(self, state, folder):
        shutil.rmtree(folder, ignore_errors=True)
        Path(folder).mkdir(parents=True)
        state.write(folder, self.shelf)

    def _digest(self, state):
        """Of what is judged without running anything: all but work folders and ledgers."""
        digest = hashlib.sha1()
        for name in sorted(state.files):
            if ".passage" not in name and not name.endswith(".jsonl"):
                digest.update(repr((name, state.bytes[state.files[name]])).encode())
        return digest.digest()
