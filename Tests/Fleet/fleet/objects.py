"""A fleet in an object storage: crashes at every point, a writer in between, units: see ../objects.sh."""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import boto3

from .findings import conclude
from .ledgers import Ledgers
from .prototypes import MARK, Prototypes, contents, project_arguments

HERE = Path(__file__).resolve().parent.parent
BUCKET = "stores"
# The steps at which the client script can be told to crash, with migrate that called it.
STEPS = ("exists", "before-fetch", "while-fetching", "after-fetch", "before-publish", "after-publish")


class Storage:
    """A server of objects on this machine, which ends with the trial."""

    def __init__(self, folder):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        self.log = open(folder / "server.log", "wb")
        self.server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=self.log, stderr=self.log)
        self.environment = dict(
            os.environ, AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}", AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1", PYTHONDONTWRITEBYTECODE="1")
        self.client = boto3.client(
            "s3", endpoint_url=self.environment["AWS_ENDPOINT_URL"], aws_access_key_id="test",
            aws_secret_access_key="test", region_name="us-east-1")
        for _ in range(150):
            try:
                self.client.create_bucket(Bucket=BUCKET)
                break
            except Exception:  # pylint: disable=broad-except
                time.sleep(0.2)
        self.client.put_bucket_versioning(
            Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})

    def put(self, key, data):
        self.client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def versions(self, key):
        """The bytes of all versions of an object, the newest first."""
        found = self.client.list_object_versions(Bucket=BUCKET, Prefix=key).get("Versions", [])
        return [self.client.get_object(Bucket=BUCKET, Key=key, VersionId=version["VersionId"])[
            "Body"].read() for version in found if version["Key"] == key]

    def stop(self):
        self.server.terminate()
        self.server.wait(20)
        self.log.close()


