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


class WholeSyncs(unittest.TestCase):
    """`syncfs` makes sure what was done before it, whatever the file, and nothing that follows."""

    def states(self, *calls):
        """The files that a power loss may leave after these calls, in many ways."""
        with tempfile.TemporaryDirectory() as scratch:
            start = Path(scratch, "start")
            Path(start, "inner").mkdir(parents=True)
            disk = Disk(start)
            for one in calls:
                disk.play(one)
            shelf = Shelf(Path(scratch, "shelf"))
            seen = set()
            for seed in range(60):
                folder = Path(scratch, str(seed))
                folder.mkdir()
                disk.after_loss(random.Random(seed)).write(folder, shelf)
                seen.add(tuple(sorted(
                    (str(path.relative_to(folder)), path.read_bytes())
                    for path in folder.rglob("*") if path.is_file())))
            return seen

    def made(self, name, file, data):
        write = call("write", name, file)
        write.data = data
        return [call("create", name, file), write]

    def rename(self, name, other):
        found = call("rename", name)
        found.other = other
        return found

    def test_everything_before_it_is_sure(self):
        calls = [*self.made("a", 1001, b"one"), *self.made("inner/b", 1002, b"two")]
        self.assertEqual(
            self.states(*calls, call("sync_all", "")), {(("a", b"one"), ("inner/b", b"two"))})
        self.assertGreater(len(self.states(*calls)), 1)

    def test_what_follows_is_not(self):
        calls = [*self.made("a", 1001, b"one"), call("sync_all", ""), self.rename("a", "c")]
        self.assertEqual(self.states(*calls), {(("a", b"one"),), (("c", b"one"),)})
        calls += self.made("d", 1003, b"four")
        found = self.states(*calls)
        self.assertIn((("a", b"one"), ("d", b"four")), found)
        self.assertTrue(any(("d", b"four") not in state for state in found))

    def test_a_file_of_another_store_that_is_written_late_is_found_torn(self):
        """What a group would do wrong: rename a store whose bytes came after the sync."""
        calls = [
            *self.made("old", 1001, b"old"), *self.made("new", 1002, b""), call("sync_all", "")]
        late = call("write", "new", 1002)
        late.data = b"new"
        found = self.states(*calls, late, self.rename("new", "old"))
        self.assertIn((("old", b""),), found)


if __name__ == "__main__":
    unittest.main()
