#!/bin/sh
# Installs what is needed, builds everything with warnings as errors, and runs all tests.
set -eu
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2086 # a list of names
need $packages_test
unpack_valijson build
configure build -DCMAKE_BUILD_TYPE=Release -DGPUSEL_TESTS=ON -DGPUSEL_WERROR=ON
cmake --build build -j "$jobs"
ctest --test-dir build --output-on-failure -j "$jobs"
