"""What is attacked: one command on one folder, for each way a store can be migrated."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from . import contents, process
from .stores import PROJECT, Stores, project_arguments

PASSES = "Shelves,Classics,Cards"


@dataclass
class Scenario:
    """One command, run in a copy of one folder."""

    name: str
    arguments: list  # of the program; paths are relative to the folder
    source: str  # the store that is read
    result: str  # where the result stands; the source's own name when it is replaced
    kept: str = ""  # where the old store is kept, in place
    is_text: bool = False  # the result is one file, compared byte by byte
    has_identity: bool = True  # the result's UUID is the source's; else it is each file's own
    uses_library: bool = False  # run by the library's program, not by the command
    # Both the source, of version 1, and the result are single stores in Core Data's layout: others can
    # add rows to the one, and find them in the other.
    can_be_written: bool = False
    lanes: frozenset = frozenset()  # those by which objects are migrated; empty for any
    template: Path = None  # the folder that is copied
    second: Path = None  # a folder with another old store, to be put at the path later
    fellows: list = field(default_factory=list)  # further stores that the same command migrates
    # With which it may end when something fails, besides the failure's own status.
    failed_statuses: frozenset = frozenset()
    # Found out by an undisturbed run.
    old: dict = field(default_factory=dict)
    old_bytes: dict = field(default_factory=dict)
    new: dict = field(default_factory=dict)
    new_second: dict = field(default_factory=dict)
    old_second: dict = field(default_factory=dict)
    names: set = field(default_factory=set)
    seconds: float = 0.0

    @property
    def is_in_place(self):
        return self.source == self.result

    def command(self, bench):
        return [str(bench.library if self.uses_library else bench.binary), *self.arguments]

    def copy(self, folder):
        """A fresh copy of the folder for one trial."""
        folder = Path(folder)
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(self.template, folder, symlinks=True)
        return folder

    def put_second(self, folder):
        """Puts another old store at the path, as an app does that starts over."""
        for tail in ("", "-wal", "-shm", "-journal"):
            Path(folder, self.source + tail).unlink(missing_ok=True)
        support = contents.support_folder(Path(folder, self.source))
        if support.exists():
            shutil.rmtree(support)
        shutil.copytree(self.second, folder, dirs_exist_ok=True)


def names_below(folder):
    """Every name below a folder, without SQLite's shared memory."""
    return {
        str(path.relative_to(folder)) for path in Path(folder).rglob("*")
        if not path.name.endswith("-shm")}


def all_scenarios(bench):
    """Makes the source stores; gives every scenario, not yet run."""
    return Maker(bench).scenarios()


