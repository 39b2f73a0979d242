"""Damaged stores: what a run makes of one is compared with what plain SQL reads from it."""

import shutil
import sqlite3
from pathlib import Path

from . import process
from .bench import keep
from .contents import unit_bytes
from .report import Finding, Outcome
from .stores import Stores, project_arguments

# Authors, books and tags: tables of one page and of many, join tables of many.
SIZES = ((3, 5, 2), (40, 120, 30), (400, 300, 50), (30, 2500, 400))
PAGE = 4096

# What a run may end with: done; the model is unknown, none leads on (a damaged name or hash), the
# store is damaged, or a value in it is none that can be migrated.
STATUSES = (0, 20, 22, 40, 41)
# A file that does not begin as SQLite's do is reported as another kind of file.
BEGINNING = b"SQLite format 3\0"
NO_STORE = 65

# What version 2 holds of version 1, by SQL that was written by hand. A cell that holds no number has no
# sum.
EXPECTED = {
    "ZAUTHOR": (
        "SELECT Z_PK, ZNAME, ZBORN, ZRATING FROM ZAUTHOR NOT INDEXED",
        "SELECT Z_PK, ZFULLNAME, ZBORN, ZRATING FROM ZAUTHOR"),
    "ZBOOK": (
        "SELECT Z_PK, ZTITLE, ZPRICE, CASE WHEN typeof(ZYEAR) IN ('integer', 'real') THEN ZYEAR + 1 "
        "END, ZCOVER FROM ZBOOK NOT INDEXED",
        "SELECT Z_PK, ZTITLE, ZPRICE, ZYEAR, ZCOVER FROM ZBOOK"),
    "ZCLASSIC": (
        "SELECT Z_PK, ZTITLE, CASE WHEN typeof(ZPRICE) IN ('integer', 'real') THEN ZPRICE * 100 END "
        "FROM ZBOOK NOT INDEXED WHERE ZYEAR < 1950",
        "SELECT Z_PK, ZTITLE, ZPRICEINCENTS FROM ZCLASSIC"),
    "ZTAG": (
        "SELECT Z_PK, ZNAME FROM ZTAG NOT INDEXED", "SELECT Z_PK, ZNAME FROM ZTAG"),
}

# Links are taken over as they are. Those that are not keys may be left out, if the run says so by this
# code; the second statement of each gives the links that are. With the policy of “Cards”, which may make
# further objects, links are looked up: those that lead to no object may be left out too, which the third
# statement says.
LINKS = {
    "links to authors": (
        "SELECT Z_PK, ZAUTHOR FROM ZBOOK NOT INDEXED WHERE ZAUTHOR IS NOT NULL",
        "SELECT Z_PK, ZAUTHOR FROM ZBOOK NOT INDEXED WHERE typeof(ZAUTHOR) = 'integer'",
        " AND EXISTS (SELECT 1 FROM ZAUTHOR AS a WHERE a.Z_PK = ZBOOK.ZAUTHOR)",
        "SELECT Z_PK, ZAUTHOR FROM ZBOOK WHERE ZAUTHOR IS NOT NULL"),
    "links of books and tags": (
        "SELECT Z_2BOOKS, Z_3TAGS FROM Z_2TAGS NOT INDEXED",
        "SELECT Z_2BOOKS, Z_3TAGS FROM Z_2TAGS NOT INDEXED WHERE typeof(Z_2BOOKS) = 'integer' AND "
        "typeof(Z_3TAGS) = 'integer'",
        " AND EXISTS (SELECT 1 FROM ZBOOK AS b WHERE b.Z_PK = Z_2BOOKS)"
        " AND EXISTS (SELECT 1 FROM ZTAG AS t WHERE t.Z_PK = Z_3TAGS)",
        "SELECT {0}, {1} FROM {2}"),
}
LEFT_OUT = "RUN-024"

# How a store is migrated. In memory, SQL makes all of it where a pass has a policy.
LANES = ("auto", "page", "page", "set", "row")
MAPPINGS = ("Shelves,Classics", "Shelves,Classics", "Shelves,Classics,Cards")


def tasks(bench, _, size):
    """`size` damaged stores, of each size and journal in turn."""
    folder = bench.scratch / "sound"
    stores = Stores(bench.binary, bench.scratch / "making-sound", bench.seed)
    for index, counts in enumerate(SIZES):
        for journal in ("delete", "log"):
            path = folder / f"{index}-{journal}" / "live.sqlite"
            stores.first(path, size=counts, journal=journal, salt="damage")
    return list(range(size))


