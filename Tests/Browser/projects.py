"""The projects of which the pages are looked at."""

import json
import os
import shutil
import sqlite3
import subprocess


def migrate(program, folder, *arguments, status=0):
    """Runs the command in a folder and checks its exit status."""
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != status:
        raise RuntimeError(f"migrate {' '.join(arguments)}: exit status {done.returncode}\n"
                           f"{done.stdout}{done.stderr}")
    return done


def example(root, folder):
    """A copy of the example of the repository."""
    for name in ("Migrations", "Mappings"):
        shutil.copytree(os.path.join(root, name), os.path.join(folder, name))


def write(folder, name, value):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)


def entity(name, *attributes):
    return {"name": name, "attributes": [
        {"name": attribute, "type": kind} for attribute, kind in attributes]}


def large(program, folder, count=200):
    """Two steps over a model of many entities, some with long names, and a store with objects."""
    long = "AnEntityWithANameThatIsFarTooLongForAnyBoxInAnyDrawingAndGoesOn"
    names = [f"Entity{number:03}" if number % 40 != 1 else f"{long}{number}" for number in range(count)]
    first, second, third = [], [], []
    one, two = [], []
    for number, name in enumerate(names):
        attributes = (("name", "string"), ("amount", "integer64"), ("note", "string"))
        first.append(entity(name, *attributes))
        kept = {"type": "copy", "source": name, "destination": name}
        after = entity(name, *attributes)
        mapping = dict(kept)
        if number % 10 == 1:
            after = entity(name, ("title", "string"), ("amount", "double"), ("note", "string"))
            mapping = {"type": "transform", "source": name, "destination": name, "attributes": {
                "title": "$source.name", "amount": "$source.amount / 100.0",
                "note": "$source.note"}}
        elif number % 10 == 2:
            mapping["filter"] = "amount > 3"
        elif number % 40 == 3:
            mapping = {"type": "remove", "source": name}
            after = None
        elif number % 40 == 4:
            mapping["mergeBy"] = "$source.note"
        elif number % 40 == 5:
            after = entity(name, ("name", "string"))
        if after:
            second.append(after)
            third.append(after)
            two.append({"type": "copy", "source": name, "destination": name})
        one.append(mapping)
    two[6]["filter"] = "amount < 9"
    for number, after in enumerate(second[:60]):
        after["relationships"] = [
            {"name": "next", "destination": second[(number * 7 + 1) % 60]["name"],
             "inverse": "previous", "optional": True},
            {"name": "previous", "destination": second[(number - 1) * 43 % 60]["name"],
             "inverse": "next", "optional": True}]
    for version, entities in (("1", first), ("2", second), ("3", third)):
        write(folder, f"Migrations/Large {version}.json", {"name": version, "entities": entities})
    write(folder, "Mappings/First.json", {
        "source": "1", "destination": "2", "entityMappings": one})
    write(folder, "Mappings/Second.json", {
        "source": "2", "destination": "3", "entityMappings": two})
    write(folder, "Migrations/history.json", {
        "store": "Large.sqlite",
        "versions": [{"name": version, "model": f"Large {version}.json"} for version in "123"],
        "steps": [{"from": "1", "to": "2", "mappings": ["First"]},
                  {"from": "2", "to": "3", "mappings": ["Second"]}]})
    store = os.path.join(folder, "Migrations/Large.sqlite")
    migrate(program, folder, "create", "--model", "Migrations/Large 1.json", "--output", store)
    connection = sqlite3.connect(store)
    numbers = dict(connection.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
    for number, name in enumerate(names):
        rows = [(key, numbers[name], 1, f"{name} {key}", key % 12, str(key % 5))
                for key in range(1, 1 + (number * 37) % 400)]
        connection.executemany(
            f"INSERT INTO Z{name.upper()} (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAMOUNT, ZNOTE)"
            " VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (len(rows), name))
    connection.commit()
    connection.close()


def rehearsed(program, folder, versions=12, stores=18):
    """A history of many versions, one step of which fails for made-up texts, and real stores: some are
    at the newest version, one is damaged, and one has a name that is long and looks like HTML."""
    attributes = [("name", "string"), ("note", "string")]
    names = [f"{number} <b>of many</b> & more" if number == 4 else str(number)
             for number in range(1, versions + 1)]
    for number, name in enumerate(names):
        attributes.append((f"added{number}", "integer32"))
        write(folder, f"Migrations/{number + 1}.json",
              {"name": name, "entities": [entity("Item", *attributes)]})
    write(folder, "Mappings/Numbers.json", {
        "source": names[1], "destination": names[2], "entityMappings": [
            {"type": "transform", "source": "Item", "destination": "Item", "attributes": {
                "name": "$source.name", "added0": "$source.added0", "added1": "$source.added1",
                "note": "formatDate(parseDate($source.name, \"y\", \"UTC\", \"en\"), "
                        "\"y\", \"UTC\", \"en\")"}}]})
    write(folder, "Migrations/history.json", {
        "versions": [{"name": name, "model": f"{number + 1}.json"}
                     for number, name in enumerate(names)],
        "steps": [{"from": first, "to": second, "mappings": ["Numbers"] if number == 1 else []}
                  for number, (first, second) in enumerate(zip(names, names[1:]))]})
    os.mkdir(os.path.join(folder, "Samples"))
    for number in range(stores):
        name = f"Store {number:02}.sqlite"
        if number == 5:
            name = "<i>A store<b> with-a-name-that-is-far-too-long-for-any-cell-of-any-table.sqlite"
        path = os.path.join(folder, "Samples", name)
        migrate(program, folder, "create", "--model", f"Migrations/{number % versions + 1}.json",
                "--output", path)
        if number == 7:
            with open(path, "r+b") as file:
                # The table of the objects.
                file.seek(8192)
                file.write(b"\xff" * 4096)


def fleet(program, root, folder, stores=24):
    """Stores of the example, some damaged, some with names that are long and look like HTML, and the
    ledger of a run over them, one with lines of another run, and one that was not written to its end."""
    example(root, folder)
    os.mkdir(os.path.join(folder, "Stores"))
    for number in range(stores):
        name = f"{number}.sqlite"
        if number % 5 == 1:
            name = f"{number}<b>with-a-name-that-is-far-too-long-for-any-cell-of-any-table" + "-" * 60 + "end"
        path = os.path.join(folder, "Stores", name)
        if number % 4 == 3:
            with open(path, "wb") as file:
                file.write(b"no store" * (number % 8))
        else:
            shutil.copyfile(os.path.join(folder, "Migrations/Sample/Events.sqlite"), path)
    call = ("fleet", "run", "--stores", "Stores/*", "--in-place", "--progress", "none")
    migrate(program, folder, *call, "--mappings", "StepOne,StepTwo", status=50)
    with open(os.path.join(folder, "fleet.jsonl"), "rb") as file:
        lines = file.read().splitlines(keepends=True)
    with open(os.path.join(folder, "other.jsonl"), "wb") as file:
        file.write(lines[0].replace(b'"plan": "', b'"plan": "x') + lines[1] + lines[2][:50])
