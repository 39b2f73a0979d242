"""Runs the command of an Indexed Job's container for every index, as the Job's rules say.

No cluster: a pod is a process with JOB_COMPLETION_INDEX set, in the working folder. Exit statuses
are judged by the file's own podFailurePolicy and backoffLimitPerIndex.
"""

import os
import re
import subprocess
import sys

import yaml


def action(policy, status):
    """What the rules say of an exit status; counted against the limit if none matches."""
    for rule in policy["rules"]:
        codes = rule.get("onExitCodes")
        if codes and codes["operator"] == "In" and status in codes["values"]:
            return rule["action"]
    return "Count"


def word_of(text):
    """A word of `command:` without variables of its own, as Kubernetes reads it."""
    return re.sub(r"\$\$", "$", text)


def main(file, verb):
    with open(file, encoding="utf-8") as text:
        job = yaml.safe_load(text)["spec"]
    container = job["template"]["spec"]["containers"][0]
    words = [word_of(word) for word in container["command"]]
    command = [verb if place == 2 else word for place, word in enumerate(words)]
    worst = 0
    for index in range(job["completions"]):
        failures = 0
        while True:
            environment = dict(os.environ, JOB_COMPLETION_INDEX=str(index))
            status = subprocess.run(
                command, cwd=container["workingDir"], env=environment, check=False).returncode
            status = status if status >= 0 else 128 - status
            if status == 0:
                break
            taken = action(job["podFailurePolicy"], status)
            print(f"index {index}: exit status {status}: {taken}", flush=True)
            if taken == "FailJob":
                return status
            failures += 1
            if taken == "FailIndex" or failures > job["backoffLimitPerIndex"]:
                worst = max(worst, status if taken == "FailIndex" else 33)
                break
    return worst


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
