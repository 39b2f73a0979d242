"""The entry of the campaigns: see ../README.md."""

import argparse
import concurrent.futures
import multiprocessing
import os
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path

from . import calls, damage, growth, hostile, kills, pages, power, races
from . import shim as shims
from .bench import Bench
from .report import Outcome, Report
from .scenarios import all_scenarios, learn

ROOT = Path(__file__).resolve().parents[3]

# Each campaign's module, and its usual size.
CAMPAIGNS = {
    "kills": (kills, 500),
    "calls": (calls, 2000),
    "power": (power, 4000),
    "races": (races, 60),
    "damage": (damage, 1000),
    "hostile": (hostile, 1),
    "growth": (growth, 4000),
    "pages": (pages, 2000),
}

# The slice of the gate: the size of each campaign, and after how many seconds no trial begins. The
# sum stays at about four minutes with what making the stores takes.
SLICE = {
    "hostile": (1, 60),
    "kills": (300, 30),
    "calls": (2000, 45),
    "power": (4000, 25),
    "races": (60, 20),
    "damage": (2000, 25),
    "growth": (2000, 30),
    "pages": (2000, 8),
}

# Their trials share a folder and the machine, so they are never run at once.
ONE_BY_ONE = {"growth"}
# These make stores of their own.
WITHOUT_SCENARIOS = {"damage", "hostile", "growth", "pages"}

# What one of the working processes keeps between its trials.
_worker = {}


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Campaign/run.sh")
    parser.add_argument("campaign", choices=[*CAMPAIGNS, "all", "gate"])
    parser.add_argument("--size", type=int, help="how many trials; of “calls”, 0 for all")
    parser.add_argument("--seed", help="of all random choices; a new one is printed")
    parser.add_argument("--binary", type=Path, help="the program “migrate”")
    parser.add_argument("--library", type=Path, help="the program that calls the library")
    parser.add_argument("--jobs", type=int, default=1, help="trials at once")
    parser.add_argument("--only", default="", help="scenarios, with commas between")
    parser.add_argument("--errors", default="", help="of “calls”: only these, with commas between")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no trial begins later")
    parser.add_argument("--scratch", type=Path, help="where the trials' folders are made")
    found = parser.parse_args()
    found.binary = found.binary or built("migrate")
    found.library = found.library or built("campaign-library")
    if found.binary is None:
        parser.error("there is no program “migrate”: swift build -c release --product migrate")
    # The trials run in folders of their own.
    found.binary = found.binary.resolve()
    found.library = found.library and found.library.resolve()
    return found


def built(product):
    """A product, the release before the debug one; `None` when none is built."""
    for kind in ("release", "debug"):
        path = ROOT / ".build" / kind / product
        if path.exists():
            return path
    return None


def learned(bench):
    """The commands to be attacked, each run once undisturbed."""
    scenarios = {
        scenario.name: scenario for scenario in all_scenarios(bench)
        if not bench.only or scenario.name in bench.only}
    for scenario in scenarios.values():
        learn(bench, scenario)
    return scenarios


def start_worker(bench, module, scenarios):
    _worker.update(bench=bench.own(), module=module, scenarios=scenarios)


def run_task(task):
    bench = _worker["bench"]
    if time.monotonic() > bench.deadline:
        return Outcome()
    return _worker["module"].trial(bench, _worker["scenarios"], task)


def run_campaign(name, bench, scenarios, size, jobs):
    module, usual = CAMPAIGNS[name]
    report = Report(name, bench.seed)
    jobs = 1 if name in ONE_BY_ONE else jobs
    tasks = module.tasks(bench, scenarios, usual if size is None else size)
    with concurrent.futures.ProcessPoolExecutor(
        jobs, multiprocessing.get_context("fork"), start_worker, (bench, module, scenarios)
    ) as pool:
        try:
            for outcome in pool.map(run_task, tasks, chunksize=max(1, min(20, len(tasks) // 50))):
                report.add(outcome)
        except KeyboardInterrupt:
            # What was found until then is reported.
            pool.shutdown(wait=False, cancel_futures=True)
    return report.finish()


def main():
    options = arguments()
    seed = options.seed or secrets.token_hex(4)
    parent = options.scratch or (Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None)
    scratch = Path(tempfile.mkdtemp(prefix="passage-campaign-", dir=parent))
    print(f"seed {seed}, {options.binary}", flush=True)
    found = 1
    try:
        bench = Bench(
            options.binary, options.library, scratch / "main", shims.build(scratch), seed,
            set(filter(None, options.only.split(","))),
            set(filter(None, options.errors.split(","))))
        found = run_all(bench, options)
    finally:
        if found and (scratch / "main" / "findings").exists():
            print(f"folders of findings are kept in {scratch}/main/findings")
        else:
            shutil.rmtree(scratch, ignore_errors=True)
    sys.exit(1 if found else 0)


def run_all(bench, options):
    """Runs the campaigns that were asked for; gives the number of findings."""
    slices = {options.campaign: (options.size, options.seconds)}
    if options.campaign == "all":
        slices = {name: (options.size, options.seconds) for name in CAMPAIGNS}
    elif options.campaign == "gate":
        slices = SLICE
        options.jobs = max(options.jobs, 2)
    scenarios = {} if WITHOUT_SCENARIOS.issuperset(slices) else learned(bench)
    if scenarios and not bench.library:
        print("the program that calls the library is not built: its scenarios are left out")
    found = 0
    for name, (size, seconds) in slices.items():
        bench.deadline = time.monotonic() + seconds
        found += run_campaign(name, bench, scenarios, size, options.jobs)
    return found


main()
