"""Models, mapping models and rows that are hard on whoever writes a store's pages."""

import json
import math
import sqlite3

# Every type of an attribute whose values a store keeps.
TYPES = ("integer16", "integer32", "integer64", "decimal", "double", "float", "string", "boolean", "date",
         "binary", "uuid", "uri", "transformable")
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)

# In each value of `number` an object goes one way, and in the others another.
LIMIT = 40


class World:
    """Two versions of a model, and one or two passes from one to the other."""

    def __init__(self, dice):
        self.dice = dice
        types = ["string", "integer64", "double", *dice.choices(TYPES, k=dice.randint(0, 7))]
        self.items = [(f"a{place}{kind}", kind) for place, kind in enumerate(types)]
        self.notes = [("text", "string"), ("number", "integer64"),
                      *((f"n{kind}", kind) for kind in dice.sample(TYPES, dice.randint(0, 2)))]
        self.is_ordered = dice.random() < 0.3
        self.passes = dice.choice(("one", "two into one table", "two into two tables"))

    def write(self, folder):
        """Writes the files of a project."""
        self._put(folder / "Migrations" / "1.json", self._model("1", self.items))
        kept = [item for item in self.items if self.dice.random() < 0.9]
        added = [("added", self.dice.choice(TYPES))] if self.dice.random() < 0.5 else []
        self._put(folder / "Migrations" / "2.json", self._model("2", kept + added))
        names = []
        for number, mappings in enumerate(self._passes(kept), 1):
            names.append(f"Pass{number}")
            self._put(folder / "Mappings" / f"Pass{number}.json", {
                "source": "1", "destination": "2", "entityMappings": mappings})
        self._put(folder / "Migrations" / "history.json", {
            "versions": [{"name": name, "model": f"{name}.json"} for name in "12"],
            "steps": [{"from": "1", "to": "2", "mappings": names}]})

    def _put(self, path, content):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1))

    def _model(self, version, items):
        item = self._entity("Item", version, [("number", "integer64"), *items], [
            {"name": "note", "destination": "Note", "inverse": "items"},
            {"name": "tags", "destination": "Note", "inverse": "tagged", "toMany": True,
             "ordered": self.is_ordered}])
        entities = [item, self._entity("Note", version, self.notes, [
            {"name": "items", "destination": "Item", "inverse": "note", "toMany": True},
            {"name": "tagged", "destination": "Item", "inverse": "tags", "toMany": True}])]
        if self.passes == "two into two tables":
            entities.append(self._entity("Other", version, [("number", "integer64"), *items], []))
        return {"name": version, "entities": entities}

    def _entity(self, name, version, attributes, relationships):
        names = [attribute for attribute, _ in attributes]
        widths = [min(len(names), self.dice.choice((1, 1, 2, 3))) for _ in range(self.dice.randint(0, 3))]
        return {
            "name": name, "versionHashModifier": version, "relationships": relationships,
            "attributes": [{"name": name, "type": kind} for name, kind in attributes],
            "indexes": [
                {"name": f"by{number}", "elements": [
                    {"property": attribute, "ascending": self.dice.random() < 0.7}
                    for attribute in self.dice.sample(names, width)]}
                for number, width in enumerate(widths)]}

    def _passes(self, kept):
        attributes = {name: self._cell(name, kind) for name, kind in kept}
        attributes["number"] = {}
        links = {"note": {}, "tags": {}}
        notes = {"type": "transform", "source": "Note", "destination": "Note",
                 "attributes": {name: {} for name, _ in self.notes},
                 "relationships": {"items": {}, "tagged": {}}}
        def items(name, choice, destination="Item"):
            mapping = {"type": "transform", "source": "Item", "destination": destination, "name": name,
                       "attributes": attributes}
            if destination == "Item":
                mapping["relationships"] = links
            return {**mapping, "filter": choice} if choice else mapping
        gone = [{"type": "remove", "source": "Other"}] if self.passes == "two into two tables" else []
        low, high = f"number < {LIMIT}", f"NOT number < {LIMIT}"
        if self.passes == "one":
            return [[items("All", self.dice.choice((None, low))), notes]]
        to = "Item" if self.passes == "two into one table" else "Other"
        return [[items("Low", low), notes, *gone], [items("High", high, to)]]

    def _cell(self, name, kind):
        """What an attribute is computed from: nearly always itself."""
        if self.dice.random() < 0.2:
            if kind in ("integer32", "double"):
                return f"$source.{name} + 1"
            if kind == "string":
                return f"uppercase($source.{name})"
        return {}


