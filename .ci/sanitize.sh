#!/bin/sh
# Everything again under AddressSanitizer and UndefinedBehaviorSanitizer. What only parses sources ran before.
set -eu
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2086 # a list of names
need $packages_test
unpack_valijson build-sanitize
configure build-sanitize -DCMAKE_BUILD_TYPE=Debug -DGPUSEL_TESTS=ON -DGPUSEL_SANITIZE=ON
cmake --build build-sanitize -j "$jobs"
UBSAN_OPTIONS=print_stacktrace=1 \
  ctest --test-dir build-sanitize --output-on-failure -j "$jobs" -E '^(compile_fail|layering)\.'
