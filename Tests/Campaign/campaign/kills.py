"""Kills at random moments: the program is killed from outside and run again until it is done."""

import time
from pathlib import Path

from . import process
from .bench import Judge
from .report import Finding, Outcome

# One trial kills at most so often before it lets the program end.
MOST_KILLS = 6


def tasks(bench, scenarios, size):
    """`size` kills, shared among the scenarios; each task is one trial."""
    return [(name, number) for number in range(max(1, size // len(scenarios)))
            for name in scenarios]


def trial(bench, scenarios, task):
    name, number = task
    scenario = scenarios[name]
    dice = bench.dice("kills", name, number)
    judge = Judge(bench, scenario)
    folder = scenario.copy(bench.scratch / "trial")
    outcome = Outcome()
    moments = []

    def find(problems, moment=""):
        how = f"--only {name} --seed {bench.seed}, trial {number}: killed after " + (
            ", ".join(f"{1000 * moment:.1f} ms" for moment in moments) or "nothing")
        outcome.findings += [Finding(name, problem, how, moment) for problem in problems]

    outcome.counts["trials"] += 1
    wanted = dice.randint(1, MOST_KILLS)
    # A run on a busy machine is slower than the undisturbed one was.
    span = scenario.seconds * 1.3
    for _ in range(wanted):
        moment = dice.uniform(0, span)
        child = process.start(scenario.command(bench), folder)
        time.sleep(moment)
        child.kill()
        ending = process.finish(child)
        if ending.status == -9:
            moments.append(moment)
            outcome.counts["kills"] += 1
        elif ending.status != 0:
            find([f"the same command again: {ending.title}"], ending.message)
        problems = judge.interrupted(Path(folder))
        find(problems)
        if problems or ending.status == 0:
            break
    if not outcome.findings:
        problems, ending = judge.rerun(folder)
        find(problems, ending.message if problems else "")
    if not outcome.findings and number % 2 == 0:
        outcome.counts["second stores"] += 1 if scenario.kept else 0
        find(judge.second(folder))
    return outcome
