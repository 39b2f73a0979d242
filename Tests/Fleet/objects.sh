#!/usr/bin/env bash
# Migrates stores in an object storage, moto's server on this machine, through objects.py:
#   Tests/Fleet/objects.sh [COUNT] [SEED] [--binary PATH]
# The command is killed at every step of a store; then no store may be lost, half, or published twice,
# and each must have its old version. Somebody else replaces a store between fetching and publishing.
# Exit status 0 when all is as it must be, 1 for a finding, 77 when the server cannot be had here.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
source "$here/tools.sh"
package moto 'moto[server]' boto3
run_module fleet.objects "$@"
