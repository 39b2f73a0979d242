"""Races: runners at once, a stopped holder, writers and readers beside a run."""

import multiprocessing
import signal
import sqlite3
import time

from . import process
from .bench import Judge, keep
from .report import Finding, Outcome

RUNNERS = 8
KINDS = ("runners", "stopped holder", "writer", "reader")


def tasks(bench, scenarios, size):
    """`size` races, of every kind over every scenario that it fits."""
    pairs = [
        (name, kind) for name, scenario in scenarios.items() for kind in KINDS
        if kind in ("runners", "stopped holder") or scenario.can_be_written]
    bench.dice("races").shuffle(pairs)
    return [(*pairs[number % len(pairs)], number) for number in range(size)]


def trial(bench, scenarios, task):
    name, kind, number = task
    race = Race(bench, scenarios[name], kind, number)
    race.outcome.counts["races"] += 1
    race.outcome.counts[kind] += 1
    if kind == "runners":
        race.runners()
    elif kind == "stopped holder":
        race.stopped_holder()
    else:
        race.beside(is_writing=kind == "writer")
    return race.outcome


class Race:
    def __init__(self, bench, scenario, kind, number):
        self.bench = bench
        self.scenario = scenario
        self.dice = bench.dice("races", scenario.name, kind, number)
        self.judge = Judge(bench, scenario)
        self.folder = scenario.copy(bench.scratch / "race")
        self.outcome = Outcome()
        self.how = f"--only {scenario.name} --seed {bench.seed}, race {number}: {kind}"

    def _find(self, problems, detail=""):
        for problem in problems:
            self.outcome.findings.append(Finding(
                self.scenario.name, problem, self.how,
                f"{detail} {keep(self.bench, self.folder, 'race')}"))

    def _start(self):
        return process.start(self.scenario.command(self.bench), self.folder)

    def _judge_end(self, ending, who):
        # Of a fleet, each may find some stores locked, and leave them to the others.
        allowed = {0, 30, *self.scenario.failed_statuses}
        if ending.is_hung or ending.status not in allowed:
            self._find([f"{who}: {ending.title}"], ending.message)

    def runners(self):
        """All may end with 0 or 30, and one has done the work."""
        children = []
        for _ in range(RUNNERS):
            children.append(self._start())
            time.sleep(self.dice.choice((0, 0, self.dice.uniform(0, 0.03))))
        endings = [process.finish(child) for child in children]
        for ending in endings:
            self._judge_end(ending, "a racing runner")
        if self.scenario.fellows:
            # Each did a part, or found it done.
            self._find(self.judge.interrupted(self.folder))
            self._find(self.judge.rerun(self.folder)[0])
        elif not any(ending.status == 0 for ending in endings):
            self._find(["no racing runner did the work"], endings[0].message)
        elif not self.outcome.findings:
            # Readers at the same time may each leave an empty log to the other; the next call takes it.
            log = self.folder / (self.scenario.result + "-wal")
            if log.exists() and log.stat().st_size == 0:
                self.outcome.counts["empty logs"] += 1
                self._find(self.judge.rerun(self.folder)[0])
            else:
                self._find(self.judge.finished(self.folder))

    def stopped_holder(self):
        """While one is stopped, another ends with 30; the first continues as if nothing had been."""
        first = self._start()
        time.sleep(self.dice.uniform(0, self.scenario.seconds * 1.2))
        first.send_signal(signal.SIGSTOP)
        second = self._start()
        # One that may wait for the first must be let continue; the others have ended by then.
        try:
            second.wait(timeout=1.0 if self.scenario.name.startswith(("install", "pack")) else 8.0)
        except Exception:  # it waits for the holder: that is judged by how it ends
            pass
        first.send_signal(signal.SIGCONT)
        endings = [process.finish(first), process.finish(second)]
        for ending, who in zip(endings, ("the stopped holder", "a runner beside a stopped one")):
            self._judge_end(ending, who)
        if self.scenario.fellows:
            self._find(self.judge.rerun(self.folder)[0])
        elif not any(ending.status == 0 for ending in endings):
            self._find(["neither did the work"], endings[0].message)
        elif not self.outcome.findings:
            self._find(self.judge.finished(self.folder))

    def beside(self, is_writing):
        """A live program beside the run: what it committed is there, or the run says why not."""
        path = self.folder / self.scenario.source
        mode = self.dice.choice(("WAL", "DELETE"))
        self.how += f", {mode}"
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.close()
        stop, ready = multiprocessing.Event(), multiprocessing.Event()
        committed = multiprocessing.Value("i", 0)
        work = write if is_writing else read
        other = multiprocessing.Process(target=work, args=(str(path), stop, ready, committed))
        other.start()
        ready.wait(5)
        before = committed.value
        ending = process.finish(self._start())
        after = committed.value
        stop.set()
        other.join(10)
        # 32 is only for what the writer did.
        is_told = ending.status == 32 and ending.code == "RUN-012" and is_writing
        if not is_told:
            self._judge_end(ending, f"beside a {'writer' if is_writing else 'reader'}")
        if ending.status == 0:
            self._find(self._pairs(before, committed.value if self.scenario.is_in_place else after))

    def _pairs(self, least, most):
        """The result holds a moment of the source: the first so many pairs, and each whole."""
        connection = sqlite3.connect(self.folder / self.scenario.result)
        try:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if "ZAUTHOR" not in tables:
                return []
            columns = {row[1] for row in connection.execute("PRAGMA table_info(ZAUTHOR)")}
            name = next(key for key in ("ZFULLNAME", "ZWRITTENNAME", "ZNAME") if key in columns)
            found = [
                {row[0] for row in connection.execute(sql)} for sql in (
                    f"SELECT {name} FROM ZAUTHOR WHERE {name} LIKE 'live %'",
                    "SELECT ZTITLE FROM ZBOOK WHERE ZTITLE LIKE 'live %'")]
        except sqlite3.Error as error:
            return [f"the result cannot be read: {error}"]
        finally:
            connection.close()
        count = len(found[0])
        if found[0] != found[1]:
            return ["the result holds half of a transaction"]
        if found[0] != {f"live {number}" for number in range(1, count + 1)}:
            return ["the result has holes among the transactions"]
        if not least <= count <= most + 1:
            return [f"transactions are lost or made up: {count} of {least} to {most}"]
        return []


def write(path, stop, ready, committed):
    """Commits pairs of rows, each in a connection of its own, until told to stop or the store is
    another one."""
    number = 0
    while not stop.is_set():
        try:
            connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT INTO ZAUTHOR (Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, ?)", (f"live {number + 1}",))
            connection.execute(
                "INSERT INTO ZBOOK (Z_ENT, Z_OPT, ZTITLE) VALUES (2, 1, ?)", (f"live {number + 1}",))
            connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME IN ('Author', 'Book')")
            connection.execute("COMMIT")
            number += 1
            committed.value = number
        except sqlite3.OperationalError as error:
            # The store was migrated: it has no such column any more.
            if "no column" in str(error) or "no such" in str(error):
                break
        finally:
            connection.close()
        ready.set()
        time.sleep(0.002)
    ready.set()


def read(path, stop, ready, _):
    """Reads in a loop, now and then for a while in one transaction."""
    while not stop.is_set():
        try:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM ZBOOK").fetchall()
            ready.set()
            time.sleep(0.01)
            connection.execute("COMMIT")
        except sqlite3.Error:
            pass
        finally:
            connection.close()
        ready.set()
        time.sleep(0.001)
