#!/usr/bin/env python3
"""Looks at pages of `migrate --report` and at drawings in a browser: see run.sh."""

import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

import chromium
import projects

WIDTHS = (1280, 400)
SCHEMES = ("light", "dark")


def pages(program, root, folder):
    """Writes the pages that are looked at; yields their names and paths."""
    small = os.path.join(folder, "example")
    projects.example(root, small)
    main = ("--mappings", "StepOne,StepTwo")
    projects.migrate(program, small, "plan", *main, "--report", "plan.html")
    projects.migrate(program, small, *main, "--report", "run.html")
    projects.migrate(program, small, "verify", *main, "--report", "verify.html")
    with open(os.path.join(small, "Mappings/StepTwo.json"), encoding="utf-8") as file:
        text = file.read().replace("timeStamp != nil", "timeStmp != nil")
    with open(os.path.join(small, "Mappings/Wrong.json"), "w", encoding="utf-8") as file:
        file.write(text)
    projects.migrate(program, small, "--mappings", "StepOne,Wrong", "--output", "new.sqlite",
                     "--report", "failed.html", status=65)
    for name in ("plan", "run", "verify", "failed"):
        yield name, os.path.join(small, f"{name}.html")
    projects.migrate(program, small, "rehearse", "--seed", "1", "--size", "5", "--stores",
                     "Migrations/Sample", "--report", "rehearse.html")
    yield "rehearse", os.path.join(small, "rehearse.html")
    many = os.path.join(folder, "many")
    os.mkdir(many)
    projects.rehearsed(program, many)
    projects.migrate(program, many, "rehearse", "--infer", "--seed", "1", "--size", "20", "--stores",
                     "Samples", "--report", "rehearse.html", status=41)
    yield "many-ways", os.path.join(many, "rehearse.html")
    fleet = os.path.join(folder, "fleet")
    os.mkdir(fleet)
    projects.fleet(program, root, fleet)
    projects.migrate(program, fleet, "fleet", "report", "fleet.jsonl", "other.jsonl", "--output",
                     "fleet.html")
    yield "fleet", os.path.join(fleet, "fleet.html")
    big = os.path.join(folder, "large")
    os.mkdir(big)
    projects.large(program, big)
    projects.migrate(program, big, "plan", "--report", "plan.html")
    projects.migrate(program, big, "--report", "run.html")
    # A drawing alone is put into a page, in a box that scrolls.
    for name, path in (("model", "Migrations/Large 2.json"), ("mapping", "Mappings/First.json"),
                       ("history", "Migrations")):
        drawing = projects.migrate(program, big, "diagram", path).stdout
        with open(os.path.join(big, f"{name}.html"), "w", encoding="utf-8") as file:
            file.write("<!doctype html><meta charset='utf-8'><body>"
                       f"<div style='overflow-x: auto'>{drawing}</div>")
        yield name, os.path.join(big, f"{name}.html")
    yield "large-plan", os.path.join(big, "plan.html")
    yield "large-run", os.path.join(big, "run.html")


def look(browser, script, name, path, width, scheme):
    """What is wrong with a page in a window."""
    browser.open(path, width, scheme)
    result = browser.evaluate(script)
    found = list(result["found"])
    found += [f"the console says: {message}" for message in browser.messages]
    others = [url for url in browser.requests if url != "file://" + os.path.abspath(path)]
    found += [f"the page loads {url}" for url in others]
    state = "ok" if not found else "WRONG"
    print(f"{name:12} {width:5} {scheme:6} {result['count']:6} texts, "
          f"contrast from {result['least']:.2f}: {state}")
    for sentence in found:
        print(f"  {sentence}")
    return bool(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--migrate", required=True, help="the program")
    parser.add_argument("--pictures", help="a folder for a picture of each page")
    arguments = parser.parse_args()
    path = chromium.find()
    if not path:
        print("SKIPPED: there is no Chromium here, so no page was looked at "
              "(apt-get install chromium)")
        return 0
    with open(os.path.join(here, "check.js"), encoding="utf-8") as file:
        script = file.read()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="passage-pages-") as folder:
        browser = chromium.Chromium(path)
        try:
            program = os.path.abspath(arguments.migrate)
            for name, page in pages(program, os.path.dirname(os.path.dirname(here)), folder):
                for width in WIDTHS:
                    for scheme in SCHEMES:
                        wrong += look(browser, script, name, page, width, scheme)
                        if arguments.pictures:
                            os.makedirs(arguments.pictures, exist_ok=True)
                            browser.open(page, width, scheme)
                            browser.screenshot(os.path.join(
                                arguments.pictures, f"{name}-{width}-{scheme}.png"))
        finally:
            browser.close()
    print(f"{wrong} windows show something wrong" if wrong else "all windows are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
