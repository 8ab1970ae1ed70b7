#!/bin/sh
# A minute of fuzzing where clang is: each target searches on from its corpus. SECONDS_EACH sets the time of one target.
# A finding is left in build-fuzz/findings; it belongs into tests/fuzz/corpus with the fix.
set -eu
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2086 # a list of names
need $packages_test
may_use clang libclang-rt-14-dev
command -v clang++ >/dev/null 2>&1 || {
  echo "clang is not installed: left out"
  exit 0
}
targets='quantity document_yaml document_json rule command_line'
configure build-fuzz -DCMAKE_BUILD_TYPE=Release -DGPUSEL_FUZZ=ON -DGPUSEL_TESTS=ON -DCMAKE_CXX_COMPILER=clang++
# shellcheck disable=SC2086,SC2046 # lists of names
cmake --build build-fuzz -j "$jobs" --target $(printf 'gpusel_fuzz_%s ' $targets)
mkdir -p build-fuzz/findings
for target in $targets; do
  found=build-fuzz/corpus/$target
  mkdir -p "$found"
  echo "fuzzing $target"
  build-fuzz/tests/fuzz/gpusel_fuzz_"$target" -max_total_time="${SECONDS_EACH:-12}" -timeout=10 -rss_limit_mb=4096 \
    -print_final_stats=0 -verbosity=0 -artifact_prefix=build-fuzz/findings/"$target"- \
    "$found" tests/fuzz/corpus/"$target"
done
echo "no finding"
