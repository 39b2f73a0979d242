"""Publishes a store after somebody else has put another one in its place: a test of objects.py."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import boto3  # noqa: E402
import objects  # noqa: E402

if __name__ == "__main__":
    bucket, _, key = sys.argv[1].partition("/")
    rival = Path(os.environ["FLEET_RIVAL"])
    # Once, and for one of the stores.
    if rival.exists() and key == os.environ["FLEET_RIVAL_KEY"]:
        boto3.client("s3").put_object(Bucket=bucket, Key=key, Body=rival.read_bytes())
        rival.unlink()
    sys.exit(objects.main("publish", *sys.argv[1:]))
