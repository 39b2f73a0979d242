"""Random stores, migrated page by page and by SQL.

Both must make the same store, told by the sums of the shell's `.sha3sum` and by SQLite's whole check, and
what was made must serve as any other database: rows are deleted and changed, room is given back, the file
is rebuilt, and after each the check is passed and the sums are the same again.
"""

import itertools
import json
import plistlib
import shutil
import sqlite3
import subprocess

from . import process
from .bench import keep
from .odd import Rows, World
from .report import Finding, Outcome
from .stores import Stores

# So many models are drawn; each store is of one of them.
WORLDS = 16
WAYS = ("set", "page")
BOOKKEEPING = ("Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY")
# With what a run of either lane may end: done, or a value was found that no version 2 takes.
STATUSES = (0, 41)


def world_folder(scratch, number):
    return scratch / "worlds" / str(number)


def drawn(bench, number):
    return World(bench.dice("pages", "world", number))


def tasks(bench, _, size):
    stores = Stores(bench.binary, bench.scratch / "making-worlds", bench.seed)
    for number in range(min(size, WORLDS)):
        folder = world_folder(bench.scratch, number)
        drawn(bench, number).write(folder)
        stores.command(
            "create", "--model", folder / "Migrations" / "1.json", "--output", folder / "empty.sqlite")
    return list(range(size))


def trial(bench, _, number):
    return OddStore(bench, number).run()