class Maker:
    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.scratch / "templates"
        self.stores = Stores(bench.binary, bench.scratch / "making", bench.seed)

    def scenarios(self):
        made = [
            self.run("mappings-file", ["--mappings", PASSES], journal="delete", output="new.sqlite"),
            self.run("to-place", ["--to", "3"], journal="log", has_files=True),
            self.run("mappings-place", ["--mappings", PASSES], journal="delete", has_files=True),
            self.run("to-place-no-backup", ["--to", "2", "--no-backup"], journal="log"),
            self.run("infer-place", ["--to", "3", "--infer"], version=2, journal="delete",
                     migrations="Inferred"),
            self.run("infer-file", ["--to", "3", "--infer"], version=2, output="new.sqlite",
                     migrations="Inferred"),
            # Small tables, too, are made and assembled without SQL.
            self.run("pages-file", ["--mappings", PASSES, "--lane", "page"], journal="delete",
                     output="new.sqlite", lanes={"page"}),
            self.run("pages-place", ["--mappings", PASSES, "--lane", "page", "--integrity-check"],
                     journal="delete", has_files=True, lanes={"page"}),
            self.run("memory-file", ["--mappings", PASSES], journal="log", output="new.sqlite",
                     in_memory=True),
            self.run("memory-place", ["--mappings", PASSES], journal="log", in_memory=True),
            self.run("memory-place-no-backup", ["--to", "2", "--no-backup"], journal="delete",
                     in_memory=True),
            # Closed, with the mode of a log and without one; two steps.
            self.run("memory-place-rest", ["--to", "2"], journal="wal", in_memory=True),
            self.run("memory-steps-rest", ["--to", "3"], journal="wal", in_memory=True),
            # Without the pass with a policy, for which SQL makes all of the others.
            self.run("memory-pages-file", ["--mappings", "Shelves,Classics"], journal="delete",
                     output="new.sqlite", in_memory=True, lanes={"page"}),
            self.run("memory-pages-place", ["--mappings", "Shelves,Classics"], journal="log",
                     in_memory=True, lanes={"page"}),
            # By SQL, and row by row, whatever would be chosen. A policy runs row by row in both.
            self.run("set-file", ["--mappings", PASSES, "--lane", "set"], journal="delete",
                     output="new.sqlite", lanes={"set", "row"}),
            self.run("set-place", ["--to", "3", "--lane", "set"], journal="log", has_files=True,
                     lanes={"set", "row"}),
            self.run("row-file", ["--mappings", PASSES, "--lane", "row"], journal="log",
                     output="new.sqlite", lanes={"row"}),
            self.run("row-place", ["--to", "3", "--lane", "row"], journal="delete", has_files=True,
                     lanes={"row"}),
            self.run("memory-set-file", ["--mappings", PASSES, "--lane", "set"], journal="delete",
                     output="new.sqlite", in_memory=True, lanes={"set", "row"}),
            self.run("memory-row-place", ["--to", "3", "--lane", "row"], journal="log",
                     in_memory=True, lanes={"row"}),
            self.install("install-mappings", ["--mappings", PASSES], has_files=True),
            self.install("install-plain", ["--to-version", "1"], has_files=True),
            self.pack(),
            self.restored("restore", journal="log", has_files=True),
            self.restored("restore-delete", journal="delete"),
            self.fleet("fleet-place", 6),
            # With more stores than are at work at a time, each work folder serves several.
            self.fleet("fleet-hand-on", 9, group=3),
        ]
        for name in ("csv", "records", "xml", "db"):
            made.append(self.written(name))
            made.append(self.read(name))
        if self.bench.library:
            made += [self.upgraded(), self.managed()]
        return made

    def _source(self, name, version=1, journal="delete", has_files=False):
        template = self.folder / name
        path = template / "live.sqlite"
        make = self.stores.first if version == 1 else self.stores.second
        options = {"journal": journal, "has_files": has_files}
        make(path, salt=name, **options)
        second = self.folder / f"{name}-second"
        make(second / "live.sqlite", salt=f"{name} again", size=(5, 9, 4), **options)
        return template, second

    def run(self, name, arguments, output="", migrations="Migrations", version=1, in_memory=False,
            lanes=(), **options):
        template, second = self._source(name, version, **options)
        place = ["--output", output] if output else ["--in-place"]
        keeps = not output and "--no-backup" not in arguments
        return Scenario(
            name=name, source="live.sqlite", result=output or "live.sqlite",
            kept=f"live.sqlite.before-{version}" if keeps else "",
            arguments=["run", "--store", "live.sqlite", *arguments, *place, "--batch-size", "10",
                       *([] if in_memory else ["--work-memory", "0"]),
                       "--progress", "none", "--format", "json", *project_arguments(migrations)],
            template=template, second=second, can_be_written=version == 1, lanes=frozenset(lanes))

    def fleet(self, name, count, group=None):
        """Several stores in one process, of which `group` at a time become durable together: by default all."""
        template, second = self._source(name, journal="log")
        for number in range(1, count):
            make = {"journal": ("delete", "log", "wal")[number % 3], "has_files": number % 4 == 0}
            self.stores.first(template / f"store-{number}.sqlite", salt=f"{name} {number}", **make)
        fellows = [
            Scenario(
                name=name, source=f"store-{number}.sqlite", result=f"store-{number}.sqlite",
                kept=f"store-{number}.sqlite.before-1", arguments=[], template=template)
            for number in range(1, count)]
        return Scenario(
            name=name, source="live.sqlite", result="live.sqlite", kept="live.sqlite.before-1",
            template=template, second=second, fellows=fellows, failed_statuses=frozenset((50, 33)),
            arguments=["fleet", "run", "--stores", "live.sqlite", "--stores", "store-?.sqlite",
                       "--to", "2", "--in-place", "--jobs", "2", "--group", str(group or count),
                       "--progress", "none", "--format", "json", *project_arguments()])

    def install(self, name, arguments, **options):
        template, second = self._source(name, journal="log", **options)
        return Scenario(
            name=name, source="live.sqlite", result="installed.sqlite", template=template,
            second=second, can_be_written=True,
            arguments=["install", "--from", "live.sqlite", "--to", "installed.sqlite", *arguments,
                       "--progress", "none", "--format", "json", *project_arguments()])

    def pack(self):
        template, second = self._source("pack", journal="log", has_files=True)
        return Scenario(
            name="pack", source="live.sqlite", result="packed.sqlite", template=template,
            second=second, can_be_written=True,
            arguments=["pack", "live.sqlite", "--output", "packed.sqlite", "--format", "json"])

    def restored(self, name, **options):
        """The kept store of a migration in place is put back."""
        template, _ = self._source(name, **options)
        self.stores.command(
            "run", "--store", template / "live.sqlite", "--to", "2", "--in-place", "--progress",
            "none", *project_arguments())
        return Scenario(
            name=name, source="live.sqlite", result="live.sqlite", kept="live.sqlite.after-2",
            template=template,
            arguments=["restore", "--store", "live.sqlite", "--format", "json"])

    def written(self, extension):
        """A store that is migrated to another type."""
        template, second = self._source(f"{extension}-out", journal="delete")
        result = f"out.{extension}"
        kind = ["--output-type", "tables"] if extension == "db" else []
        return Scenario(
            name=f"{extension}-out", source="live.sqlite", result=result, template=template,
            second=second, is_text=extension != "db",
            arguments=["run", "--store", "live.sqlite", "--mappings", PASSES, "--output", result,
                       *kind, "--batch-size", "10", "--progress", "none", "--format", "json",
                       *project_arguments()])

    def read(self, extension):
        """A file of another type that is migrated to a store."""
        template = self.folder / f"{extension}-in"
        template.mkdir(parents=True)
        made, _ = self._source(f"{extension}-made", journal="delete")
        kind = ["--output-type", "tables"] if extension == "db" else []
        self.stores.command(
            "run", "--store", made / "live.sqlite", "--to", "1", "--output",
            template / f"in.{extension}", *kind, "--progress", "none", *project_arguments())
        return Scenario(
            name=f"{extension}-in", source=f"in.{extension}", result="new.sqlite",
            template=template, has_identity=False,
            arguments=["run", "--store", f"in.{extension}", "--mappings", PASSES, "--output",
                       "new.sqlite", "--batch-size", "10", "--progress", "none", "--format", "json",
                       *project_arguments()])

    def upgraded(self):
        """What an app calls when it starts: StoreUpgrade."""
        template, second = self._source("library-upgrade", journal="log", has_files=True)
        return Scenario(
            name="library-upgrade", source="live.sqlite", result="live.sqlite",
            kept="live.sqlite.before-1", uses_library=True, template=template, second=second,
            can_be_written=True, arguments=["upgrade", "live.sqlite", str(PROJECT / "Migrations")])

    def managed(self):
        """Every part by hand: MigrationManager."""
        template, second = self._source("library-manager", journal="delete")
        return Scenario(
            name="library-manager", source="live.sqlite", result="new.sqlite", uses_library=True,
            template=template, second=second, can_be_written=True,
            arguments=["manage", "live.sqlite", "new.sqlite", str(PROJECT)])