class Trial:
    def __init__(self, folder, binary, count, seed):
        self.folder, self.binary, self.found = folder, str(Path(binary).resolve()), []
        self.prototypes = Prototypes(binary, folder / "prototypes", seed)
        self.storage = Storage(folder)
        self.count = count
        self.sources = {}  # the bytes, the prototype and the number of each object, by its key

    def fill(self, folder):
        """Puts fresh objects in place of those that are asked for: files, units, and a damaged one."""
        self.sources = {}
        files = [sort for sort in self.prototypes.healthy if list(sort.files) == [""]]
        units = [sort for sort in self.prototypes.healthy if "-wal" in sort.files]
        for number in range(1, self.count + 1):
            sort = files[number % len(files)]
            self._put(f"{folder}/{number} it's.sqlite", sort, sort.files[""], number)
        for number, sort in enumerate(units[:2], self.count + 1):
            self._put(f"{folder}/{number}.tar", sort, self._unit(sort), number)
        damaged = self.prototypes.damaged[0]
        self._put(f"{folder}/damaged.sqlite", damaged, damaged.files[""], 0)

    def _put(self, key, sort, data, number):
        data = data.replace((MARK % 0).encode(), (MARK % number).encode())
        self.sources[key] = (data, sort, number)
        self.storage.put(key, data)

    def _unit(self, sort):
        folder = self.folder / "unit"
        folder.mkdir(exist_ok=True)
        for tail, data in sort.files.items():
            (folder / f"store{tail}").write_bytes(data)
        names = [f"store{tail}" for tail in sort.files]
        subprocess.run(["tar", "-cf", "unit.tar", *names], cwd=folder, check=True)
        return (folder / "unit.tar").read_bytes()

    def call(self, ledger, crash=None, verb="run", rival=None):
        """Runs the fleet once; gives the exit status."""
        (self.folder / "list").write_text(
            "".join(f"{BUCKET}/{key}\n" for key in self.sources), encoding="utf-8")
        client = f'"{sys.executable}" "{HERE / "objects.py"}"'
        publish = f"{client} publish"
        environment = dict(self.storage.environment)
        if rival:
            publish = f'"{sys.executable}" "{HERE / "fleet" / "rival.py"}"'
            environment.update(FLEET_RIVAL=str(self.folder / "rival"), FLEET_RIVAL_KEY=rival)
        if crash:
            environment["FLEET_CRASH"] = crash
        (self.folder / "scratch").mkdir(exist_ok=True)
        with open(self.folder / "migrate.log", "ab") as log:
            return subprocess.run(
                [self.binary, "fleet", verb, "--stores-from", "list", "--to", "3", "--exists",
                 f"{client} exists {{name}}", "--fetch", f"{client} fetch {{name}} {{path}} {{mark}}",
                 "--publish", f"{publish} {{name}} {{path}} {{mark}} {{version}}", "--scratch",
                 "scratch", "--ledger", ledger, "--jobs", "2", "--progress", "none",
                 *project_arguments()],
                cwd=self.folder, env=environment, stdout=log, stderr=log, timeout=300,
                check=False).returncode

    def crashes(self, step):
        """Crashes at a step, twice if stores are left, then lets the run end."""
        self.fill(step)
        times = 0
        for _ in range(2):
            ticket = self.folder / "ticket"
            ticket.write_text("")
            times += self.call(f"{step}.jsonl", crash=f"{step}:{ticket}") == -9
            ticket.unlink(missing_ok=True)
            Path(f"{ticket}.used").unlink(missing_ok=True)
        self.expect(times > 0, f"no crash at “{step}”")
        self.expect(self.call(f"{step}.jsonl") == 50, "the last run did not end with 50")
        published = self.compare(step)
        print(f"  crashed {times} times at “{step}”: then {published} of {len(self.sources)} objects were "
              "published, each once, over the old one", flush=True)

    def compare(self, step):
        """Each object is the whole new store, published once, over the whole old one."""
        published = 0
        for key, (data, sort, number) in self.sources.items():
            versions = self.storage.versions(key)
            expected = 2 if sort.outcome == "migrated" else 1
            self.expect(len(versions) == expected, f"{key} has {len(versions)} versions")
            self.expect(versions[-1] == data, f"{key}: the first version is not what was put there")
            if sort.outcome == "migrated" and len(versions) == 2:
                published += 1
                self.expect_contents(key, versions[0], sort, number)
        left = list((self.folder / "scratch").iterdir())
        self.expect(not left, f"the scratch folder has {left}")
        failed = Ledgers(self.folder, f"{step}.jsonl").failed()
        self.expect(list(failed) == [f"{BUCKET}/{step}/damaged.sqlite"], f"failed: {failed}")
        return published

    def expect_contents(self, key, data, sort, number):
        data = data.replace((MARK % number).encode(), (MARK % 0).encode())
        looked = self.folder / "looked"
        shutil.rmtree(looked, ignore_errors=True)
        looked.mkdir()
        path = looked / "store"
        if key.endswith(".tar"):
            (looked / "unit.tar").write_bytes(data)
            subprocess.run(["tar", "-xf", "unit.tar"], cwd=looked, check=True)
        else:
            path.write_bytes(data)
        difference = contents.difference(
            contents.of_store(path, self.folder, has_identity=False), sort.tables)
        self.expect(not difference, f"{key}: {difference}")

    def again(self):
        before = {key: len(self.storage.versions(key)) for key in self.sources}
        self.expect(self.call(f"{STEPS[-1]}.jsonl") == 50, "a second run did not end with 50")
        after = {key: len(self.storage.versions(key)) for key in self.sources}
        self.expect(before == after, "a second run published something")
        print("  a second run published nothing", flush=True)

    def rival(self):
        """Somebody replaces a store after it was fetched: theirs is kept, and migrated by a retry."""
        sort = next(sort for sort in self.prototypes.healthy
                    if sort.version == "2" and list(sort.files) == [""])
        key, (number, theirs) = "rival/store.sqlite", (900, 901)
        self.sources = {}
        self._put(key, sort, sort.files[""], number)
        data = sort.files[""].replace((MARK % 0).encode(), (MARK % theirs).encode())
        (self.folder / "rival").write_bytes(data)
        ledger = "rival.jsonl"
        self.expect(self.call(ledger, rival=key) == 50, "the run beside a rival did not end with 50")
        failed = Ledgers(self.folder, ledger).failed().get(f"{BUCKET}/{key}")
        self.expect(failed == (30, "FLT-080"), f"the store of a rival: {failed}")
        self.expect(self.storage.versions(key)[0] == data, "the store of a rival was replaced")
        self.call(ledger, verb="retry")
        versions = self.storage.versions(key)
        self.expect(len(versions) == 3, f"there are {len(versions)} versions after the rival")
        self.expect_contents(key, versions[0], sort, theirs)
        print("  a store that was replaced meanwhile was kept, and a retry migrated it", flush=True)

    def expect(self, holds, sentence):
        if not holds:
            self.found.append(sentence)


def main():
    parser = argparse.ArgumentParser(prog="objects.sh", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=4)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--binary", required=True)
    arguments = parser.parse_args()
    print(f"objects: {arguments.count} stores and some units, seed {arguments.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="fleet-objects-"))
    trial = Trial(folder, arguments.binary, arguments.count, arguments.seed)
    try:
        for step in STEPS:
            trial.crashes(step)
        trial.again()
        trial.rival()
    finally:
        trial.storage.stop()
    return conclude("objects", trial.found, folder)


if __name__ == "__main__":
    sys.exit(main())
