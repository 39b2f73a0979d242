"""Hostile files and surroundings made by hand: each is a case with the statuses it may end with."""

import os
import resource
import shutil
import sqlite3
from pathlib import Path

from . import process
from .report import Finding, Outcome
from .stores import PROJECT, Stores, project_arguments

# A case: a function that prepares the folder and gives what is run.
CASES = {}
# Not even a file that was made to may make a run take more memory.
MOST_MEBIBYTES = 600


class Case:
    """What a case runs, and what it may come to."""

    def __init__(self, arguments, statuses, limits=None, precious=()):
        self.arguments = arguments
        self.statuses = statuses
        self.limits = limits or {}
        self.precious = precious  # files that must be as they were


def case(function):
    CASES[function.__name__.replace("_", " ")] = function
    return function


def tasks(bench, _, size):
    stores = Stores(bench.binary, bench.scratch / "making-hostile", bench.seed)
    stores.first(bench.scratch / "hostile-sound" / "live.sqlite", salt="hostile")
    return list(CASES)


def trial(bench, _, name):
    folder = bench.scratch / "hostile"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(bench.scratch.parent / "hostile-sound", folder)
    case = CASES[name](folder)
    outcome = Outcome()
    outcome.counts["cases"] += 1
    before = [path.read_bytes() for path in case.precious]

    def limit():
        for what, value in case.limits.items():
            resource.setrlimit(what, (value, value))

    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    ending = process.run([str(bench.binary), *map(str, case.arguments)], folder, preexec_fn=limit)
    problems = []
    if ending.is_hung or ending.status not in case.statuses:
        problems.append(f"{name}: {ending.title}, not {sorted(case.statuses)}")
    for path, data in zip(case.precious, before):
        if not path.exists() or path.read_bytes() != data:
            problems.append(f"{name}: {path.name} was touched")
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if used > max(memory, MOST_MEBIBYTES * 1024):
        problems.append(f"{name}: {used // 1024} MiB of memory")
    outcome.findings += [
        Finding("hostile", problem, f"case “{name}”", ending.message) for problem in problems]
    return outcome


def migration(store="live.sqlite", *more, output="new.sqlite"):
    place = ["--output", output] if output else ["--in-place"]
    return ["run", "--store", store, "--mappings", "Shelves,Classics,Cards", *place, *more,
            "--progress", "none", "--format", "json", *project_arguments()]


