"""The engines: each starts a printed template, waits for its end, and harms it on the way."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
# Nothing here takes this long; a hang is an error.
LIMIT = 600


class Engine:
    """One engine. `extra` are options of `fleet template`."""

    name = ""
    file = "fleet.sh"
    extra = ()
    # What was harmed besides the workers; nothing when it could not be.
    harmed = ""

    def __init__(self, folder, environment, shards):
        self.folder, self.environment, self.shards = Path(folder), environment, shards

    def write(self, options):
        """Has the template printed by the command."""
        call = ["migrate", "fleet", "template", self.name, "--shards", str(self.shards),
                *self.extra, *options]
        done = subprocess.run(call, cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(call)}: exit status {done.returncode}\n{done.stderr}")
        (self.folder / self.file).write_text(done.stdout, encoding="utf-8")
        self.check()

    def check(self):
        """Checks the printed file."""

    def call(self, verb):
        """The command that starts the template."""
        return ["bash", self.file] + (["retry"] if verb == "retry" else [])

    def run(self, verb="run", harm=False):
        """Runs the fleet to its end, and gives the exit status."""
        with open(self.folder / "engine.log", "ab") as log:
            process = subprocess.Popen(
                self.call(verb), cwd=self.folder, env=self.environment, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True)
            if harm:
                self.wait_for_progress(process)
                self.harm(process)
            return process.wait(LIMIT)

    def waits_for_workers(self):
        """Waits for what a killed engine has left at work; whether it has ended."""
        end = time.monotonic() + LIMIT
        while any(_is_in(self.folder, entry) for entry in Path("/proc").glob("[0-9]*")):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def wait_for_progress(self, process):
        """Waits until any worker was begun, or the engine has ended."""
        while process.poll() is None:
            bin = self.folder.parent / "bin"
            if any(bin.glob("used/*")) or any(bin.glob("killed/*")):
                return
            time.sleep(0.01)

    def harm(self, process):
        """Kills something that is the engine's own."""


class Parallel(Engine):
    name = "parallel"

    def harm(self, process):
        # Its script and the jobs live on, or end as they will.
        for child in _children(process.pid):
            if b"parallel" in _command(child):
                os.kill(child, signal.SIGKILL)
                self.harmed = "GNU parallel was killed, and its shards worked on beside the next run"


class Slurm(Engine):
    name = "slurm"

    @property
    def slurm(self):
        """Where Slurm has its own files. Its configuration knows no quotation marks."""
        return self.folder.parent / "slurm"

    def call(self, verb):
        """Sends the array, waits, and gives the worst exit status of its tasks."""
        script = """
        job=$(sbatch --parsable fleet.sh "$@") || exit 1
        while [ -z "$(squeue -h -o %A)" ]; do sleep 0.2; done
        if [ -e harm ]; then
          rm harm
          until [ -n "$(ls ../bin/used ../bin/killed | grep '^[0-9]')" ]; do sleep 0.05; done
          scancel --batch --signal=TERM "$(squeue -h -t RUNNING -o %A | head -n 1)"
        fi
        while [ -n "$(squeue -h -j "$job" -o %A)" ]; do
          # A task that is queued again waits for two minutes, which nobody needs to wait for here.
          for task in $(squeue -h -j "$job" -t PENDING -o %A); do
            scontrol update "JobId=$task" StartTime=now 2>/dev/null || true
          done
          sleep 0.3
        done
        scontrol show job "$job" | tee -a tasks.log | grep -o ' ExitCode=[0-9]*' |
          cut -d= -f2 | sort -n | tail -n 1 >worst
        exit "$(cat worst)"
        """
        tail = ["retry"] if verb == "retry" else []
        return [str(HERE / "slurm-node.sh"), str(self.slurm), "bash", "-c", script, "bash", *tail]

    def run(self, verb="run", harm=False):
        if harm:
            (self.folder / "harm").touch()
        shutil.rmtree(self.slurm, ignore_errors=True)
        status = super().run(verb)
        tasks = (self.folder / "tasks.log").read_text(encoding="utf-8")
        if re.search(r" Restarts=[1-9]", tasks):
            self.harmed = "a task was told to stop, and went back into the queue"
        return status


class Systemd(Engine):
    name = "systemd"
    file = "migrate-fleet@.service"
    harmed = "a unit was stopped, and started again"

    @property
    def extra(self):
        # A unit does not have the search path of whoever starts it.
        return ("--program", str(self.folder.parent / "bin" / "migrate"))

    def call(self, verb):
        """Starts a unit for each shard, waits, and gives the worst exit status."""
        # What a unit depends on by default is the start of a whole machine.
        script = """
        units=/run/systemd/system
        mkdir -p "$units/migrate-fleet@.service.d"
        cp migrate-fleet@.service "$units/"
        printf '[Unit]\nDefaultDependencies=no\n[Service]\nRestartSec=1\n' \
          >"$units/migrate-fleet@.service.d/alone.conf"
        if [ "$1" = retry ]; then echo FLEET_VERB=retry >/run/migrate-fleet.env; fi
        systemctl daemon-reload
        names=$(seq -f 'migrate-fleet@%.0f' "$2")
        systemctl start $names
        if [ -e harm ]; then
          rm harm
          systemctl stop migrate-fleet@1
          systemctl start migrate-fleet@1
        fi
        while systemctl show -P ActiveState $names | grep -qvE "^(inactive|failed|)$"; do sleep 0.2; done
        exit "$(systemctl show -P ExecMainStatus $names | sort -n | tail -n 1)"
        """
        return [str(HERE / "systemd-node.sh"), str(self.folder.parent / "systemd"), "bash", "-c",
                script, "bash", verb, str(self.shards)]

    def run(self, verb="run", harm=False):
        if harm:
            (self.folder / "harm").touch()
        return super().run(verb)


class Dask(Engine):
    name = "dask"
    file = "fleet.py"

    def call(self, verb):
        return [sys.executable, self.file] + (["--retry"] if verb == "retry" else [])

    def harm(self, process):
        workers = [child for child in _descendants(process.pid) if b"spawn_main" in _command(child)]
        if workers:
            os.kill(workers[0], signal.SIGKILL)
            self.harmed = "a worker of Dask was killed"


class Kubernetes(Engine):
    name = "kubernetes"
    file = "fleet.yaml"
    harmed = "what is tried again, the rules in the file say"

    @property
    def extra(self):
        return ("--mount", str(self.folder), "--image", "registry.example/migrate:1")

    def check(self):
        done = subprocess.run(
            [sys.executable, "-m", "kubernetes_validate", "--strict", self.file],
            cwd=self.folder, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"the file is not what Kubernetes takes:\n{done.stdout}{done.stderr}")
        print(f"  the file is valid for Kubernetes {done.stdout.split()[-1]}; "
              "no cluster was at hand: its command is run here")

    def call(self, verb):
        return [sys.executable, str(HERE / "fleet" / "indexed_job.py"), self.file, verb]


def _command(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_in(folder, entry):
    """Whether the process of an entry of /proc works in a folder."""
    try:
        return os.readlink(entry / "cwd") == str(folder)
    except OSError:
        return False


def _children(process):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = re.sub(r"\(.*\)", "x", path.read_text(errors="replace")).split()
        except OSError:
            continue
        if int(fields[3]) == process:
            found.append(int(fields[0]))
    return found


def _descendants(process):
    found = []
    for child in _children(process):
        found += [child, *_descendants(child)]
    return found


ENGINES = {engine.name: engine for engine in (Parallel, Slurm, Kubernetes, Systemd, Dask)}
