"""The command line of check-circles."""

import argparse
from pathlib import Path

from .folders import Folders
from .graph import circles, order_with_fewest_cuts
from .picture import draw

ROOT = Path(__file__).resolve().parents[2]


def main(arguments):
    options = _parse(arguments)
    folders = Folders(options.sources)
    if options.why:
        return _why(folders, *options.why)
    chosen = folders.folders
    if options.within:
        if options.within not in folders.modules:
            raise SystemExit(f"there is no module {options.within} in {options.sources}")
        chosen = [one for one in chosen if one.split("/")[0] == options.within]
    edges = {a: {b for b in folders.names[a] if b in chosen} for a in chosen}
    found = circles(chosen, edges)
    for number, circle in enumerate(found, 1):
        _print_circle(number, circle, folders)
    if options.picture:
        options.picture.write_text(draw(chosen, edges), encoding="utf-8")
    arrows = sum(len(others) for others in edges.values())
    print(f"{len(chosen)} folders, {arrows} arrows, {len(found)} circles")
    return 1 if found else 0


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="check-circles",
        description="Finds folders of the sources that name each other's types in a circle. "
        "Exits with 1 when there is one.")
    parser.add_argument(
        "--sources", type=Path, default=ROOT / "Sources", help="the folder of the modules")
    parser.add_argument("--within", metavar="MODULE", help="look at one module alone")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="draw the folders")
    parser.add_argument(
        "--why", nargs=2, metavar=("A", "B"), help="list the names by which folder A names folder B")
    return parser.parse_args(arguments)


def _why(folders, a, b):
    for folder in (a, b):
        if folder not in folders.folders:
            raise SystemExit(f"there is no folder {folder} in {folders.sources}")
    for name, named in sorted(folders.names[a][b].items()):
        print(f"{name}  ({named.declared})")
        for use in sorted(set(named.uses)):
            print(f"    {use}")
    print(f"{a} names {len(folders.names[a][b])} of {b}")
    return 0


def _print_circle(number, circle, folders):
    """The folders of a circle, and the fewest names that must go or move to open it."""
    order = order_with_fewest_cuts(circle, lambda a, b: len(folders.names[a][b]))
    print(f"circle {number}: {len(circle)} folders")
    print("  would stand, from the ground up: " + ", ".join(order))
    print("  were it not for:")
    for place, lower in enumerate(order):
        for upper in order[place + 1:]:
            for name, named in sorted(folders.names[lower][upper].items()):
                users = sorted({use.rsplit(":", 1)[0] for use in named.uses})
                print(f"    {lower} -> {upper}: {name}")
                print(f"      declared in {named.declared}")
                print(f"      named in {', '.join(users)}")