def learn(bench, scenario):
    """Runs a scenario undisturbed, and keeps what must come out of every disturbed run."""
    folder = scenario.copy(bench.scratch / "undisturbed")
    scenario.old_bytes = contents.unit_bytes(folder / scenario.source)
    if not scenario.source.endswith((".csv", ".records", ".xml")):
        scenario.old = contents.of_store(folder / scenario.source, bench.scratch)
    for fellow in scenario.fellows:
        fellow.old_bytes = contents.unit_bytes(folder / fellow.source)
        fellow.old = contents.of_store(folder / fellow.source, bench.scratch)
    ending = process.run(scenario.command(bench), folder, limit=120)
    scenario.seconds = ending.seconds
    if ending.status != 0:
        raise SystemExit(f"{scenario.name}, undisturbed: {ending.title}: {ending.message}")
    if scenario.lanes and ending.lanes != scenario.lanes:
        raise SystemExit(f"{scenario.name} migrates by {sorted(ending.lanes)}")
    scenario.new = bench.result_of(scenario, folder)
    for fellow in scenario.fellows:
        fellow.new = bench.result_of(fellow, folder)
    scenario.names = names_below(folder)
    if scenario.kept and scenario.second:
        scenario.old_second = contents.of_store(scenario.second / scenario.source, bench.scratch)
        other = bench.scratch / "undisturbed-second"
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(scenario.second, other)
        ending = process.run(scenario.command(bench), other, limit=120)
        if ending.status != 0:
            raise SystemExit(f"{scenario.name}, second store: {ending.title}: {ending.message}")
        scenario.new_second = bench.result_of(scenario, other)
