"""What a store holds, told by plain SQL that knows nothing of mapping models."""

import hashlib
import os
import plistlib
import shutil
import sqlite3
from pathlib import Path

_SIDECARS = ("-wal", "-journal")
# Keys of the project's own in the metadata: times and counts, different in each run.
_OWN_KEYS = "Passage"


class Unreadable(Exception):
    """A store that SQLite cannot read to its end, or that fails its check."""


def support_folder(path):
    """The folder of external data: the name without its extension."""
    path = Path(path)
    return path.with_name(f".{path.stem if path.suffix else path.name}_SUPPORT")


def unit_bytes(path):
    """The bytes of a store's files, by what is added to its name; `None` for what is not there."""
    found = {}
    for tail in ("",) + _SIDECARS:
        file = Path(str(path) + tail)
        found[tail] = file.read_bytes() if file.exists() else None
    folder = support_folder(path)
    if folder.is_dir():
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                found[str(file.relative_to(folder))] = file.read_bytes()
    return found


def of_store(path, scratch, has_identity=True):
    """The contents of a store, which is looked at in a copy: looking may roll a journal back.

    Gives a dictionary from each table to the digest of its sorted rows, without the store's UUID
    where it is different in each copy (`has_identity`). Raises `Unreadable`.
    """
    copy = Path(scratch) / "looked-at.sqlite"
    for tail in ("", "-shm") + _SIDECARS:
        Path(str(copy) + tail).unlink(missing_ok=True)
    shutil.copyfile(path, copy)
    for tail in _SIDECARS:
        if os.path.exists(str(path) + tail):
            shutil.copyfile(str(path) + tail, str(copy) + tail)
    return of_copy(copy, support_folder(path), has_identity)


def of_copy(path, support, has_identity=True):
    """As `of_store`, of a database that may be changed by being looked at."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.text_factory = bytes
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != b"ok":
            raise Unreadable("integrity_check finds faults")
        return _tables(connection, support, has_identity)
    except sqlite3.Error as error:
        raise Unreadable(str(error)) from error
    finally:
        connection.close()


def _tables(connection, support, has_identity):
    found = {}
    names = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    for name, sql in names:
        title = name.decode()
        quoted = '"' + title.replace('"', '""') + '"'
        rows = connection.execute(f"SELECT * FROM {quoted}").fetchall()
        if title == "Z_METADATA":
            rows = [_metadata(row, has_identity) for row in rows]
        digest = hashlib.sha256(sql or b"")
        for row in sorted(map(repr, rows)):
            digest.update(row.encode())
            digest.update(b"\n")
        for row in rows:
            for cell in row:
                _add_external(digest, cell, support)
        found[title] = f"{len(rows)} rows {digest.hexdigest()[:20]}"
    return found


def _metadata(row, has_identity):
    """The row of the metadata without what differs from run to run."""
    version, identity, properties = row
    identity = identity if has_identity else b""
    try:
        values = plistlib.loads(properties)
        kept = {key: value for key, value in values.items() if not key.startswith(_OWN_KEYS)}
        return (version, identity, repr(sorted(kept.items())))
    except (ValueError, TypeError, AttributeError, plistlib.InvalidFileException):
        return row


def _add_external(digest, cell, support):
    """A blob of 38 bytes that begins with 2 is the name of a file."""
    if isinstance(cell, bytes) and len(cell) == 38 and cell[0] == 2 and cell[-1] == 0:
        file = Path(support) / "_EXTERNAL_DATA" / cell[1:-1].decode("ascii", "replace")
        digest.update(file.read_bytes() if file.exists() else b"(missing)")


def difference(found, expected):
    """The tables in which two contents differ, for a finding."""
    names = sorted(name for name in found.keys() | expected.keys()
                   if found.get(name) != expected.get(name))
    return ", ".join(f"{name}: {found.get(name)} for {expected.get(name)}" for name in names[:4])
