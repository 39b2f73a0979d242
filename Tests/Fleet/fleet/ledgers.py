"""Ledgers as a person would read them: one JSON object a line, the last line of a store counts."""

import json
from collections import Counter
from pathlib import Path

from .prototypes import NEWEST

COUNTS = ("migrated", "merged", "split", "filtered", "removed", "quarantined")


class Ledgers:
    """The lines of all ledgers that match a pattern in a folder."""

    def __init__(self, folder, pattern="fleet-*-of-*.jsonl"):
        self.last, self.entries, self.files = {}, [], {}
        for path in sorted(Path(folder).glob(pattern)):
            self.files[path.name] = set()
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.last[entry["store"]] = entry
                self.files[path.name].add(entry["store"])
                self.entries.append(entry)

    @property
    def lines(self):
        return len(self.entries)

    def tail(self, lines):
        """The lines after so many."""
        return self.entries[lines:]

    def outcomes(self):
        return Counter(entry["outcome"] for entry in self.last.values())

    def failed(self):
        """The class and code of each store whose last line is a failure."""
        return {name: (entry["class"], entry["code"]) for name, entry in self.last.items()
                if entry["outcome"] == "failed"}

    def wrong(self, stores):
        """What the ledgers say wrong of stores, of which all is known: sentences."""
        found = []
        expected = stores.expected()
        outcomes = self.outcomes()
        # After a kill, a store may be done without a line; the next run finds it up to date.
        done = outcomes["migrated"] + outcomes["upToDate"]
        if done != expected["migrated"] + expected["upToDate"]:
            found.append(f"{done} stores are done, "
                         f"{expected['migrated'] + expected['upToDate']} are to be")
        if outcomes["failed"] != expected["failed"] or self.failed() != stores.failing():
            wrong = sorted(self.failed().items() ^ stores.failing().items())
            found.append(f"the failures differ: {wrong[:4]}")
        absent = set(stores.of) ^ set(self.last)
        if absent:
            found.append(f"{len(absent)} stores are in the ledgers or the fleet only: "
                         f"{sorted(absent)[:3]}")
        for name in set(stores.of) & set(self.last):
            found += self._wrong_line(self.last[name], stores.of[name])
        names = [name for names in self.files.values() for name in names]
        if len(names) != len(set(names)):
            found.append("a store is in the ledgers of two shards")
        return found

    @staticmethod
    def _wrong_line(entry, sort):
        if entry["outcome"] != "migrated":
            return []
        found = {key: entry[key] for key in COUNTS if entry[key] != sort.counts[key]}
        if (entry["from"], entry["to"]) != (sort.version, NEWEST):
            found["versions"] = (entry["from"], entry["to"])
        return [f"{entry['store']}: {found}, of the store itself {sort.counts}"] if found else []
