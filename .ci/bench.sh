#!/bin/sh
# Instructions of whole runs against the bounds of .ci/bench.bounds: they don't depend on the load of the machine.
set -eu
. "$(dirname "$0")/lib.sh"

may_use valgrind
command -v valgrind >/dev/null 2>&1 || {
  echo "valgrind is not installed: left out"
  exit 0
}
failed=0
while read -r bound arguments; do
  case $bound in '' | '#'*) continue ;; esac
  # shellcheck disable=SC2086 # the arguments of a command line
  count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null build/src/gpusel $arguments 2>&1 >/dev/null </dev/null |
    awk '/Collected/ { print $NF }')
  echo "$count of $bound instructions: gpusel $arguments"
  [ "${count:-0}" -gt 0 ] && [ "$count" -le "$bound" ] || failed=1
done <.ci/bench.bounds
[ "$failed" -eq 0 ] || {
  echo "above the bound (or not counted)"
  exit 1
}
