#!/usr/bin/env bash
# Rehearses a large fleet on one host: Tests/Fleet/scale.sh [COUNT] [SEED] [--binary PATH] [--kills N]
# Stores of mixed versions and sizes, 0.5 % damaged, 1 % locked by others. The run is killed and started
# again until it ends; totals, failures and contents are compared with what was made; what was locked is
# retried, and a second run may touch nothing. Prints rates and the peak of memory.
# Exit status 0 when all is as it must be, 1 for a finding.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
source "$here/tools.sh"
run_module fleet.scale "$@"
