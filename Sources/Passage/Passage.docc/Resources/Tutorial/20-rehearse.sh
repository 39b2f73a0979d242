#!/bin/sh
# For each commit: mistakes in the project, and every way from every version.
set -eu
mkdir -p results
swift run app-migrate rehearse --stores Samples --junit results/rehearsal.xml