class OddStore:
    """One store, migrated in both lanes."""

    def __init__(self, bench, number):
        self.bench = bench
        self.number = number
        self.dice = bench.dice("pages", number)
        # The workers' folders are in that of the process that made the worlds.
        self.project = world_folder(bench.scratch.parent, number % WORLDS)
        self.folder = bench.scratch / "odd"
        self.path = self.folder / "live.sqlite"
        self.outcome = Outcome()
        self.how = ""

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shutil.copyfile(self.project / "empty.sqlite", self.path)
        rows = Rows(self.path, drawn(self.bench, self.number % WORLDS), self.dice)
        made = rows.fill()
        options = self._options(rows.count)
        self.how = (f"--seed {self.bench.seed}, store {self.number}, world {self.number % WORLDS}: {made}, "
                    f"{' '.join(options)}")
        self.outcome.counts["stores"] += 1
        before = self.path.read_bytes()
        endings = {way: self._migrate(way, options) for way in WAYS}
        if any(ending.is_hung or ending.status not in STATUSES for ending in endings.values()):
            self._find("a sound store: " + ", ".join(
                f"{way}: {ending.title}" for way, ending in endings.items()), endings["page"].message)
        elif endings["set"].status != endings["page"].status or endings["set"].code != endings["page"].code:
            self._find("one lane refuses a store, and the other does not", endings["page"].message)
        elif endings["set"].status == 0:
            self._judge(endings["page"])
        else:
            self.outcome.counts["refused"] += 1
        if self.path.read_bytes() != before:
            self._find("a source was changed")
        return self.outcome

    def _options(self, count):
        options = ["--batch-size", str(self.dice.choice((50_000, 1_000, max(7, count // 30))))]
        if self.dice.random() < 0.5:
            options += ["--work-memory", "0"]
        return options + ["--jobs", str(self.dice.choice((1, 1, 2, 3)))]

    def _migrate(self, way, options):
        return process.run(
            [str(self.bench.binary), "run", "--store", "live.sqlite", "--to", "2", "--migrations",
             str(self.project / "Migrations"), "--mappings-dir", str(self.project / "Mappings"), "--output",
             f"{way}.sqlite", "--lane", way, "--progress", "none", "--format", "json", *options],
            self.folder, limit=4 * process.hang_seconds())

    def _find(self, what, detail=""):
        place = keep(self.bench, self.folder, "pages")
        self.outcome.findings.append(Finding("pages", what, self.how, f"{detail} {place}"))

    # MARK: Judgement

    def _judge(self, ending):
        report = json.JSONDecoder().raw_decode(ending.out.lstrip())[0]
        mappings = [mapping for step in report["steps"] for each in step["passes"]
                    for mapping in each["mappings"]]
        left = [f"{mapping['name']}: {mapping['laneReason'] or mapping['abandonedLane']}"
                for mapping in mappings if mapping["read"] and mapping["lane"] != "page"]
        if left:
            # Nothing in these stores asks for it.
            self._find("the page lane left a mapping to SQL", "; ".join(left))
        if self._metadata("set") != self._metadata("page"):
            self._find("the lanes give other metadata")
        tables = self._tables()
        changes = list(self._changes(tables))
        told = {way: self._use(way, tables, changes) for way in WAYS}
        if told["set"] == told["page"] and "wrong" not in told["page"]:
            return
        lines = itertools.zip_longest(told["set"].splitlines(), told["page"].splitlines(), fillvalue="")
        one, other = next(
            (pair for pair in lines if pair[0] != pair[1] or "wrong" in pair[1]), ("", ""))
        self._find("the lanes give other stores, or one that cannot be used", f"{one} | {other}")

    def _metadata(self, way):
        """What the metadata tell, but for when it was, and takes it out of the store."""
        connection = sqlite3.connect(self.folder / f"{way}.sqlite", isolation_level=None)
        found = []
        for version, identity, properties in connection.execute("SELECT * FROM Z_METADATA"):
            values = plistlib.loads(properties)
            kept = {key: value for key, value in values.items() if not key.startswith("Passage")}
            found.append((version, identity, repr(sorted(kept.items()))))
        connection.execute("DELETE FROM Z_METADATA")
        connection.close()
        return found

    def _tables(self):
        """The names of the tables, each with its columns and their types."""
        connection = sqlite3.connect(self.folder / "set.sqlite")
        names = [name for name, in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        found = {name: {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({name})")}
                 for name in names}
        connection.close()
        return found

    def _use(self, way, tables, changes):
        """What SQLite's shell says of a store before and after it is changed; “wrong” for a fault."""
        look = ["SELECT iif(integrity_check = 'ok', 'sound', 'wrong: ' || integrity_check) "
                "FROM pragma_integrity_check;", "SELECT name, sql FROM sqlite_master ORDER BY name;"]
        # As `.sha3sum` does, but for join tables, whose rows are as good in any order.
        for name, columns in tables.items():
            order = ", ".join(list(columns)[:2])
            look.append(f"SELECT '{name}', hex(sha3_query('SELECT * FROM {name} ORDER BY {order}'));")
        steps = ["", *changes, "PRAGMA incremental_vacuum;", "VACUUM;"]
        done = subprocess.run(
            ["sqlite3", "-batch", f"{way}.sqlite"], text=True, cwd=self.folder, capture_output=True,
            input="\n".join("\n".join([step, *look]) for step in steps), check=False)
        faults = done.stderr.strip() or (f"status {done.returncode}" if done.returncode else "")
        return done.stdout + (f"wrong: {faults}" if faults else "")

    def _changes(self, tables):
        """Removes rows and lengthens others, the same for both stores; each part is one text."""
        part, length = self.dice.randint(2, 4), self.dice.choice((40, 700, 9000))
        own = {name: columns for name, columns in tables.items() if name not in BOOKKEEPING}
        yield "\n".join(
            f"DELETE FROM {name} WHERE {next(iter(columns))} % {part} = 0;" for name, columns in own.items())
        yield "\n".join(
            f"UPDATE {name} SET {column} = substr('{'longer' * 9}', 1, Z_PK % 50) || "
            f"coalesce({column}, '') || hex(zeroblob(Z_PK % {length})) WHERE Z_PK % 5 < 3;"
            for name, columns in own.items() for column, kind in columns.items()
            if kind in ("VARCHAR", "BLOB"))
