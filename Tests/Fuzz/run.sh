#!/usr/bin/env bash
# Feeds each reader of foreign bytes with mutated input for SECONDS seconds (default 30), watched by the
# compiler's address sanitizer.
#   Tests/Fuzz/run.sh [SECONDS]
# Up to a minute it is built without optimisation, which saves more time than it costs.
# A finding is written to Tests/Fuzz/.build/findings and makes the script fail.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:-30}"
targets=(FuzzModel FuzzMapping FuzzPredicate FuzzPropertyList FuzzArchive FuzzXcodeMapping FuzzAtomicStore
  FuzzXcodeModel)

build=(swift build --sanitize=fuzzer --sanitize=address)
if [ "$seconds" -gt 60 ]; then build+=(-c release); fi
"${build[@]}"
binaries="$("${build[@]}" --show-bin-path)"
mkdir -p .build/findings

# The seeds of each target: what it has found before comes first.
seeds() {
  case "$1" in
    FuzzModel) echo ../../Migrations ;;
    FuzzMapping) echo ../../Mappings ../../Migrations ;;
    FuzzPredicate) echo Seeds/predicates ;;
    FuzzPropertyList) echo Seeds/property-lists ;;
    FuzzArchive) echo Seeds/archives ;;
    FuzzAtomicStore) echo Seeds/atomic ;;
    FuzzXcodeMapping) echo Seeds/mappings ;;
    FuzzXcodeModel) echo Seeds/models ;;
  esac
}

# The crash handler of Swift would hide the line that names the finding.
export SWIFT_BACKTRACE=enable=no
# Leaks are not looked for: the Swift runtime keeps what it made once, and Foundation's XML parser what it
# said of errors.
export ASAN_OPTIONS=detect_leaks=0

# Runs a target in rounds of ten minutes: Foundation's XML parser keeps some hundred bytes of each file
# that it has read, which millions of inputs add up to the bound of memory.
fuzz() {
  local target="$1" left="$seconds" part
  mkdir -p ".build/corpus/$target"
  while [ "$left" -gt 0 ]; do
    part=$((left < 600 ? left : 600))
    # shellcheck disable=SC2046
    "$binaries/$target" ".build/corpus/$target" $(seeds "$target") \
      -max_total_time="$part" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -detect_leaks=0 -dict=words.dict \
      -artifact_prefix=".build/findings/$target-" -print_final_stats=1 || return 1
    left=$((left - part))
  done
}

running=()
for target in "${targets[@]}"; do
  fuzz "$target" >".build/$target.log" 2>&1 &
  running+=($!)
done

failed=0
for index in "${!targets[@]}"; do
  target="${targets[$index]}"
  if wait "${running[$index]}"; then
    inputs="$(awk '/number_of_executed_units/ { sum += $2 } END { print sum + 0 }' ".build/$target.log")"
    echo "$target: $inputs inputs, nothing found"
  else
    failed=1
    echo "$target: a finding" >&2
    tail -20 ".build/$target.log" >&2
  fi
done
exit "$failed"
