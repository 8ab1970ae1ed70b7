#!/bin/sh
# clang-tidy on the sources that changed since the previous commit, or on a share of all where that is not known; at most
# 40 files, about 6 minutes on two cores. Needs the compile commands of build/. ALL=1 takes every file.
set -eu
. "$(dirname "$0")/lib.sh"

may_use clang-tidy
command -v clang-tidy >/dev/null 2>&1 || {
  echo "clang-tidy is not installed: left out"
  exit 0
}
[ -f build/compile_commands.json ] || configure build -DCMAKE_BUILD_TYPE=Release -DGPUSEL_TESTS=ON -DGPUSEL_WERROR=ON

most=40
# parser.cpp alone takes a minute: CLI11 is one header.
all=$(find src -name '*.cpp' ! -path src/cli/parser.cpp | sort)
if [ "${ALL:-0}" = 1 ]; then
  files=$all
elif git rev-parse -q --verify HEAD~1 >/dev/null 2>&1; then
  files=$(git diff --name-only --diff-filter=d HEAD~1 -- 'src/*.cpp' | grep -vx src/cli/parser.cpp | head -n $most || true)
else
  # A clone without history: every n-th file, so many that it fits.
  files=$(echo "$all" | awk -v most=$most '{ line[NR] = $0 } END { step = int((NR + most - 1) / most); for (i = 1; i <= NR; i += step) print line[i] }')
fi
[ -n "$files" ] || {
  echo "no source has changed"
  exit 0
}
echo "$files" | wc -l | xargs echo "files:"
echo "$files" | xargs -n 1 -P "$jobs" clang-tidy -p build --quiet --warnings-as-errors='*'
