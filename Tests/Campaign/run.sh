#!/usr/bin/env bash
# Attacks the program “migrate” and reports every promise that breaks; README.md says how.
#   Tests/Campaign/run.sh CAMPAIGN [--size N] [--seed S] [--binary PATH] [--library PATH] [--jobs J]
#                         [--only SCENARIOS] [--errors ERRORS] [--seconds T]
#                         [--scratch FOLDER]
# CAMPAIGN is kills, calls, power, races, damage, hostile, growth, pages, all of them with “all”, or
# “gate”: a small part of each with a fresh seed, in about four minutes.
# Needs python3, a C compiler and, for “pages”, the program sqlite3. The exit status is 1 when anything was found.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here"
exec python3 -m campaign "$@"
