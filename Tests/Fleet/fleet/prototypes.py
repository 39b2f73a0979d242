"""Prototypes: a few stores of each version and size, of which the fleet's stores are copies.

What a store must become is known from `migrate run` on its prototype, once, before any fleet runs.
"""

import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "Campaign"))

from campaign import contents, process  # noqa: E402
from campaign.stores import Stores, project_arguments  # noqa: E402

NEWEST = "3"
# The name of the first author, in which each copy has its own number.
MARK = "store %08d"
# Authors, books and tags.
SIZES = ((2, 3, 1), (5, 12, 3), (12, 60, 8), (40, 400, 20))


@dataclass
class Prototype:
    """A store to copy, and what `migrate run` makes of it."""

    name: str
    version: str
    files: dict  # what is added to the name: the bytes
    # Of a healthy store: what it holds, and what it must hold in the end.
    source: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)
    counts: dict = field(default_factory=dict)
    # The class and the code of the failure; 0 and nothing for a healthy store.
    status: int = 0
    code: str = ""

    @property
    def outcome(self):
        if self.status:
            return "failed"
        return "upToDate" if self.version == NEWEST else "migrated"


class Prototypes:
    """Makes the prototypes in a folder."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = str(binary), Path(folder)
        self.stores = Stores(self.binary, self.folder / "made", seed)
        self.healthy, self.damaged = [], []
        for place, size in enumerate(SIZES):
            self.healthy += self._of_size(place, size)
        for version in ("1", "2"):
            for name, damage in DAMAGES.items():
                self.damaged.append(self._damaged(version, name, damage))

    def _of_size(self, place, size):
        mark = MARK % 0
        first = self.stores.first(
            self.folder / f"{place}-1.sqlite", size=size, first_author=mark)
        logged = self.stores.first(
            self.folder / f"{place}-1-log.sqlite", size=size, first_author=mark, journal="log")
        second = self._migrated(first, f"{place}-2", "2")
        third = self._migrated(first, f"{place}-3", NEWEST)
        found = [("1", first), ("1", logged), ("2", second), (NEWEST, third)]
        return [self._expected(version, path) for version, path in found]

    def _migrated(self, source, name, version):
        path = self.folder / f"{name}.sqlite"
        self.stores.command("run", "--store", source, "--to", version, "--output", path,
                            "--progress", "none", *project_arguments())
        return path

    def _expected(self, version, path):
        """The prototype with what an undisturbed run says and makes."""
        files = _files(path)
        output = self.folder / "expected.sqlite"
        for tail in ("", "-wal", "-shm"):
            Path(f"{output}{tail}").unlink(missing_ok=True)
        made = Prototype(path.stem, version, files)
        made.source = contents.of_store(path, self.folder, has_identity=False)
        if version == NEWEST:
            shutil.copyfile(path, output)
        else:
            answer = self.stores.command(
                "run", "--store", path, "--to", NEWEST, "--output", output, "--format", "json",
                "--progress", "none", *project_arguments())
            made.counts = json.loads(answer.out)["totals"]
        made.tables = contents.of_store(output, self.folder, has_identity=False)
        return made

    def _damaged(self, version, name, damage):
        """A prototype that `migrate run` refuses."""
        source = self.healthy[0 if version == "1" else 2]
        path = self.folder / f"damaged-{version}-{name}.sqlite"
        path.write_bytes(damage(bytearray(source.files[""])))
        ending = process.run(
            [self.binary, "run", "--store", str(path), "--to", NEWEST, "--output",
             str(self.folder / "refused.sqlite"), "--progress", "none", *project_arguments()],
            self.folder, limit=60)
        if ending.status <= 0:
            raise SystemExit(f"{path.name} is migrated, though it is damaged: {ending.title}")
        return Prototype(path.stem, version, _files(path), status=ending.status, code=ending.code)


def _files(path):
    tails = [tail for tail in ("", "-wal") if Path(f"{path}{tail}").exists()]
    return {tail: Path(f"{path}{tail}").read_bytes() for tail in tails}


def _page(data):
    """The size of a page, from the header."""
    return int.from_bytes(data[16:18], "big") or 65536


def _cut(data):
    return data[:_page(data) + 100]


def _text(data):
    return bytearray(b"not a store\n" * (len(data) // 12))


def _pages(data):
    """All pages but the first, which has the names of the tables."""
    size = _page(data)
    return data[:size] + b"\xff" * (len(data) - size)


def _empty(_):
    return bytearray()


DAMAGES = {"cut": _cut, "text": _text, "pages": _pages, "empty": _empty}
