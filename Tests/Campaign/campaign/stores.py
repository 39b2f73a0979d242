"""Source stores: made by the program itself, filled with rows by plain SQL."""

import random
import shutil
import sqlite3
from pathlib import Path

from . import process
from .contents import support_folder

PROJECT = Path(__file__).parent.parent / "Project"


class Stores:
    """Makes stores of the campaign's models in a folder, each kind once."""

    def __init__(self, binary, folder, seed):
        self.binary = str(binary)
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seed = seed

    def command(self, *arguments):
        """Runs the program, which must succeed."""
        ending = process.run([self.binary, *map(str, arguments)], self.folder, limit=120)
        if ending.status != 0:
            raise SystemExit(f"{' '.join(map(str, arguments))}: {ending.title}: {ending.message}")
        return ending

    def first(self, path, size=(12, 30, 6), journal="delete", has_files=False, salt="",
              first_author="Author 1"):
        """A store of version 1 at `path`.

        `size` is how many authors, books and tags it holds. With the journal `log`, half of its
        rows wait in a write-ahead log, but not those of the authors.
        """
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        model = PROJECT / "Migrations" / "Library 1.json"
        self.command("create", "--model", model, "--output", path)
        dice = random.Random(f"{self.seed}/{path.name}/{salt}")
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        fill = Filling(connection, dice, size)
        fill.first_author = first_author
        if has_files:
            fill.external = support_folder(path) / "_EXTERNAL_DATA"
            fill.external.mkdir(parents=True)
        if journal == "log":
            fill.authors()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            fill.books()
            self._keep_log(path, connection)
            return path
        fill.authors()
        fill.books()
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.close()
        for tail in ("-wal", "-shm"):
            Path(str(path) + tail).unlink(missing_ok=True)
        return path

    def _keep_log(self, path, connection):
        """Leaves a store as a killed program leaves it: the log waits beside it."""
        kept = [Path(str(path) + tail) for tail in ("", "-wal")]
        for file in kept:
            shutil.copyfile(file, str(file) + ".kept")
        connection.close()
        for file in kept:
            Path(str(file) + ".kept").replace(file)
        Path(str(path) + "-shm").unlink(missing_ok=True)

    def second(self, path, **options):
        """A store of version 2, migrated from one of version 1."""
        source = self.folder / "to-second" / Path(path).name
        if source.parent.exists():
            shutil.rmtree(source.parent)
        self.first(source, **options)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.command(
            "run", "--store", source, "--to", "2", "--output", path, "--progress", "none",
            *project_arguments())
        return path


def project_arguments(migrations="Migrations"):
    return ["--migrations", str(PROJECT / migrations), "--mappings-dir", str(PROJECT / "Mappings")]


class Filling:
    """Rows for a store of version 1."""

    TITLES = ("Emma", "Ulysses", "Zoë", "Straße", "", "한국", "It's \"so\"", "📚 shelf")

    def __init__(self, connection, dice, size):
        self.connection = connection
        self.dice = dice
        self.counts = size
        self.external = None
        self.first_author = "Author 1"

    def authors(self):
        rows = [
            (key, 1, 1, self.dice.choice((None, self.dice.uniform(-3e9, 7e8))),
             self.dice.choice((None, self.dice.uniform(0, 5))),
             f"Author {key}" if key > 1 else self.first_author)
            for key in range(1, self.counts[0] + 1)]
        self._insert("ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZBORN, ZRATING, ZNAME)", rows)
        tags = [(key, 3, 1, f"tag {key}") for key in range(1, self.counts[2] + 1)]
        self._insert("ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)", tags)
        self._keys()

    def books(self):
        rows, pairs = [], []
        for key in range(1, self.counts[1] + 1):
            author = self.dice.choice((None, self.dice.randint(1, self.counts[0])))
            title = self.dice.choice(self.TITLES) + " " * (key % 3) + str(key)
            year = self.dice.choice((None, self.dice.randint(1800, 2020)))
            price = self.dice.choice((None, round(self.dice.uniform(1, 90), 2)))
            rows.append((key, 2, 1, year, author, price, title, self._cover(key)))
            shown = self.dice.sample(
                range(1, self.counts[2] + 1), self.dice.randint(0, min(3, self.counts[2])))
            pairs.extend((key, tag) for tag in shown)
        self._insert(
            "ZBOOK (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZAUTHOR, ZPRICE, ZTITLE, ZCOVER)", rows)
        self._insert("Z_2TAGS (Z_2BOOKS, Z_3TAGS)", pairs)
        self._keys()

    def _cover(self, key):
        """Core Data's form: 1 and the bytes, or 2 and the name of a file."""
        data = self.dice.randbytes(60)
        if self.external is None or key % 5:
            return self.dice.choice((None, b"\x01" + data))
        name = f"{self.dice.getrandbits(32):08X}-0000-4000-8000-{key:012X}"
        (self.external / name).write_bytes(data * 20)
        return b"\x02" + name.encode() + b"\0"

    def _insert(self, table, rows):
        if not rows:
            return
        marks = ", ".join("?" * len(rows[0]))
        self.connection.execute("BEGIN")
        self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        self.connection.execute("COMMIT")

    def _keys(self):
        for name, table in (("Author", "ZAUTHOR"), ("Book", "ZBOOK"), ("Tag", "ZTAG")):
            self.connection.execute(
                f"UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM {table}) "
                "WHERE Z_NAME = ?", (name,))
