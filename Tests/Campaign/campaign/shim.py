"""The library that is preloaded into a program under attack: shim/shim.c."""

import errno
import os
import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The numbers of `enum kind` in shim.c.
KINDS = (
    "create write sync rename link unlink rmdir mkdir truncate allocate chmod symlink clone times "
    "sync_all"
).split()
NUMBER = {name: number for number, name in enumerate(KINDS)}

_HEAD = struct.Struct("<IIIIQq")


@dataclass(frozen=True)
class Fault:
    """One error that calls are answered with."""

    name: str
    number: int  # errno; 0 shortens writes
    kinds: tuple  # of calls that the system can answer so
    statuses: frozenset  # that a run may end with

    def statuses_for(self, call):
        """As `statuses`, for a call as the shim names it.

        Where SQLite cannot make a file, it tries to open it without making it, and keeps only the error
        of that: nobody can tell then that there was no room for the name.
        """
        is_of_sqlite = re.match(r"create .*\.sqlite(-journal|-wal|-shm)$", call or "")
        return self.statuses | {32} if is_of_sqlite else self.statuses

    @property
    def mask(self):
        return sum(1 << NUMBER[kind] for kind in self.kinds)


_GROWING = ("create", "write", "sync", "rename", "link", "mkdir", "allocate", "symlink", "clone")
_NAMING = ("create", "rename", "link", "unlink", "rmdir", "mkdir", "chmod", "symlink", "times")

# 0 is right where the result is: each trial that ends with 0 is judged by what it made.
FAULTS = (
    Fault("EIO", errno.EIO, tuple(KINDS), frozenset((0, 32))),
    Fault("ENOSPC", errno.ENOSPC, _GROWING, frozenset((0, 31))),
    Fault("EDQUOT", errno.EDQUOT, _GROWING, frozenset((0, 31))),
    Fault("EROFS", errno.EROFS, _NAMING, frozenset((0, 32))),
    Fault("EACCES", errno.EACCES, _NAMING, frozenset((0, 32))),
    Fault("EMFILE", errno.EMFILE, ("create",), frozenset((0, 32))),
    Fault(
        "EINTR", errno.EINTR, ("create", "write", "sync", "truncate", "allocate"),
        frozenset((0, 32))),
    Fault("short", 0, ("write",), frozenset((0,))),
)


def build(folder):
    """Compiles the shim into a folder; gives its path."""
    source = Path(__file__).parent.parent / "shim" / "shim.c"
    library = Path(folder) / "campaign-shim.so"
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-Wno-nonnull-compare", "-fPIC", "-shared", "-pthread",
         "-o", str(library), str(source)], check=True)
    return library


class Shim:
    """Makes the environment for one attacked run, and tells what happened in it."""

    def __init__(self, library, state):
        self.library = library
        self.state = Path(state)

    def environment(self, root, kill=None, fail=None, fault=None, lasting=0, log=None, boot=None):
        """`kill` and `fail` are the numbers of changing calls below `root`, from 1."""
        self.state.write_bytes(bytes(4096))
        values = {
            "LD_PRELOAD": str(self.library), "CAMPAIGN_ROOT": str(root),
            "CAMPAIGN_STATE": str(self.state)}
        if kill:
            values["CAMPAIGN_KILL"] = str(kill)
        if fail:
            # An endless row of interruptions would be no fault of who tries again.
            lasting = 2 if lasting and fault.number == errno.EINTR else lasting
            values |= {
                "CAMPAIGN_FAIL": str(fail), "CAMPAIGN_ERRNO": str(fault.number),
                "CAMPAIGN_KINDS": str(fault.mask), "CAMPAIGN_LASTING": str(lasting)}
        if log:
            values["CAMPAIGN_LOG"] = str(log)
        if boot:
            values["CAMPAIGN_BOOT"] = str(boot)
        return values

    def told(self):
        """How many changing calls there were, how many were spoiled, and what the first was."""
        count, spoiled, kind = struct.unpack_from("<QQQ", data := self.state.read_bytes())
        path = data[24:].split(b"\0")[0].decode("utf-8", "replace")
        return count, spoiled, f"{KINDS[kind]} {path}" if spoiled else ""


@dataclass
class Call:
    """One changing call of a recorded run."""

    kind: str
    name: str
    other: str
    file: int
    offset: int
    data: bytes


def read_log(path):
    """The recorded changing calls, in their order."""
    data = Path(path).read_bytes()
    calls = []
    at = 0
    while at < len(data):
        kind, a, b, length, file, offset = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        name = os.fsdecode(data[at:at + a])
        other = os.fsdecode(data[at + a:at + a + b])
        at += a + b
        calls.append(Call(KINDS[kind], name, other, file, offset, data[at:at + length]))
        at += length
    return calls
