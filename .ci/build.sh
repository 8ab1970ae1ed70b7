#!/bin/sh
# Installs what is needed, builds the program, and prints a first answer.
set -eu
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2086 # a list of names
need $packages_build
configure build -DCMAKE_BUILD_TYPE=Release -DGPUSEL_TESTS=OFF
cmake --build build -j "$jobs"
build/src/gpusel recommend --workload llm-train --params 10B
