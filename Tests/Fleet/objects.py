#!/usr/bin/env python3
"""Stores in an object storage, for the options --exists, --fetch and --publish of migrate fleet run.

  objects.py exists NAME                        prints the mark, and the version of the last publication
  objects.py fetch NAME PATH MARK               writes the store to PATH, if it still has the mark
  objects.py publish NAME PATH MARK VERSION     replaces the store, if it still has the mark

NAME is BUCKET/KEY; the mark is the object's ETag. An object whose key ends with .tar is a unit: the store
with its write-ahead log and external data, as one object, so that they never part. What is replaced
stays as an older version of the object where the bucket keeps versions. Where the server is,
AWS_ENDPOINT_URL says. Needs boto3.

Tests let it crash, as a machine does: FLEET_CRASH names a step and a file that counts down; at zero the
command that called this one is killed, and this one too.
"""

import io
import os
import shutil
import signal
import sys
import tarfile
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

# “Try again”: something else is there than was fetched.
CONFLICT = 75
NOTHING = 1
GONE = ("404", "NoSuchKey", "NotFound")
CHANGED = ("412", "PreconditionFailed", "409", "ConditionalRequestConflict")


def crash(step):
    """Kills what called this command, and this command, if that is asked for at this step."""
    wanted, _, counter = os.environ.get("FLEET_CRASH", "").partition(":")
    if wanted != step:
        return
    try:
        # Whoever takes the ticket crashes; the others go on.
        os.rename(counter, counter + ".used")
    except FileNotFoundError:
        return
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def exists(store, bucket, key):
    try:
        head = store.head_object(Bucket=bucket, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] in GONE:
            return NOTHING
        raise
    crash("exists")
    print(head["ETag"])
    version = head["Metadata"].get("passage-version")
    if version:
        print(version)
    return 0


def fetch(store, bucket, key, path, mark):
    crash("before-fetch")
    body = store.get_object(Bucket=bucket, Key=key, IfMatch=mark)["Body"]
    if not key.endswith(".tar"):
        with open(path, "wb") as file:
            first = body.read(4096)
            file.write(first)
            file.flush()
            crash("while-fetching")
            shutil.copyfileobj(body, file)
    else:
        with tarfile.open(fileobj=io.BytesIO(body.read())) as unit:
            for member in unit:
                # Names in the unit begin with “store”; files here begin with the path.
                place = member.name.removeprefix("store")
                if not member.isfile() or place == member.name or ".." in place.split("/"):
                    raise SystemExit(f"the unit has something else in it: {member.name}")
                file = Path(_place(path, place))
                if place.startswith("/support/"):
                    # Not the folders around it: they are gone if whoever called this was killed.
                    _support(path).mkdir(exist_ok=True)
                    file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(unit.extractfile(member).read())
                crash("while-fetching")
    crash("after-fetch")
    return 0


def publish(store, bucket, key, path, mark, version):
    crash("before-publish")
    body = Path(path).read_bytes() if not key.endswith(".tar") else _unit(path)
    try:
        store.put_object(Bucket=bucket, Key=key, Body=body, IfMatch=mark,
                         Metadata={"passage-version": version})
    except ClientError as error:
        if error.response["Error"]["Code"] in CHANGED + GONE:
            return CONFLICT
        raise
    crash("after-publish")
    return 0


def _support(path):
    """The folder of external data beside a store."""
    path = Path(path)
    return path.with_name(f".{path.stem if path.suffix else path.name}_SUPPORT")


def _place(path, place):
    return _support(path) / place.removeprefix("/support/") if place.startswith("/support/") else (
        f"{path}{place}")


def _unit(path):
    """The store and all that belongs to it, as the bytes of a tar."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as unit:
        for tail in ("", "-wal", "-journal"):
            if os.path.exists(f"{path}{tail}"):
                unit.add(f"{path}{tail}", arcname=f"store{tail}")
        support = _support(path)
        for file in sorted(support.rglob("*")) if support.is_dir() else ():
            if file.is_file():
                unit.add(file, arcname=f"store/support/{file.relative_to(support)}")
    # If whoever called this was killed, another run may be removing the folder: that is no unit.
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    return data.getvalue()


COMMANDS = {"exists": exists, "fetch": fetch, "publish": publish}


def main(command, name, *rest):
    bucket, _, key = name.partition("/")
    return COMMANDS[command](boto3.client("s3"), bucket, key, *rest)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
