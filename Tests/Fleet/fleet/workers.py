"""The command in a form that is killed now and then, for whatever engine starts it."""

import os
import random
from pathlib import Path

_WRAPPER = """#!/bin/sh
# The command itself, killed while there are tickets: each kills one call, after the time in it.
folder=$(dirname "$0")
if [ "$1" = fleet ] && { [ "$2" = run ] || [ "$2" = retry ]; }; then
  for ticket in "$folder"/tickets/*; do
    mv "$ticket" "$folder/used/" 2>/dev/null || continue
    ticket="$folder/used/${ticket##*/}"
    status=0
    timeout -s KILL "$(cat "$ticket")" "$folder/program" "$@" || status=$?
    [ "$status" -ne 137 ] || mv "$ticket" "$folder/killed/"
    exit "$status"
  done
fi
exec "$folder/program" "$@"
"""


class Workers:
    """A folder with the command and its wrapper, which is put in front of the search path."""

    def __init__(self, folder, binary, seed):
        self.folder = Path(folder)
        for name in ("tickets", "used", "killed"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "program").symlink_to(Path(binary).resolve())
        wrapper = self.folder / "migrate"
        wrapper.write_text(_WRAPPER, encoding="utf-8")
        wrapper.chmod(0o755)
        self.dice = random.Random(f"{seed}/kills")

    @property
    def environment(self):
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        return dict(os.environ, PATH=path, PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8")

    def tickets(self, count, longest):
        """The next `count` calls are killed after at most `longest` seconds."""
        for number in range(count):
            seconds = self.dice.uniform(longest / 10, longest)
            (self.folder / "tickets" / f"{number}").write_text(f"{seconds:.3f}", encoding="utf-8")

    def spare(self):
        """Kills no further call."""
        for ticket in (self.folder / "tickets").iterdir():
            ticket.unlink()

    @property
    def killed(self):
        return len(list((self.folder / "killed").iterdir()))