class Rows:
    """Random rows for a store of the first version of a world."""

    def __init__(self, path, world, dice):
        self.path = path
        self.world = world
        self.dice = dice
        # As many small stores as large ones.
        most = 6000 if dice.random() < 0.25 else int(6000 ** dice.random())
        self.count = dice.randint(1, most)
        self.longest = dice.choice((4, 12, 12, 300, 9000))
        if self.longest > 300:
            self.count = min(self.count, 500)
        self.nulls = dice.choice((0, 0.15, 0.7))
        self.is_repeating = dice.random() < 0.4
        self.pools = {}

    def fill(self):
        """Fills the store, which has no rows. Gives a sentence about it."""
        dice = self.dice
        size, reuse = dice.choice(PAGE_SIZES), dice.choice(("NONE", "FULL", "INCREMENTAL"))
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute(f"PRAGMA auto_vacuum = {reuse}")
        connection.execute("VACUUM")
        connection.execute("BEGIN")
        notes = self._table(connection, "Note", self.world.notes, max(1, self.count // 4))
        items = self._table(
            connection, "Item", [("number", "integer64"), *self.world.items],
            self.count - len(notes), notes)
        self._links(connection, items, notes)
        # Free pages, and pages with room.
        if dice.random() < 0.3:
            connection.execute(f"DELETE FROM ZITEM WHERE Z_PK % {dice.randint(2, 5)} = 0")
            connection.execute(
                f"DELETE FROM {self.join} WHERE {self.ends[0]} NOT IN (SELECT Z_PK FROM ZITEM)")
        for name in ("Note", "Item"):
            connection.execute(
                f"UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(0, ifnull(max(Z_PK), 0)) FROM Z{name.upper()}) "
                "WHERE Z_NAME = ?", (name,))
        connection.execute("COMMIT")
        connection.close()
        return f"{self.count} rows up to {self.longest} long, pages of {size}, auto_vacuum {reuse}"

    def _keys(self, count):
        """Mostly from 1 on; with gaps, some of them wide."""
        dice = self.dice
        key = dice.choice((1, 1, 1, -70_000, -20, 200, 0x7FFF_FFF0, 1 << 61))
        if self.world.passes == "two into one table":
            # Keys that no program of Core Data's writes cannot be put beside others.
            key = abs(key)
        wide = dice.choice((0, 0, 0.1))
        for _ in range(count):
            yield key
            key += dice.randint(1, 1_000_000_000_000) if dice.random() < wide else 1

    def _table(self, connection, name, attributes, count, notes=None):
        columns = ["Z_PK", "Z_ENT", "Z_OPT"] + (["ZNOTE"] if notes else [])
        columns += [f"Z{attribute.upper()}" for attribute, _ in attributes]
        entity = connection.execute(
            "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", (name,)).fetchone()[0]
        keys = list(self._keys(count))
        rows = []
        for key in keys:
            link = [self.dice.choice((None, *notes[:3], self.dice.choice(notes)))] if notes else []
            rows.append((key, entity, self.dice.choice((1, 1, 1, 2, 300)), *link,
                         *(self._value(*attribute) for attribute in attributes)))
        marks = ", ".join("?" * len(columns))
        connection.executemany(
            f"INSERT INTO Z{name.upper()} ({', '.join(columns)}) VALUES ({marks})", rows)
        return keys

    def _links(self, connection, items, notes):
        self.join = connection.execute(
            "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'").fetchone()[0]
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({self.join})")]
        # The join table names the other end: ITEM's objects are what a note has tagged.
        ordered = [column for column in columns if "FOK" in column]
        plain = [column for column in columns if column not in ordered]
        self.ends = [next(column for column in plain if "TAGGED" in column)]
        self.ends.append(next(column for column in plain if column not in self.ends))
        pairs = set()
        for item in items:
            for _ in range(self.dice.choice((0, 0, 1, 3))):
                pairs.add((item, self.dice.choice(notes)))
        pairs = sorted(pairs)
        if self.dice.random() < 0.5:
            self.dice.shuffle(pairs)
        rows = [(*pair, *([1024 * place] * len(ordered))) for place, pair in enumerate(pairs)]
        names = ", ".join([*self.ends, *ordered])
        marks = ", ".join("?" * (2 + len(ordered)))
        connection.executemany(f"INSERT INTO {self.join} ({names}) VALUES ({marks})", rows)

    # MARK: Values

    def _value(self, name, kind):
        dice = self.dice
        if dice.random() < self.nulls:
            return None
        pool = self.pools.setdefault(name, [])
        if pool and self.is_repeating and dice.random() < 0.9:
            return dice.choice(pool)
        value = self._fresh(kind)
        if len(pool) < 50:
            pool.append(value)
        return value

    def _fresh(self, kind):
        dice = self.dice
        if kind == "integer64":
            return self._integer(63)
        if kind in ("integer16", "integer32"):
            return self._integer(int(kind[7:]) - 1)
        if kind == "boolean":
            return dice.randint(0, 1)
        if kind == "decimal":
            return dice.choice((self._integer(40), dice.randint(-9999, 9999) / 8))
        if kind in ("double", "float", "date"):
            return self._real(kind)
        if kind == "uuid":
            return dice.randbytes(16)
        if kind == "uri":
            return "https://example.org/" + self._text()
        if kind in ("binary", "transformable"):
            return dice.randbytes(dice.randint(0, self.longest))
        return self._text()

    def _integer(self, bits):
        """Around the sizes that a record knows, and around those of a number that takes more of it."""
        if self.dice.random() < 0.4:
            return self.dice.randint(-5, 80)
        edge = 1 << self.dice.randint(0, bits)
        value = self.dice.choice((edge, edge - 1, -edge, -edge - 1, edge + self.dice.randint(-99, 99)))
        return max(-1 << bits, min((1 << bits) - 1, value))

    def _real(self, kind):
        dice = self.dice
        if kind == "date":
            return dice.choice((dice.uniform(-3e9, 3e9), float(dice.randint(-10**9, 10**9)), 0.5))
        if kind == "float":
            return float(dice.choice((dice.randint(-1 << 20, 1 << 20), dice.randint(-99, 99) / 4)))
        edge = math.ldexp(1.0, dice.choice((0, 15, 31, 40, 46, 47, 52, 53, 62, 63)))
        return dice.choice((0.0, -0.0, 0.5, 1e300, 5e-324, edge, -edge, edge - 1, math.nextafter(edge, 0),
                            dice.uniform(-1e6, 1e6), float(dice.randint(-10**6, 10**6))))

    def _text(self):
        dice = self.dice
        length = dice.randint(0, self.longest)
        start = dice.choice(("", "", "a" * 40, "a"))
        if dice.random() < 0.3:
            return start + "aé€" * (length // 6)
        return start + "".join(dice.choices("abcéz ", k=length // 2))
