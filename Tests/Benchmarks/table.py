#!/usr/bin/env python3
"""Makes the tables of the README from figures: table.py FIGURES.json ... [--into README.md]

The figures are those that run.sh and peers.sh write with --json. Of several files, a later one
replaces the figures that an earlier one has too, so that sizes can be measured apart. Without --into
the tables are printed; with it they are put between the file's markers.
"""
import argparse
import json
import pathlib

BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
MEBIBYTE = 1 << 20
GROWTH = 1.25


def words(size):
    """A number of objects as people say it."""
    for unit, name in ((1_000_000, "million"), (1_000, "thousand")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return str(size)


def table(heading, lines):
    """A table in Markdown."""
    text = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(text + ["| " + " | ".join(line) + " |" for line in lines])


def at(some, judged):
    """The sizes of some of the figures, where they are not all."""
    if len(some) == len(judged):
        return ""
    return " at " + " and ".join(words(figure["size"]) for figure in some)


def must(figures):
    """What a job must reach, and where it does not: with its proof, or even without."""
    judged = [figure for figure in figures if "goal" in figure]
    goals = list(dict.fromkeys(f"{figure['goal']:.2f}" for figure in judged))
    missed = [
        figure for figure in judged if figure.get("workRatio", figure["ratio"]) > figure["goal"]]
    bare = [figure for figure in judged if not figure["isReached"] and figure not in missed]
    text = " / ".join(goals)
    if bare:
        text += ", without proof" + at(bare, judged)
    if missed:
        text += ", missed" + at(missed, judged)
    return text


def peak(figures):
    """The most memory at the largest size, and what it may be."""
    first, last = figures[0], figures[-1]
    growth = last["peakBytes"] / max(1, first["peakBytes"])
    isReached = last["peakBytes"] <= last["peakGoalBytes"] and growth <= GROWTH
    text = f"{last['peakBytes'] / MEBIBYTE:.0f} ({last['peakGoalBytes'] // MEBIBYTE}"
    if growth > GROWTH:
        text += f", {growth:.1f} times the smallest store's"
    return text + (")" if isReached else ", missed)")


def ratio(figure):
    """A ratio, and in brackets what it is without the engine's proof."""
    text = f"{figure['ratio']:.2f}"
    work = figure.get("workRatio")
    return text if work is None else f"{text} ({work:.2f})"


def jobs(figures):
    """The ratios of every job that was measured at the asked sizes."""
    sizes = sorted({figure["size"] for figure in figures if not figure["isFixedSize"]})
    names = list(dict.fromkeys(figure["name"] for figure in figures))
    lines = []
    for name in names:
        own = sorted((f for f in figures if f["name"] == name), key=lambda figure: figure["size"])
        if own[0]["isFixedSize"]:
            continue
        ratios = {figure["size"]: ratio(figure) for figure in own}
        lines.append(
            [own[0]["title"], own[0]["against"]] + [ratios.get(size, "–") for size in sizes]
            + [must(own), peak(own)])
    heading = ["job", "against"] + [words(size) for size in sizes] + ["must", "peak MiB (must)"]
    return table(heading, lines)


def singles(figures):
    """The figures without a yardstick."""
    lines = []
    for figure in figures:
        title = figure["title"] + (f" ({figure['detail']})" if figure["detail"] else "")
        goal = ""
        if "goal" in figure:
            goal = f"{figure['goal']:g}" + ("" if figure["isReached"] else ", missed")
        lines.append([title, figure["text"], goal])
    return table(["figure", "measured", "must"], lines)


def contenders(figures):
    """How many times the processor time other tools need."""
    lines = []
    for figure in figures:
        ratio = "failed" if figure["ratio"] is None else f"{figure['ratio']:.1f}"
        goal = ""
        if "goal" in figure:
            goal = f"{figure['goal']:g}" + ("" if figure["isReached"] else ", missed")
        lines.append([
            figure["name"], words(figure["objects"]), ratio, goal,
            f"{figure['peakBytes'] / MEBIBYTE:.0f}"])
    return table(
        ["tool", "objects", "times Passage's processor time", "must", "peak MiB"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", nargs="+", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    kinds = {
        "figures": (jobs, lambda figure: (figure["name"], figure["size"])),
        # What the machine did meanwhile is part of the detail, but not of what was measured.
        "singles": (singles, lambda figure: (
            figure["title"], figure["unit"], figure["detail"].partition(", while ")[0])),
        "contenders": (contenders, lambda figure: (figure["name"], figure["objects"])),
    }
    merged = {kind: {} for kind in kinds}
    for path in arguments.figures:
        content = json.loads(path.read_text())
        for kind, (_, identity) in kinds.items():
            merged[kind].update({identity(figure): figure for figure in content.get(kind, [])})
    tables = [
        make(list(merged[kind].values())) for kind, (make, _) in kinds.items() if merged[kind]]
    text = "\n\n".join(tables)
    if arguments.into is None:
        print(text)
        return
    page = arguments.into.read_text()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        parser.error(f"{arguments.into} must have {BEGIN} and {END} once each")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    arguments.into.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


main()