def trial(bench, _, number):
    return DamagedStore(bench, number).run()


class DamagedStore:
    """One store, one change, one run."""

    def __init__(self, bench, number):
        self.bench = bench
        self.number = number
        self.dice = bench.dice("damage", number)
        index = self.dice.choices(range(len(SIZES)), (5, 4, 3, 2))[0]
        self.journal = self.dice.choice(("delete", "delete", "log"))
        # The workers' folders are in that of the process that made the sound stores.
        self.sound = bench.scratch.parent / "sound" / f"{index}-{self.journal}"
        self.folder = bench.scratch / "damaged"
        self.path = self.folder / "live.sqlite"
        self.outcome = Outcome()
        self.how = ""
        self.looks_up = False

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.sound, self.folder)
        what = self._damage()
        batch = self.dice.choice((1, 7, 50)) if self.sound.name.startswith(("0", "1")) else 97
        mappings = self.dice.choice(MAPPINGS)
        self.looks_up = "Cards" in mappings
        way = [
            "--mappings", mappings, "--lane", self.dice.choice(LANES),
            "--work-memory", self.dice.choice(("0", "16M")), "--jobs",
            self.dice.choice(("1", "1", "3")), "--batch-size", str(batch)]
        command = [
            str(self.bench.binary), "run", "--store", "live.sqlite", "--output", "new.sqlite", *way,
            "--progress", "none", "--format", "json", *project_arguments()]
        self.how = (
            f"--seed {self.bench.seed}, store {self.number} ({self.sound.name}), {' '.join(way)}: "
            f"{what}")
        before = unit_bytes(self.path)
        begins = self.path.read_bytes()[:len(BEGINNING)] == BEGINNING
        statuses = STATUSES if begins else (*STATUSES, NO_STORE)
        ending = process.run(command, self.folder)
        self.outcome.counts["damaged stores"] += 1
        self.outcome.counts[f"ended with {ending.status}"] += 1
        for lane in ending.lanes:
            self.outcome.counts[f"by lane {lane}"] += 1
        if ending.is_hung or ending.status not in statuses:
            self._find(f"a damaged store: {ending.title}", ending.message)
        elif ending.status != 0 and (self.folder / "new.sqlite").exists():
            self._find("a store was refused, and a result is there", ending.message)
        after = unit_bytes(self.path)
        changed = [tail for tail, data in before.items() if (data or b"") != (after[tail] or b"")]
        if changed:
            self._find(f"a damaged source was changed: {changed}")
        # Last, because looking at the source may fold its log in.
        if ending.status == 0:
            self._judge(ending)
        return self.outcome

    def _find(self, what, detail=""):
        place = keep(self.bench, self.folder, "damage")
        self.outcome.findings.append(Finding("damage", what, self.how, f"{detail} {place}"))

    # MARK: Damage

    def _damage(self):
        ways = (self._bytes, self._bytes, self._page, self._swap, self._cut, self._cell, self._cell,
                self._inside)
        path = self.path
        log = Path(str(path) + "-wal")
        if self.journal == "log" and self.dice.random() < 0.4:
            path = log
        return self.dice.choice(ways)(path)

    def _change(self, path, changes):
        data = bytearray(path.read_bytes())
        for place, value in changes:
            if place < len(data):
                data[place] = value
        path.write_bytes(data)

    def _bytes(self, path):
        size = path.stat().st_size
        changes = [
            (self.dice.randrange(size), self.dice.randrange(256))
            for _ in range(self.dice.randint(1, 12))]
        self._change(path, changes)
        return f"bytes of {path.name}: {changes}"

    def _inside(self, path):
        """The heads of pages and their cells' places: what a tree hangs on."""
        pages = max(1, path.stat().st_size // PAGE)
        changes = []
        for _ in range(self.dice.randint(1, 3)):
            start = self.dice.randrange(pages) * PAGE
            changes.append((start + self.dice.randrange(24), self.dice.randrange(256)))
        self._change(path, changes)
        return f"heads of pages of {path.name}: {changes}"

    def _page(self, path):
        pages = max(1, path.stat().st_size // PAGE)
        page = self.dice.randrange(pages)
        value = self.dice.choice((0, 255))
        self._change(path, [(place, value) for place in range(page * PAGE, (page + 1) * PAGE)])
        return f"page {page} of {path.name} filled with {value}"

    def _swap(self, path):
        pages = max(1, path.stat().st_size // PAGE)
        one, other = self.dice.randrange(pages), self.dice.randrange(pages)
        data = bytearray(path.read_bytes())
        first, second = (slice(page * PAGE, (page + 1) * PAGE) for page in (one, other))
        data[first], data[second] = data[second], data[first]
        path.write_bytes(data)
        return f"pages {one} and {other} of {path.name} swapped"

    def _cut(self, path):
        length = self.dice.randrange(path.stat().st_size)
        if self.dice.random() < 0.5:
            length -= length % PAGE
        with open(path, "r+b") as file:
            file.truncate(length)
        return f"{path.name} cut off after {length} bytes"

    def _cell(self, _):
        """A value that SQLite takes and Core Data never wrote."""
        places = (
            ("ZAUTHOR", "ZNAME"), ("ZAUTHOR", "ZBORN"), ("ZAUTHOR", "ZRATING"), ("ZAUTHOR", "Z_ENT"),
            ("ZBOOK", "ZTITLE"), ("ZBOOK", "ZPRICE"), ("ZBOOK", "ZYEAR"), ("ZBOOK", "ZAUTHOR"),
            ("ZBOOK", "ZCOVER"), ("ZBOOK", "Z_PK"), ("Z_2TAGS", "Z_2BOOKS"), ("Z_2TAGS", "Z_3TAGS"),
            ("Z_PRIMARYKEY", "Z_MAX"), ("Z_PRIMARYKEY", "Z_NAME"), ("Z_METADATA", "Z_PLIST"))
        table, column = self.dice.choice(places)
        value = self.dice.choice((
            "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "9e999",
            "'text'", "x'00ff'", "x''", "''", "'12'", "CAST(x'ff41' AS TEXT)", "999999"))
        sql = (
            f"UPDATE OR REPLACE {table} SET {column} = {value} WHERE rowid = (SELECT rowid FROM "
            f"{table} LIMIT 1 OFFSET {self.dice.randrange(3)})")
        connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            connection.execute(sql)
            # The sound stores have no shared memory either.
        except sqlite3.Error:
            pass
        finally:
            connection.close()
        return sql

    # MARK: Judgement

    def _judge(self, ending):
        source = sqlite3.connect(self.path, isolation_level=None)
        result = sqlite3.connect(self.folder / "new.sqlite", isolation_level=None)
        for connection in (source, result):
            connection.text_factory = bytes
        try:
            if result.execute("PRAGMA integrity_check").fetchone()[0] != b"ok":
                self._find("success, and the result is damaged")
            for name, (old, new) in EXPECTED.items():
                self._compare(name, self._readings(source, old), self._readings(result, new)[0])
            is_told = LEFT_OUT in ending.out + ending.err
            for name, (all_links, keys, is_found, new) in LINKS.items():
                if self.looks_up:
                    keys += is_found
                found = self._readings(result, new.format(*self._join_table(result)))[0]
                expected = self._readings(source, all_links)
                if is_told:
                    # Each that is a key, and of the others any.
                    expected = [
                        sorted(set(sound) | (set(links) & set(found)))
                        for links, sound in zip(expected, self._readings(source, keys))]
                self._compare(name, expected, found)
        finally:
            source.close()
            result.close()

    def _join_table(self, connection):
        table = connection.execute(
            "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'"
        ).fetchone()[0].decode()
        columns = [row[1].decode() for row in connection.execute(f"PRAGMA table_info({table})")]
        books = next(column for column in columns if column.endswith("BOOKS"))
        return books, next(column for column in columns if column != books), table

    def _readings(self, connection, sql):
        """What plain SQL reads: from the table, from the index it prefers, and from that of the key.

        They agree in a sound store. In a damaged one plain SQL gives now one and now another.
        """
        whole = sql.replace(" NOT INDEXED", "")
        found = []
        for statement in (sql, whole, whole + " ORDER BY 1, 2"):
            try:
                found.append(sorted(map(repr, connection.execute(statement).fetchall())))
            except sqlite3.Error as error:
                found.append([f"(cannot be read: {error})"])
        return found

    def _compare(self, name, readings, found):
        if found in readings:
            return
        missing = [row for row in readings[0] if row not in set(found)]
        more = [row for row in found if row not in set(readings[0])]
        self._find(
            f"success, and {name} differs from plain SQL",
            f"expected {str(missing[:2])[:160]}, found {str(more[:2])[:160]}")
