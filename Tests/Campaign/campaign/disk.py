"""A disk that loses what was not synced: rebuilt from the recorded changes of a run.

What POSIX promises and no more: a file's bytes and length are sure after `fsync` of the file, a
name is after `fsync` of its folder, all of them are after `syncfs`, a rename is one step. Until then any part may be on the disk.
"""

import os
import re
import shutil
from pathlib import Path


class File:
    """A file: the bytes that are sure, and the changes since."""

    def __init__(self, number, durable=b"", order=0):
        self.number = number  # of its inode
        self.order = order  # larger for a file that was created later
        self.durable = durable
        self.pending = []  # ("write", offset, data) or ("length", length, None), in their order

    def sync(self):
        if self.pending:
            self.durable = self.apply(lambda: True, 1 << 30)
            self.pending = []

    def apply(self, keeps, sector):
        """The bytes with those pieces of the changes, cut at sectors, for which `keeps()`."""
        found = bytearray(self.durable)
        for kind, offset, data in self.pending:
            if kind == "length":
                if keeps():
                    _resize(found, offset)
                continue
            at = 0
            while at < len(data):
                end = min(len(data), ((offset + at) // sector + 1) * sector - offset)
                if keeps():
                    _resize(found, max(len(found), offset + end))
                    found[offset + at:offset + end] = data[at:end]
                at = end
        return bytes(found)

    def after_loss(self, dice):
        """One of the states in which a power loss may leave the file."""
        if not self.pending:
            return self.durable
        way = dice.random()
        if way < 0.25:
            return self.durable
        if way < 0.5:
            return self.apply(lambda: True, 1 << 30)
        sector = dice.choice((512, 4096))
        share = dice.choice((0.1, 0.5, 0.9))
        found = self.apply(lambda: dice.random() < share, sector)
        if dice.random() < 0.3:
            # The length was written, and the bytes were not: they read as zeros.
            longest = max(offset + len(data or b"") for _, offset, data in self.pending)
            found += bytes(max(0, longest - len(found)))
        return found


def _resize(found, length):
    if length < len(found):
        del found[length:]
    else:
        found.extend(bytes(length - len(found)))


class Folder:
    """A folder: the names now, and those that are sure."""

    def __init__(self):
        self.now = {}
        self.durable = {}


class Disk:
    """The files below one folder."""

    def __init__(self, folder):
        self.root = Folder()
        self.by_number = {}
        self.changes = []  # of names, not yet sure: (number of the change, folder, name, what or None)
        self.moment = 0
        self._load(Path(folder), self.root)

    def _load(self, path, folder):
        self.by_number[path.stat().st_ino] = folder
        for entry in path.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                made = Folder()
                self._load(entry, made)
            else:
                number = entry.stat().st_ino
                made = self.by_number.get(number) or File(number, entry.read_bytes())
                self.by_number[number] = made
            folder.now[entry.name] = folder.durable[entry.name] = made

    def _find(self, name):
        """The folder of a name, and its last part."""
        folder = self.root
        *parents, last = name.split("/")
        for part in parents:
            folder = folder.now[part]
        return folder, last

    def _set(self, name, what):
        folder, last = self._find(name)
        if what is None:
            folder.now.pop(last, None)
        else:
            folder.now[last] = what
        self.changes.append((self.moment, folder, last, what))

    def play(self, call):
        """One recorded call takes place."""
        self.moment += 1
        kind, name = call.kind, call.name
        if kind == "create":
            made = self.by_number[call.file] = File(call.file, order=self.moment)
            self._set(name, made)
        elif kind == "mkdir":
            made = self.by_number[call.file] = Folder()
            self._set(name, made)
        elif kind == "write":
            self.by_number[call.file].pending.append(("write", call.offset, call.data))
        elif kind == "truncate":
            self.by_number[call.file].pending.append(("length", call.offset, None))
        elif kind == "sync":
            self._sync(self.by_number[call.file])
        elif kind == "sync_all":
            self._sync_all()
        elif kind in ("rename", "link"):
            folder, last = self._find(name)
            what = folder.now[last]
            self._set(call.other, what)
            if kind == "rename":
                self._set(name, None)
        elif kind in ("unlink", "rmdir"):
            self._set(name, None)

    def _sync(self, what):
        if isinstance(what, File):
            what.sync()
            return
        what.durable = dict(what.now)
        self.changes = [change for change in self.changes if change[1] is not what]

    def _sync_all(self):
        for what in list(self.by_number.values()):
            self._sync(what)

    def after_loss(self, dice, leaves_out=lambda name: False):
        """One of the states after a power loss. What is in a folder that `leaves_out` is not built."""
        state = State(self._names(self._kept_changes(dice)), dice, leaves_out)
        state.enter(self.root, "")
        return state

    def _kept_changes(self, dice):
        """The moments whose changes of names were written: what one call did stays together."""
        moments = sorted({change[0] for change in self.changes})
        way = dice.random()
        if way < 0.2:
            return set()
        if way < 0.4:
            return set(moments)
        if way < 0.7:
            # As a journal keeps them: in their order, up to one.
            return set(moments[:dice.randint(0, len(moments))])
        share = dice.choice((0.2, 0.5, 0.8))
        return {moment for moment in moments if dice.random() < share}

    def _names(self, kept):
        names = {}
        for moment, folder, name, what in self.changes:
            if moment not in kept:
                continue
            own = names.setdefault(id(folder), dict(folder.durable))
            if what is None:
                own.pop(name, None)
            else:
                own[name] = what
        return names


class State:
    """The files after a power loss."""

    def __init__(self, names, dice, leaves_out):
        self.names = names
        self.dice = dice
        self.leaves_out = leaves_out
        self.folders = []
        # A file may have several names. Its inode number says nothing: a removed file whose removal
        # is not sure is still there, and another file may have its number already.
        self.files = {}  # from names to files
        self.bytes = {}  # from files to bytes

    def enter(self, folder, path):
        for name, what in sorted(self.names.get(id(folder), folder.durable).items()):
            place = f"{path}{name}"
            if isinstance(what, Folder):
                if not self.leaves_out(name):
                    self.folders.append(place)
                    self.enter(what, place + "/")
            elif not name.endswith("-shm"):
                if what not in self.bytes:
                    self.bytes[what] = what.after_loss(self.dice)
                self.files[place] = what

    def write(self, folder, shelf):
        """Writes the state out; files that are on the shelf keep their inodes and times."""
        for name in self.folders:
            Path(folder, name).mkdir(mode=0o700, parents=True, exist_ok=True)
        first = {}
        # The latest file of a number has the kept inode.
        latest = {file.number: file for file in sorted(self.bytes, key=lambda file: file.order)}
        for name, file in self.files.items():
            path = Path(folder, name)
            if file in first:
                os.link(first[file], path)
                continue
            first[file] = path
            is_kept = latest[file.number] is file and not is_written_into(name)
            if not (is_kept and shelf.put(file.number, self.bytes[file], path)):
                path.write_bytes(self.bytes[file])


def is_written_into(name):
    """Whether a run writes into a file of a work folder as it finds it: such a file has no second name."""
    return re.search(r"\.passage/.*(-journal|-wal|-shm)$|\.passage/(lock|passage-work)$"
                     r"|\.passage/step-\d+/(pass-\d+|journal)\.sqlite$", name) is not None


class Shelf:
    """The very files of a recorded run, under other names: programs know files by inode and time."""

    def __init__(self, folder):
        self.folder = Path(folder)
        shutil.rmtree(folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.kept = {}  # from inode numbers to bytes and time

    def keep(self, folder):
        """Keeps every file below a folder as it is now, if it is not kept already."""
        for path in Path(folder).rglob("*"):
            if path.is_file() and not path.is_symlink():
                status = path.stat()
                if status.st_ino not in self.kept:
                    os.link(path, self.folder / str(status.st_ino))
                    self.kept[status.st_ino] = (path.read_bytes(), status.st_mtime_ns)

    def put(self, number, data, path):
        """Puts a kept file at a path with other bytes; its time is new where the bytes are."""
        if number not in self.kept:
            return False
        file = self.folder / str(number)
        own, time = self.kept[number]
        if file.read_bytes() != data:
            file.write_bytes(data)
        if data == own:
            os.utime(file, ns=(time, time))
        os.link(file, path)
        return True