def change(folder, *statements):
    connection = sqlite3.connect(folder / "live.sqlite", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def precious_folder(folder):
    place = folder / "precious"
    place.mkdir()
    kept = place / "letters.txt"
    kept.write_text("years of letters")
    return place, kept


# MARK: The work folder


@case
def work_folder_is_a_link(folder):
    place, kept = precious_folder(folder)
    (folder / "new.sqlite.passage").symlink_to(place)
    return Case(migration(), {32, 64}, precious=[kept])


@case
def work_folder_is_a_link_in_place(folder):
    place, kept = precious_folder(folder)
    (folder / "live.sqlite.passage").symlink_to(place)
    return Case(migration(output=""), {32, 64}, precious=[kept])


@case
def work_folder_is_a_link_for_install(folder):
    place, kept = precious_folder(folder)
    (folder / "new.sqlite.passage").symlink_to(place)
    arguments = ["install", "--from", "live.sqlite", "--to", "new.sqlite", "--format", "json"]
    return Case(arguments, {32, 64}, precious=[kept])


@case
def work_folder_is_a_link_for_pack(folder):
    place, kept = precious_folder(folder)
    (folder / "new.sqlite.passage").symlink_to(place)
    arguments = ["pack", "live.sqlite", "--output", "new.sqlite", "--format", "json"]
    return Case(arguments, {32, 64}, precious=[kept])


@case
def work_folder_is_another_folder(folder):
    place = folder / "new.sqlite.passage"
    place.mkdir(mode=0o700)
    kept = place / "letters.txt"
    kept.write_text("years of letters")
    return Case(migration(), {32, 64}, precious=[kept])


@case
def work_folder_is_open_to_all(folder):
    place = folder / "new.sqlite.passage"
    place.mkdir()
    place.chmod(0o777)
    kept = place / "run.json"
    kept.write_text("{}")
    return Case(migration(), {32, 64}, precious=[kept])


@case
def work_folder_holds_links_that_lead_out(folder):
    place, kept = precious_folder(folder)
    work = folder / "new.sqlite.passage"
    work.mkdir(mode=0o700)
    (work / "lock").symlink_to(kept)
    (work / "step-1").symlink_to(place)
    return Case(migration(), {0, 32, 64}, precious=[kept])


@case
def work_folder_is_a_file(folder):
    kept = folder / "new.sqlite.passage"
    kept.write_text("years of letters")
    return Case(migration(), {32, 64}, precious=[kept])


# MARK: Destinations


def _destination(tail):
    def prepare(folder):
        file = folder / f"live.sqlite{tail}"
        return Case(migration(output=file.name), {64}, precious=[folder / "live.sqlite"])
    return prepare


for _tail in ("", "-wal", "-journal", "-shm"):
    CASES[f"destination is the source{_tail}"] = _destination(_tail)


@case
def destination_has_a_name_of_255_bytes(folder):
    return Case(migration(output="n" * 248 + ".sqlite"), {0, 32, 64})


@case
def store_in_place_has_a_name_of_255_bytes(folder):
    (folder / "live.sqlite").rename(folder / ("n" * 248 + ".sqlite"))
    return Case(migration("n" * 248 + ".sqlite", output=""), {0, 32, 64})


@case
def destination_folder_is_missing(folder):
    return Case(migration(output="nowhere/new.sqlite"), {32, 64})


@case
def names_with_quotes_and_line_endings(folder):
    odd = folder / "we\"ird';--\n %s ?mode=memory#x"
    odd.mkdir()
    (folder / "live.sqlite").rename(odd / "file:li'v\"e?.sqlite")
    return Case(migration(f"{odd.name}/file:li'v\"e?.sqlite", output=f"{odd.name}/new.sqlite"), {0})


# MARK: Sources


def _source(make, statuses):
    def prepare(folder):
        make(folder / "odd")
        return Case(migration("odd"), statuses)
    return prepare


_WRONG = {20, 32, 40, 64, 65}
CASES["store is a pipe"] = _source(os.mkfifo, _WRONG)
CASES["store is a folder"] = _source(os.mkdir, {64})
CASES["store is empty"] = _source(lambda path: path.touch(), _WRONG)
CASES["store is a text"] = _source(lambda path: path.write_text("Dear all,\n" * 500), _WRONG)
CASES["store is a link to nothing"] = _source(lambda path: path.symlink_to("nothing"), _WRONG)
CASES["store is a link to itself"] = _source(lambda path: path.symlink_to("odd"), _WRONG)
CASES["store is /dev/zero"] = _source(lambda path: path.symlink_to("/dev/zero"), _WRONG)
CASES["store is /dev/null"] = _source(lambda path: path.symlink_to("/dev/null"), _WRONG)
CASES["store is /proc/self/mem"] = _source(lambda path: path.symlink_to("/proc/self/mem"), _WRONG)


@case
def store_has_no_name(folder):
    return Case(migration(""), {64})


@case
def store_is_a_gigabyte_of_nothing(folder):
    with open(folder / "odd", "wb") as file:
        file.truncate(1 << 30)
    return Case(migration("odd"), _WRONG)


def _pipe_beside(tail):
    def prepare(folder):
        os.mkfifo(folder / f"live.sqlite{tail}")
        return Case(migration(), {0, 32, 40, 64})
    return prepare


for _tail in ("-journal", "-wal", "-shm"):
    CASES[f"pipe at {_tail}"] = _pipe_beside(_tail)


@case
def generated_column_that_takes_for_ever(folder):
    change(
        folder, "ALTER TABLE ZBOOK ADD COLUMN ZSLOW GENERATED ALWAYS AS "
        "(instr(zeroblob(900000000), zeroblob(400000000) || x'01'))")
    return Case(migration(), {0, 20, 40, 65})


@case
def generated_column_that_takes_all_memory(folder):
    change(
        folder, "ALTER TABLE ZBOOK ADD COLUMN ZLARGE GENERATED ALWAYS AS (zeroblob(900000000))")
    return Case(migration(), {0, 20, 40, 65})


@case
def generated_column_of_the_model(folder):
    change(
        folder, "ALTER TABLE ZAUTHOR RENAME COLUMN ZNAME TO ZOLD",
        "ALTER TABLE ZAUTHOR ADD COLUMN ZNAME GENERATED ALWAYS AS (zeroblob(900000000))")
    return Case(migration(), {20, 40, 65})


@case
def generated_column_in_select(folder):
    change(
        folder, "ALTER TABLE ZAUTHOR RENAME COLUMN ZNAME TO ZOLD",
        "ALTER TABLE ZAUTHOR ADD COLUMN ZNAME GENERATED ALWAYS AS "
        "(instr(zeroblob(900000000), zeroblob(400000000) || x'01'))")
    arguments = ["select", "--store", "live.sqlite", "--entity", "Author", "--filter",
                 "name = 'x'", "--format", "json", *project_arguments()[:2]]
    return Case(arguments, {20, 40, 65})


@case
def generated_column_in_pack(folder):
    change(
        folder, "ALTER TABLE ZBOOK ADD COLUMN ZSLOW GENERATED ALWAYS AS "
        "(instr(zeroblob(900000000), zeroblob(400000000) || x'01'))")
    return Case(["pack", "live.sqlite", "--output", "new.sqlite"], {0, 20, 40, 65})


@case
def triggers_and_views(folder):
    change(
        folder, "CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN DELETE FROM ZBOOK; END",
        "CREATE VIEW v AS SELECT load_extension('x') FROM ZBOOK")
    return Case(migration(), {0, 40, 65})


@case
def view_in_place_of_a_table(folder):
    change(
        folder, "ALTER TABLE ZTAG RENAME TO ZTAGS",
        "CREATE VIEW ZTAG AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
        "SELECT n AS Z_PK, 3 AS Z_ENT, 1 AS Z_OPT, 'x' AS ZNAME FROM c")
    return Case(migration(), {20, 40, 64, 65})


@case
def five_thousand_tables(folder):
    connection = sqlite3.connect(folder / "live.sqlite")
    for number in range(5000):
        connection.execute(f"CREATE TABLE more_{number} (a)")
    connection.commit()
    connection.close()
    return Case(migration(), {0, 40, 64, 65})


@case
def join_table_without_order(folder):
    change(
        folder, "CREATE TABLE moved AS SELECT * FROM Z_2TAGS", "DROP TABLE Z_2TAGS",
        "CREATE TABLE Z_2TAGS (Z_2BOOKS, Z_3TAGS)",
        "INSERT INTO Z_2TAGS SELECT * FROM moved ORDER BY random()", "DROP TABLE moved",
        "INSERT INTO Z_2TAGS VALUES ('a', 1), (NULL, NULL), (x'00', 2), (1.5, 2)")
    return Case(migration("live.sqlite", "--batch-size", "2"), {0, 40, 41})


# MARK: Surroundings


def _few_descriptors(count, arguments):
    def prepare(folder):
        return Case(arguments, {0, 32}, limits={resource.RLIMIT_NOFILE: count})
    return prepare


for _count in range(4, 24, 2):
    CASES[f"{_count} descriptors"] = _few_descriptors(_count, migration())
for _count in (6, 10, 14):
    CASES[f"{_count} descriptors in place"] = _few_descriptors(_count, migration(output=""))
    CASES[f"{_count} descriptors for pack"] = _few_descriptors(
        _count, ["pack", "live.sqlite", "--output", "new.sqlite"])


# MARK: Texts


def _text(name, text, arguments, statuses):
    def prepare(folder):
        (folder / name).write_text(text)
        return Case(arguments, statuses)
    return prepare


_HEAD = '{"source": "1", "destination": "2", "entityMappings": ['
_OWN = ["run", "--store", "live.sqlite", "--mappings", "Odd.json", "--output", "new.sqlite",
        "--progress", "none", "--format", "json", *project_arguments()]
_MODEL = ["inspect", "odd.json", "--format", "json"]
for _name, _content in {
    "deep": "[" * 200_000,
    "deep objects": '{"a":' * 100_000,
    "unknown members": _HEAD + "{" + ", ".join(f'"m{n}": 1' for n in range(5_000)) + "}]}",
    "same members": _HEAD + "{" + ", ".join('"type": "copy"' for _ in range(20_000)) + "}]}",
    "many mappings": _HEAD + ", ".join('{"type": "copy"}' for _ in range(20_000)) + "]}",
    "deep filter": _HEAD + '{"type": "copy", "source": "Tag", "destination": "Tag", "filter": "'
    + "(" * 50_000 + '"}]}',
    "long filter": _HEAD + '{"type": "copy", "source": "Tag", "destination": "Tag", "filter": "'
    + " AND ".join(["name = 'x'"] * 20_000) + '"}]}',
    "no text": "\x00\x01\ufffd" * 1000,
    "long number": _HEAD + "1" * 1_000_000 + "]}",
}.items():
    CASES[f"mapping model: {_name}"] = _text("Odd.json", _content, _OWN, {22, 65})
for _name, _content in {
    "deep": "[" * 200_000,
    "twenty thousand entities": '{"entities": ['
    + ", ".join('{"name": "E%d"}' % n for n in range(20_000)) + "]}",
    "circles of parents": '{"entities": [{"name": "A", "parent": "B"}, {"name": "B", "parent": "A"}]}',
    "same names": '{"entities": [' + ", ".join('{"name": "E"}' for _ in range(20_000)) + "]}",
}.items():
    CASES[f"model: {_name}"] = _text("odd.json", _content, _MODEL, {0, 65})

_CSV = ["run", "--store", "odd.csv", "--mappings", "Shelves,Classics,Cards", "--output",
        "new.sqlite", "--progress", "none", "--format", "json", *project_arguments()]
for _name, _content in {
    "open quote": "entity,id,name\nTag,1,\"x\n" + "y,z\n" * 50_000,
    "long line": "entity,id,name\nTag,1," + "x" * 5_000_000 + "\n",
    "many columns": "entity,id," + ",".join(f"c{n}" for n in range(20_000)) + "\n",
    "many wrong rows": "entity,id,name\n" + "Nothing,x\n" * 50_000,
    "no text": "\x00" * 100_000,
}.items():
    CASES[f"delimited: {_name}"] = _text("odd.csv", _content, _CSV, {0, 20, 22, 40, 41, 65})

_XML = [part.replace("odd.csv", "odd.xml") for part in _CSV]
_LAUGHS = '<!DOCTYPE database [<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)) + "]>"
for _name, _content in {
    "laughs": f'<?xml version="1.0"?>{_LAUGHS}<database>&a11;</database>',
    "outer file": '<?xml version="1.0"?><!DOCTYPE database [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    "<database>&a;</database>",
    "deep": '<?xml version="1.0"?><database>' + "<object>" * 100_000,
    "many attributes": '<?xml version="1.0"?><database><object '
    + " ".join(f'a{n}="1"' for n in range(20_000)) + "/></database>",
}.items():
    CASES[f"XML: {_name}"] = _text("odd.xml", _content, _XML, {20, 22, 40, 41, 65})

_LINES = [part.replace("odd.csv", "odd.jsonl") for part in _CSV]
for _name, _content in {
    "deep": '{"entity":"Tag","id":1,"name":' + "[" * 200_000,
    "many members": '{"entity":"Tag","id":1,' + ",".join(f'"m{n}":1' for n in range(60_000)) + "}\n",
    "many names": "".join('{"entity":"E%d"}\n' % n for n in range(60_000)),
    "long number": '{"entity":"Tag","id":' + "1" * 2_000_000 + "}\n",
    "long text": '{"entity":"Tag","id":1,"name":"' + "x" * 5_000_000 + "\n",
    "one text": "[" + ",\n".join('{"entity":"Tag","id":%d}' % n for n in range(50_000)) + "]\n",
    "no text": "\x00" * 100_000,
}.items():
    # An identifier may be any text, so a long one is replaced by a number like any other.
    CASES[f"JSON lines: {_name}"] = _text("odd.jsonl", _content, _LINES, {0, 20, 22, 40, 41, 65})

_RECORDS = [part.replace("odd.csv", "odd.records") for part in _CSV]
for _name, _content in {
    "no separator": "Tag" * 100_000,
    "many keys": "Tag::" + ":".join(f"k{n}:1" for n in range(20_000)) + "\n",
}.items():
    CASES[f"records: {_name}"] = _text("odd.records", _content, _RECORDS, {20, 22, 40, 41, 65})

_SELECT = ["select", "--store", "live.sqlite", "--entity", "Book", "--model",
           str(PROJECT / "Migrations" / "Library 1.json"), "--format", "json", "--filter"]
for _name, _filter in {
    "deep": "(" * 20_000,
    "not not not": "NOT " * 20_000 + "year > 1",
    "long": " OR ".join(["year > 1"] * 5_000),
    "long path": "author" + ".books.author" * 5_000 + ".name = 'x'",
    "slow pattern": "title MATCHES '(a*)*(a*)*(a*)*b'",
}.items():
    CASES[f"filter: {_name}"] = (
        lambda text: lambda folder: Case(_SELECT + [text], {0, 41, 65}))(_filter)
