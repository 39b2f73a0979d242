"""The place where trials run: the programs, the scratch folder, the shim."""

import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import contents, process
from .scenarios import names_below
from .shim import Shim


@dataclass
class Bench:
    binary: Path  # the command
    library: Path  # the program that calls the library; None where it is not built
    scratch: Path  # a folder of this process's own
    shim_library: Path
    seed: str
    only: set  # the names of scenarios to be run; empty for all
    errors: set  # of “calls”: the names of errors that calls are answered with; empty for all
    deadline: float = float("inf")  # of time.monotonic(): no trial begins after it

    def __post_init__(self):
        self.scratch.mkdir(parents=True, exist_ok=True)

    def own(self):
        """The same with a scratch folder of the current process's own."""
        return Bench(
            self.binary, self.library, self.scratch / f"worker-{os.getpid()}", self.shim_library,
            self.seed, self.only, self.errors, self.deadline)

    @property
    def shim(self):
        return Shim(self.shim_library, self.scratch / "state")

    def boot(self, dice):
        """A file with the identity of another start of the machine."""
        path = self.scratch / "boot"
        path.write_text(f"{dice.getrandbits(128):032x}\n")
        return path

    def dice(self, *parts):
        """Random numbers of one trial, the same for the same seed."""
        return random.Random("/".join(map(str, (self.seed, *parts))))

    def result_of(self, scenario, folder):
        path = Path(folder) / scenario.result
        if scenario.is_text:
            return {"bytes": path.read_bytes()}
        return contents.of_store(path, self.scratch, scenario.has_identity)


class Judge:
    """Compares a folder with what a scenario promises; each method gives a list of sentences."""

    def __init__(self, bench, scenario):
        self.bench = bench
        self.scenario = scenario

    def state(self, folder):
        """`old`, `new`, `absent`, or a sentence with a blank that says what else is at the path."""
        path = Path(folder) / self.scenario.result
        if not path.exists():
            return "absent"
        try:
            found = self.bench.result_of(self.scenario, folder)
        except contents.Unreadable as error:
            return f"the path holds no whole store: {error}"
        if found == self.scenario.new:
            return "new"
        if self.scenario.is_in_place and found == self.scenario.old:
            return "old"
        if self.scenario.is_text:
            return "the result differs"
        return f"the path holds another store: {contents.difference(found, self.scenario.new)}"

    def _fellows(self):
        """The judges of the further stores that the same command migrates."""
        return [Judge(self.bench, fellow) for fellow in self.scenario.fellows]

    def interrupted(self, folder):
        """What must hold at every instant, for each store."""
        problems = self._interrupted(folder)
        for fellow in self._fellows():
            problems += [f"{fellow.scenario.source}: {problem}" for problem in
                         fellow.interrupted(folder)]
        return problems

    def _interrupted(self, folder):
        scenario = self.scenario
        state = self.state(folder)
        if " " in state:
            return [state]
        if not scenario.is_in_place:
            return self.source(folder)
        if state == "absent":
            return ["the path is empty"]
        if state == "new":
            return self.kept(folder)
        # A store in WAL mode is turned to the other mode before the cut-over, its log folded in;
        # one that is in the other mode already has no reason to change.
        is_logged = scenario.old_bytes[""][18] == 2
        return [] if is_logged else self.source(folder)

    def source(self, folder):
        """Whether the source has the bytes that it had."""
        found = contents.unit_bytes(Path(folder) / self.scenario.source)
        problems = []
        for name in found.keys() | self.scenario.old_bytes.keys():
            old, new = self.scenario.old_bytes.get(name), found.get(name)
            if old != new and (old or new):
                problems.append(f"the source's bytes were changed: {name or 'the main file'}")
        return problems

    def kept(self, folder):
        """Whether the old store is kept whole beside the new one."""
        if not self.scenario.kept:
            return []
        path = Path(folder) / self.scenario.kept
        if not path.exists():
            return ["the old store was not kept"]
        try:
            if contents.of_store(path, self.bench.scratch) == self.scenario.old:
                return []
            return ["the kept store holds something else"]
        except contents.Unreadable as error:
            return [f"the kept store is not whole: {error}"]

    def finished(self, folder, is_clean=True):
        """What must hold after a run that said 0."""
        state = self.state(folder)
        if state != "new":
            return [f"success, but {state if ' ' in state else 'the path is ' + state}"]
        problems = self.kept(folder) if self.scenario.is_in_place else self.source(folder)
        for fellow in self._fellows():
            if (state := fellow.state(folder)) != "new":
                problems.append(f"success, but {fellow.scenario.source} is {state}")
            problems += fellow.kept(folder)
        left = names_below(folder) - self.scenario.names
        missing = self.scenario.names - names_below(folder)
        if is_clean and left:
            problems.append(f"left behind: {', '.join(sorted(left)[:5])}")
        if is_clean and missing:
            problems.append(f"missing: {', '.join(sorted(missing)[:5])}")
        return problems

    def second(self, folder):
        """Puts a second old store at the path and migrates it: the kept one must survive."""
        scenario = self.scenario
        if not scenario.kept or scenario.second is None:
            return []
        kept = contents.unit_bytes(Path(folder) / scenario.kept)
        scenario.put_second(folder)
        ending = process.run(scenario.command(self.bench), folder)
        problems = []
        if ending.status not in (0, 32, 64):
            problems.append(f"a second old store at the path: {ending.title}")
        # Kept stores share a folder of external data, in which the second one's files are too.
        found = contents.unit_bytes(Path(folder) / scenario.kept)
        if any(found.get(name) != data for name, data in kept.items()):
            problems.append("a second old store took the place of the kept one")
        found = contents.of_store(Path(folder) / scenario.result, self.bench.scratch)
        if found not in (scenario.old_second, scenario.new_second):
            problems.append("the second old store is neither old nor new")
        return problems

    def rerun(self, folder, extra=None):
        """Runs the command again, which must end right."""
        ending = process.run(self.scenario.command(self.bench), folder, extra)
        if ending.is_hung or ending.status != 0:
            return [f"the same command again: {ending.title}"], ending
        return self.finished(folder), ending


def keep(bench, folder, title):
    """Keeps the folder of a finding beside the scratch folders, up to a number; gives where."""
    shelf = bench.scratch.parent / "findings"
    shelf.mkdir(exist_ok=True)
    if len(list(shelf.iterdir())) >= 40:
        return ""
    place = shelf / f"{title}-{os.getpid()}-{len(list(shelf.iterdir()))}"
    shutil.copytree(folder, place, symlinks=True, ignore_dangling_symlinks=True)
    return f"kept in {place}"
