#!/bin/sh
# Cases that need the real program: pipes, the environment, the file system. Usage: process.sh GPUSEL CASE
set -eu

gpusel=$1
case_name=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"

# Settings of whoever runs the tests must not reach the program.
unset GPUSEL_CATALOG GPUSEL_FORMAT GPUSEL_TOP COLUMNS NO_COLOR 2>/dev/null || true
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data"

fail() {
  echo "$case_name: $*"
  exit 1
}

# status N COMMAND…: the exit code of COMMAND is N.
status() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  [ "$code" -eq "$wanted" ] || {
    cat out err
    fail "exit code $code, expected $wanted: $*"
  }
}

same() {
  cmp -s "$1" "$2" || {
    diff "$1" "$2" | head -20
    fail "'$1' and '$2' differ"
  }
}

empty() {
  [ ! -s "$1" ] || {
    head -5 "$1"
    fail "'$1' is not empty"
  }
}

recommend() {
  "$gpusel" recommend --workload llm-train --params 1B --as-of 2026-11-20 "$@"
}

case $case_name in
closed_pipe)
  # The reader leaves first: no message, no signal that a shell would report.
  { code=0; recommend --json --all --top 1000 2>err || code=$?; echo "$code" >code; } | head -c 1 >/dev/null
  empty err
  case $(cat code) in 0 | 141) ;; *) fail "exit code $(cat code)" ;; esac
  ;;
no_home)
  recommend >first
  env -u HOME -u XDG_CONFIG_HOME -u XDG_DATA_HOME "$gpusel" recommend --workload llm-train --params 1B \
    --as-of 2026-11-20 >second
  same first second
  env -i "$gpusel" recommend --workload llm-train --params 1B --as-of 2026-11-20 >third
  same first third
  ;;
language)
  LC_ALL=C recommend >first
  LC_ALL=zh_CN.UTF-8 LANG=zh_CN.UTF-8 recommend >second
  LC_ALL=de_DE.UTF-8 recommend >third
  same first second
  same first third
  ;;
time_zone)
  TZ=UTC recommend >first
  TZ=Pacific/Kiritimati recommend >second
  TZ=America/Los_Angeles recommend >third
  same first second
  same first third
  ;;
repeat)
  recommend --json --all --top 200 --show-rejected >first
  recommend --json --all --top 200 --show-rejected >second
  same first second
  recommend >first
  recommend >second
  same first second
  ;;
columns)
  # Without a terminal the width is 100; COLUMNS sets another.
  recommend >first
  COLUMNS=100 recommend >second
  same first second
  COLUMNS=80 recommend >narrow
  sed 's/…/./g' narrow | awk 'length($0) > 80 { exit 1 }' || fail "a line is wider than 80 columns"
  ;;
output_file)
  recommend --json >wanted
  status 0 recommend --json --output answer.json
  empty out
  empty err
  same wanted answer.json
  recommend --json --output - >again
  same wanted again
  ;;
output_refused)
  # A folder that refuses: exit 3, and nothing half-written. Root may write anywhere, so a missing folder stands in too.
  status 3 recommend --json --output missing/answer.json
  empty out
  mkdir locked
  echo before >locked/answer.json
  chmod a-w locked
  if ! touch locked/probe 2>/dev/null; then
    status 3 recommend --json --output locked/answer.json
    [ "$(cat locked/answer.json)" = before ] || fail "the file was changed"
  fi
  status 3 recommend --json --output locked
  [ "$(ls -A locked)" = answer.json ] || [ "$(ls -A locked)" = "answer.json
probe" ] || fail "something was left behind: $(ls -A locked)"
  ;;
streams)
  # Results on standard output only, everything else on standard error.
  status 0 recommend --json
  empty err
  head -c 1 out | grep -q '{' || fail "standard output is no JSON"
  status 2 "$gpusel" recommend --worklod llm-train
  empty out
  grep -q 'did you mean' err || fail "no suggestion"
  status 0 recommend --verbose
  [ -s err ] || fail "--verbose says nothing on standard error"
  ;;
