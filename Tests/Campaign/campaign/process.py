"""One run of a program under attack, and how it ended."""

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

# No trial may take longer than so many seconds, on a machine that has time for it.
HANG_SECONDS = 10.0


@dataclass
class Ending:
    """How a program ended."""

    status: int  # the exit status; below zero, the signal that ended it
    out: str
    err: str
    seconds: float
    is_hung: bool = False

    @property
    def code(self):
        """The code of the first diagnostic, or an empty text."""
        found = re.search(r'(?:error\[|"code"\s*:\s*")([A-Z]+-\d+)', self.err + self.out)
        return found.group(1) if found else ""

    @property
    def lanes(self):
        """The lanes by which its report says that objects were migrated."""
        try:
            report = json.JSONDecoder().raw_decode(self.out.lstrip())[0]
            return frozenset(
                mapping["lane"] for step in report["steps"] for part in step["passes"]
                for mapping in part["mappings"])
        except (ValueError, KeyError, TypeError):
            return frozenset()

    @property
    def title(self):
        if self.is_hung:
            return f"no end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"signal {signal.Signals(-self.status).name}"
        return f"status {self.status} {self.code}".rstrip()

    @property
    def message(self):
        """What it said first, on one line."""
        try:
            error = json.JSONDecoder().raw_decode(self.out.lstrip())[0]["error"]
            first = error["diagnostics"][0]
            told = [first.get(key) for key in ("code", "message", "file", "reason")]
            text = "\n".join(map(str, filter(None, told + [error.get("diskState")])))
        except (ValueError, KeyError, IndexError, TypeError):
            text = self.err.strip() or self.out.strip()
        return " | ".join(line.strip() for line in text.splitlines()[:6])[:400]


def hang_seconds():
    """The limit for one run: a busy machine gets more, for what is asked is not how busy it is."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return HANG_SECONDS * min(3.0, max(1.0, load))


def environment(extra=None):
    """The caller's environment without what a program must not see, and `extra`."""
    values = {key: value for key, value in os.environ.items() if not key.startswith("CAMPAIGN_")}
    values.update(extra or {})
    return values


def start(arguments, folder, extra=None, **options):
    return subprocess.Popen(
        arguments, cwd=folder, env=environment(extra), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=True, **options)


def finish(process, limit=None):
    """Waits for the end; kills the process when it does not come."""
    started = time.monotonic()
    limit = limit or hang_seconds()
    is_hung = False
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        is_hung = True
        process.kill()
        out, err = process.communicate()
    return Ending(
        process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"),
        time.monotonic() - started, is_hung)


def run(arguments, folder, extra=None, limit=None, **options):
    return finish(start(arguments, folder, extra, **options), limit)
