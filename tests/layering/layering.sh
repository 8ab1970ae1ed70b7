#!/bin/sh
# The rules of the source tree that a compiler does not see. Usage: layering.sh ROOT
# docs/architecture.md states them; this is the table of layers in the form that is checked.
set -eu

cd "$1"
faults=$(mktemp)
trap 'rm -f "$faults"' EXIT

sources() {
  find "$@" -name '*.cpp' -o -name '*.h' | sort
}

# 1. A layer includes only the layers that its line allows (itself always), and its private headers are its own.
sources src include | xargs awk '
  BEGIN {
    low = "base units diag data"
    allow["base"] = ""
    allow["units"] = "base"
    allow["diag"] = "base units"
    allow["data"] = "base units diag"
    allow["bake"] = low
    allow["catalog"] = low
    allow["estimate"] = low " catalog"
    allow["workload"] = low " catalog estimate"
    allow["cost"] = low " catalog estimate"
    allow["rules"] = low
    allow["recommend"] = low " catalog estimate workload cost rules"
    allow["plan"] = low " catalog estimate workload cost rules recommend"
    allow["report"] = "base units diag"
    allow["importer"] = low " catalog"
    allow["cli"] = low " catalog estimate workload cost rules recommend plan report importer"
    for (layer in allow) {
      n = split(allow[layer] " " layer, words, " ")
      for (i = 1; i <= n; ++i) allowed[layer, words[i]] = 1
    }
  }
  function exists(path, line, result) {
    result = (getline line < path) >= 0
    close(path)
    return result
  }
  function fault(text) { print FILENAME ":" FNR ": " text }
  FNR == 1 {
    layer = FILENAME
    sub(/^src\//, "", layer)
    sub(/^include\/gpusel\//, "", layer)
    layer = layer ~ /\// ? substr(layer, 1, index(layer, "/") - 1) : "program"
    if (layer != "program" && !(layer in allow)) fault("layer \"" layer "\" stands in no table")
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    name = part[2]
    if (layer == "program") next
    if (name ~ /^gpusel\//) {
      split(name, words, "/")
      if (!((layer, words[2]) in allowed)) fault("layer " layer " may not include " name)
    } else {
      own = FILENAME
      sub(/[^\/]*$/, "", own)
      found = index(name, layer "/") == 1 && exists("src/" name)
      if (!found && !exists(own name) && !exists("src/" layer "/" name))
        fault("\"" name "\" is no header of layer " layer)
    }
  }' >>"$faults"

# 2. Heavy third-party headers stay in the few files that are their home.
home() {
  pattern=$1
  homes=$2
  sources src include tests | grep -Ev "$homes" | xargs grep -nE "^ *# *include *[<\"]$pattern" /dev/null >>"$faults" ||
    true
}
home 'yaml-cpp/' '^src/data/yaml_[a-z_]*\.cpp$'
home 'nlohmann/' '^(src/data/json_[a-z_]*|src/report/json_writer|tests/.*)\.cpp$'
home 'CLI/' '^src/cli/parser\.cpp$'
home 'spdlog/' '^src/diag/log\.cpp$'
home 'xxhash' '^src/data/fingerprint\.cpp$'
home 'iostream' '^(src/main\.cpp|src/bake/main\.cpp|src/base/io\.cpp|src/diag/log\.cpp|tests/.*)$'
home 'benchmark/' '^tests/bench/.*\.cpp$'
home 'ranges>' '^$'
sources src/base include/gpusel/base | xargs grep -nE '^ *# *include *[<"](fmt|spdlog|yaml-cpp|nlohmann|CLI)/' >>"$faults" || true

# 3. Files fit a reader.
sources src include tests | xargs awk 'FNR == 501 { print FILENAME ": longer than 500 lines" }' >>"$faults"

# 4. Only main ends the program, only io.cpp knows the standard streams, bugs go through GPUSEL_BUG.
sources src include | grep -Ev '^src/(main|bake/main|base/bug)\.cpp$' | xargs awk '
  { code = $0; sub(/\/\/.*/, "", code) }
  code ~ /(^|[^A-Za-z0-9_.>])(std::|::)?(exit|abort|assert|_Exit|quick_exit|terminate)\(/ { print FILENAME ":" FNR ": ends the program: " $0 }
  FILENAME != "src/base/io.cpp" && code ~ /std::(cout|cerr|clog|cin)|[^a-z_:]printf\(|[^a-z_]fprintf\(|[^a-z_]puts\(/ {
    print FILENAME ":" FNR ": uses a standard stream: " $0
  }
  code ~ /(^|[^A-Za-z0-9_])getenv\(/ { print FILENAME ":" FNR ": reads the environment beside Io: " $0 }
  FILENAME != "src/base/io.cpp" && code ~ /system_clock::now|std::time\(/ { print FILENAME ":" FNR ": reads the clock beside Io: " $0 }
  ' >>"$faults"

# 5. Every header is guarded, and brings no namespace into those who include it.
sources src include tests | grep '\.h$' | xargs awk '
  FNR == 1 { if (NR > 1 && !once) print last ": no #pragma once"; once = 0; last = FILENAME }
  /^#pragma once/ { once = 1 }
  /^ *using namespace / { print FILENAME ":" FNR ": using namespace in a header" }
  END { if (!once) print last ": no #pragma once" }' >>"$faults"

# 6. A registry finds files by name: the constant is named as the file, and its id is the rest of the name.
for entry in catalog/check_ report/format_ report/findings_ workload/kind_ cost/model_ cli/cmd_; do
  prefix=${entry#*/}
  for file in src/"$entry"*.cpp; do
    stem=$(basename "$file" .cpp)
    id=${stem#"$prefix"}
    # The first text of the constant; commands have a blank where the file has an underscore, the others a hyphen.
    found=$(awk -v stem="$stem" '
      match($0, stem "( = )?[{]") { inside = 1; $0 = substr($0, RSTART + RLENGTH) }
      inside && match($0, /"[^"]*"/) { print substr($0, RSTART + 1, RLENGTH - 2); exit }
      ' "$file")
    case $prefix in cmd_) wanted=$(echo "$id" | tr _ ' ') ;; *) wanted=$(echo "$id" | tr _ -) ;; esac
    [ "$found" = "$wanted" ] || echo "$file: the id of '$stem' is '$found', expected '$wanted'" >>"$faults"
  done
done

# 7. The top level is fixed.
for entry in *; do
  case $entry in
  CMakeLists.txt | LICENSE | README.md | data | docs | include | src | tests | build*) ;;
  *) echo "$entry: does not belong at the top level" >>"$faults" ;;
  esac
done

# 8. Nothing unfinished, no tabs, no trailing blanks.
sources src include tests | xargs grep -nE '(TODO|FIXME)|	| $' >>"$faults" || true

if [ -s "$faults" ]; then
  cat "$faults"
  echo "$(wc -l <"$faults") faults"
  exit 1
fi
echo "$(sources src include tests | wc -l) files in order"