standard_input)
  printf 'workload: llm-train\nparams: 1B\n' >work.yaml
  "$gpusel" recommend --as-of 2026-11-20 --workload work.yaml --format csv >first
  "$gpusel" recommend --as-of 2026-11-20 --workload - --format csv <work.yaml >second
  same first second
  status 3 sh -c "printf 'workload: [' | '$gpusel' recommend --workload -"
  grep -q '<standard input>:1:' err || fail "the fault has no place"
  ;;
exit_codes)
  status 0 "$gpusel" --version
  status 0 "$gpusel" --help
  status 2 "$gpusel"
  status 2 "$gpusel" recomend
  status 1 "$gpusel" recommend --workload llm-train --params 10T --nodes 1
  status 2 recommend --deadline 7
  status 3 recommend --catalog missing.yaml
  printf 'provider: [' >broken.yaml
  status 3 "$gpusel" catalog check broken.yaml
  printf 'provider: mine\nnmae: Mine\n' >faulty.yaml
  status 1 "$gpusel" catalog check faulty.yaml
  status 0 "$gpusel" catalog check
  status 0 "$gpusel" estimate --workload llm-train --params 70B --on nvidia-l4-24gb
  ;;
hostile_files)
  # A folder, a device and a file of zeros where a file is expected; none hangs or takes the memory.
  mkdir folder.yaml
  status 3 "$gpusel" recommend --workload folder.yaml
  status 3 "$gpusel" recommend --workload ./.
  head -c 100000 /dev/zero >zeros.yaml
  status 3 "$gpusel" catalog check zeros.yaml
  awk 'BEGIN { for (i = 0; i < 100000; ++i) printf "[" }' >deep.yaml
  status 3 "$gpusel" catalog check deep.yaml
  status 3 timeout 20 "$gpusel" recommend --workload - </dev/zero
  # Bytes that are not UTF-8, an alias bomb and five megabytes of instances: each answered with a place.
  printf 'provider: x\nname: "\377"\n' >latin.yaml
  status 3 "$gpusel" catalog check latin.yaml
  grep -q '^latin.yaml:2:8: error' out || fail "no place in $(head -1 out)"
  printf 'provider: x\na: &a [1, 2]\nb: &b [*a, *a]\nname: *b\n' >bomb.yaml
  status 3 "$gpusel" catalog check bomb.yaml
  grep -q '^bomb.yaml:2:4: error' out || fail "no place in $(head -1 out)"
  awk 'BEGIN {
    print "provider: large\nname: Large\nsources:\n  s: {url: \"https://large.example\", date: 2026-11-01, confidence: verified}\ninstances:"
    for (i = 0; i < 50000; ++i) printf "  - {id: i%d, gpu: nvidia-h100-sxm5-80gb, count: 8, vcpus: 96, memory: 1024 GiB, network: 400 Gbps, source: s}\n", i
    print "  - {id: last, gpu: nvidia-h1000, count: 8, source: s}"
  }' >large.yaml
  [ "$(wc -c <large.yaml)" -gt 5000000 ] || fail "the large file is small"
  status 1 timeout 60 "$gpusel" catalog check large.yaml
  grep -q '^large.yaml:50006:21: error: there is no gpu' out || fail "no place in $(head -1 out)"
  ;;
findings)
  # Reports for other programs are well-formed whatever stands in the files.
  printf 'provider: "x"\nname: "<&>\\x01 \\uFFFE ]]>"\nregons: []\n' >'a&b<c>.yaml'
  status 1 "$gpusel" catalog check 'a&b<c>.yaml' --format junit --fail-on info
  if command -v xmllint >/dev/null 2>&1; then xmllint --noout out || fail "the JUnit report is no XML"; fi
  grep -q 'failures="1"' out || fail "no failure in the JUnit report"
  status 1 "$gpusel" catalog check 'a&b<c>.yaml' --format sarif --output report.sarif
  empty out
  grep -q '"ruleId": "data/unknown-key"' report.sarif || fail "no result in the SARIF report"
  status 1 "$gpusel" catalog check 'a&b<c>.yaml' --format github
  grep -q '^::error file=a&b<c>.yaml,line=3,col=1,title=data/unknown-key::' out || fail "no annotation"
  status 0 "$gpusel" catalog check --format junit
  if command -v xmllint >/dev/null 2>&1; then xmllint --noout out || fail "the JUnit report is no XML"; fi
  ;;
*)
  fail "there is no such case"
  ;;
esac
