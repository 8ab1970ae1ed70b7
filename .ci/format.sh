#!/bin/sh
# The form of the sources: clang-format decides; the table of layers and sizes holds.
set -eu
. "$(dirname "$0")/lib.sh"

sh tests/layering/layering.sh .
may_use clang-format
if command -v clang-format >/dev/null 2>&1; then
  find src include tests -name '*.cpp' -o -name '*.h' | sort | xargs clang-format --dry-run --Werror
else
  echo "clang-format is not installed: the form of the sources is not checked"
fi
