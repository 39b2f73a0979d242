"""A fleet of stores: copies of the prototypes, each with its own number, some of them damaged."""

import os
import random
import shutil
import sqlite3
from collections import Counter
from pathlib import Path

from .prototypes import MARK, Prototypes, contents

# Names that a shell or a list could take for something else.
FOLDERS = ("plain", "with space", "it's", "ünïcode", "$HOME", "-dash", "a;b", "percent %d")


class FleetStores:
    """Makes `count` stores below a folder; knows what each of them must become."""

    def __init__(self, binary, folder, count, seed, damaged=0.01):
        self.folder, self.seed = Path(folder), seed
        self.prototypes = Prototypes(binary, self.folder / "prototypes", seed)
        dice = random.Random(f"{seed}/fleet")
        bad = set(dice.sample(range(1, count + 1), max(1, round(count * damaged))))
        weights = [1 / (1 + place) for place, _ in enumerate(self.prototypes.healthy)]
        self.of = {}  # the prototype of each store, by the name that the fleet is given
        self.number = {}
        for number in range(1, count + 1):
            sort = dice.choice(self.prototypes.damaged) if number in bad else dice.choices(
                self.prototypes.healthy, weights)[0]
            name = f"stores/{dice.choice(FOLDERS)}/{number:07}.sqlite"
            self.of[name], self.number[name] = sort, number
            self._write(name, sort, number)

    def _write(self, name, sort, number):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for tail, data in sort.files.items():
            path.with_name(path.name + tail).write_bytes(_marked(data, number))

    def mend(self, name):
        """Puts a healthy store in the place of a damaged one."""
        self.of[name] = self.prototypes.healthy[0]
        self._write(name, self.of[name], self.number[name])

    def expected(self):
        """How many stores of each outcome there must be."""
        return Counter(sort.outcome for sort in self.of.values())

    def failing(self):
        """The class and code of each store that must fail."""
        return {name: (sort.status, sort.code) for name, sort in self.of.items() if sort.status}

    def lockable(self, share):
        """Some of the stores that are to be migrated and are one file."""
        names = [name for name, sort in self.of.items()
                 if sort.outcome == "migrated" and list(sort.files) == [""]]
        return random.Random(f"{self.seed}/locks").sample(names, max(1, round(len(self.of) * share)))

    def state(self):
        """What would tell that any file was touched: places, sizes, times and numbers of files.

        Not those of the index of a log, which SQLite writes whenever it opens a store that has one: a
        run that was killed may have left it beside a damaged store.
        """
        found = {}
        for folder, _, names in os.walk(self.folder / "stores"):
            for name in names:
                if name.endswith("-shm"):
                    continue
                status = os.stat(os.path.join(folder, name))
                found[os.path.join(folder, name)] = (
                    status.st_ino, status.st_size, status.st_mtime_ns)
        return found

    def wrong(self, every=1, kept=True, only=None):
        """What is wrong with the stores after the fleet has run: sentences.

        One of `every` stores is compared in full; all are asked for their number and version.
        """
        found = []
        scratch = self.folder / "looked-at"
        scratch.mkdir(exist_ok=True)
        for name in only or self.of:
            sort, number, path = self.of[name], self.number[name], self.folder / name
            try:
                if sort.status:
                    for tail, data in sort.files.items():
                        if path.with_name(path.name + tail).read_bytes() != _marked(data, number):
                            found.append(f"{name}: a store that failed was changed")
                    continue
                in_full = number % every == 0
                found += self._wrong_healthy(name, in_full, scratch)
                if kept and sort.outcome == "migrated":
                    found += self._wrong_kept(name, in_full, scratch)
            except (OSError, sqlite3.Error, contents.Unreadable) as error:
                found.append(f"{name}: {error}")
        shutil.rmtree(scratch)
        return found

    def _wrong_healthy(self, name, in_full, scratch):
        sort, path = self.of[name], self.folder / name
        if any(path.with_name(path.name + tail).exists() for tail in ("-wal", "-journal")):
            if sort.outcome == "migrated":
                return [f"{name}: a log is left beside it"]
        author = first_author(path)
        if author != MARK % self.number[name]:
            return [f"{name}: it holds {author}"]
        return self._difference(name, path, sort.tables, scratch) if in_full else []

    def _wrong_kept(self, name, in_full, scratch):
        """The old store must be kept beside the new one."""
        sort, path = self.of[name], self.folder / name
        kept = path.with_name(f"{path.name}.before-{sort.version}")
        if not kept.exists():
            return [f"{name}: {kept.name} does not exist"]
        return self._difference(name, kept, sort.source, scratch) if in_full else []

    def _difference(self, name, path, expected, scratch):
        """With the number of the prototype, a store must hold what the prototype does."""
        copy = scratch / "copy.sqlite"
        for tail in ("", "-wal"):
            file = path.with_name(path.name + tail)
            Path(f"{copy}{tail}").unlink(missing_ok=True)
            if file.exists():
                data = file.read_bytes().replace(
                    (MARK % self.number[name]).encode(), (MARK % 0).encode())
                Path(f"{copy}{tail}").write_bytes(data)
        held = contents.of_store(copy, scratch, has_identity=False)
        difference = contents.difference(held, expected)
        return [f"{name}: {path.name}: {difference}"] if difference else []


def first_author(path):
    """The name of the author with the first key, as the newest version has it. Nobody writes to the store,
    so that nothing is left beside it."""
    uri = "file:" + "".join(f"%{byte:02x}" for byte in bytes(path)) + "?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True)
    try:
        return connection.execute("SELECT ZWRITTENNAME FROM ZAUTHOR WHERE Z_PK = 1").fetchone()[0]
    finally:
        connection.close()


def _marked(data, number):
    return bytes(data).replace((MARK % 0).encode(), (MARK % number).encode())
