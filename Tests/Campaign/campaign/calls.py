"""A kill before every changing call, a second one in recovery, and every error at every call."""

import shutil

from . import process
from .bench import Judge
from .report import Finding, Outcome
from .shim import FAULTS, read_log

# Behind every one of so many errors the command is run again; behind every kill it is.
RERUN_EVERY = 3


def tasks(bench, scenarios, size):
    """Every trial of every scenario; of more than `size`, a random part of so many."""
    found = []
    # Named errors are all that is wanted: then there are no kills.
    faults = [(i, f) for i, f in enumerate(FAULTS) if not bench.errors or f.name in bench.errors]
    for name, scenario in scenarios.items():
        kinds = record(bench, scenario)
        for number, kind in enumerate(kinds, 1):
            if not bench.errors:
                found.append((name, "kill", number, None, 0))
                found.append((name, "kill twice", number, None, 0))
            for index, fault in faults:
                if kind in fault.kinds:
                    found.append((name, "once", number, index, 0))
                    found.append((name, "lasting", number, index, 1))
    bench.dice("calls").shuffle(found)
    return found[:size] if size else found


def record(bench, scenario):
    """The kinds of the changing calls of an undisturbed run."""
    folder = scenario.copy(bench.scratch / "recorded")
    log = bench.scratch / "calls.log"
    log.unlink(missing_ok=True)
    extra = bench.shim.environment(folder, log=log)
    ending = process.run(scenario.command(bench), folder, extra, limit=120)
    if ending.status != 0:
        raise SystemExit(f"{scenario.name}, recorded: {ending.title}: {ending.message}")
    return [call.kind for call in read_log(log)]


def trial(bench, scenarios, task):
    name, way, number, index, lasting = task
    attack = Attack(bench, scenarios[name], number)
    if way == "kill":
        attack.kill(())
    elif way == "kill twice":
        attack.kill((bench.dice("calls", name, number).random(),))
    else:
        attack.fail(FAULTS[index], lasting)
    return attack.outcome


class Attack:
    """One trial."""

    def __init__(self, bench, scenario, number):
        self.bench = bench
        self.scenario = scenario
        self.number = number
        self.judge = Judge(bench, scenario)
        self.folder = scenario.copy(bench.scratch / "trial")
        self.outcome = Outcome()
        self.how = ""

    def _find(self, problems, detail=""):
        for problem in problems:
            self.outcome.findings.append(
                Finding(self.scenario.name, problem, self.how, detail))
        return bool(problems)

    def _run(self, **attack):
        shim = self.bench.shim
        extra = shim.environment(self.folder, **attack)
        ending = process.run(self.scenario.command(self.bench), self.folder, extra)
        return ending, *shim.told()

    def kill(self, again):
        """Kills before one call; then, at the fractions `again` of the rest, in the recovery."""
        self.how = f"--only {self.scenario.name}: CAMPAIGN_KILL={self.number}"
        ending, total, spoiled, what = self._run(kill=self.number)
        self.how += f" ({what})"
        self.outcome.counts["kills"] += spoiled
        if self._find(self.judge.interrupted(self.folder), ending.message):
            return
        for fraction in again:
            # How many calls the recovery makes is known from a recovery of the same state.
            place = 1 + int(fraction * self._recovery_calls())
            self.how += f", then CAMPAIGN_KILL={place}"
            ending, _, spoiled, what = self._run(kill=place)
            self.how += f" ({what})"
            self.outcome.counts["kills in recovery"] += spoiled
            if not spoiled and self._find(self._ended(ending), ending.message):
                return
            if self._find(self.judge.interrupted(self.folder), ending.message):
                return
        self._finish()

    def _recovery_calls(self):
        """Undoes nothing: the recovery is tried on a copy."""
        copy = self.bench.scratch / "rehearsal"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy, symlinks=True)
        shim = self.bench.shim
        extra = shim.environment(copy)
        process.run(self.scenario.command(self.bench), copy, extra)
        return shim.told()[0]

    def _ended(self, ending):
        return [] if ending.status == 0 else [f"the same command again: {ending.title}"]

    def fail(self, fault, lasting):
        """Answers one call, or every one from there on, with an error."""
        row = "for good" if lasting else "once"
        self.how = (
            f"--only {self.scenario.name}: {fault.name} {row}: CAMPAIGN_FAIL={self.number} "
            f"CAMPAIGN_ERRNO={fault.number} CAMPAIGN_KINDS={fault.mask} CAMPAIGN_LASTING={lasting}")
        ending, _, spoiled, what = self._run(fail=self.number, fault=fault, lasting=lasting)
        self.how += f" ({what})"
        self.outcome.counts["errors"] += 1 if spoiled else 0
        allowed = fault.statuses_for(what) | self.scenario.failed_statuses
        # From there on, SQLite may be the one that cannot make a file: see `Fault.statuses_for`.
        if lasting and "unable to open database file" in ending.message:
            allowed |= {32}
        if ending.is_hung or ending.status not in allowed:
            problem = f"{fault.name} on {what.split()[0] if what else 'nothing'}: {ending.title}"
            self._find([problem], f"{what}: {ending.message}")
        if ending.status == 0:
            # What could not be cleaned up may stay behind; it is reported as a warning.
            self._find(self.judge.finished(self.folder, is_clean=False), ending.message)
        if self._find(self.judge.interrupted(self.folder), ending.message):
            return
        if self.number % RERUN_EVERY == 0 or ending.status == 0:
            self._finish()

    def _finish(self):
        problems, ending = self.judge.rerun(self.folder)
        self.outcome.counts["reruns"] += 1
        if self._find(problems, ending.message):
            return
        if self.scenario.kept and self.number % 2 == 0:
            self.outcome.counts["second stores"] += 1
            self._find(self.judge.second(self.folder))
