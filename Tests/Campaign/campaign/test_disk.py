"""The disk of the power campaign: python3 -m unittest campaign.test_disk, in Tests/Campaign."""

import random
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from .disk import Disk, Shelf


def call(kind, name=None, file=None, **rest):
    return SimpleNamespace(
        kind=kind, name=name, file=file, other=None, offset=0, data=b"", **rest)


class ReusedNumbers(unittest.TestCase):
    """A new file gets the inode number of a removed one, whose removal may be lost."""

    def test_each_file_has_its_own_bytes(self):
        with tempfile.TemporaryDirectory() as scratch:
            start = Path(scratch, "start")
            start.mkdir()
            Path(start, "old").write_bytes(b"old bytes")
            number = Path(start, "old").stat().st_ino
            shelf = Shelf(Path(scratch, "shelf"))
            disk = Disk(start)
            disk.play(call("unlink", "old"))
            disk.play(call("create", "new", number))
            write = call("write", "new", number)
            write.data = b"new bytes"
            disk.play(write)
            disk.play(call("sync", "new", number))
            seen = set()
            for seed in range(200):
                folder = Path(scratch, str(seed))
                folder.mkdir()
                disk.after_loss(random.Random(seed)).write(folder, shelf)
                found = {path.name: path.read_bytes() for path in folder.iterdir()}
                seen.add(tuple(sorted(found)))
                for name, data in found.items():
                    self.assertEqual(data, f"{name} bytes".encode())
            self.assertIn(("new", "old"), seen)


if __name__ == "__main__":
    unittest.main()
