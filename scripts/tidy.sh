#!/usr/bin/env bash
# Runs clang-tidy over the sources, or over those given as arguments. What it says about a source is
# kept in build-lint/tidy.
set -euo pipefail
# libtorch's headers are no C++20 to clang, which says so and goes on: what counts is what it finds in
# files of ours. A finding comes with its notes, and one in a header that is not ours counts when a
# note of it names a file of ours. Prints those that count, and fails when there is any.
own_findings() {
  awk -v own="$PWD/" '
    function end() { if (counts) { printf "%s", finding; found = 1 }; finding = ""; counts = 0 }
    /^[^ ]+:[0-9]+:[0-9]+: (warning|error):/ { end() }
    /^[^ ]+:[0-9]+:[0-9]+: (warning|error|note):/ && index($0, own) == 1 { counts = 1 }
    { finding = finding $0 "\n" }
    END { end(); exit found }'
}
# Each source has a log of its own, since processes that write to one pipe cut each other's lines.
# clang-tidy ends with 1 where it finds something; any other status is a crash, which is no answer.
one() {
  local status=0
  clang-tidy-14 -p $build --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-ferror-limit=0 "$1" >"$log/${1//\//.}.log" 2>/dev/null || status=$?
  if [ $status -gt 1 ]; then
    echo "$PWD/$1:1:1: error: clang-tidy ended with status $status" >>"$log/${1//\//.}.log"
  fi
}
# clang cannot read g++'s precompiled headers, so it gets compile commands without, and one for every
# source by itself. They are made anew each time, since a source may have come.
clang-tidy-14 --version >/dev/null  # below, its status says nothing
build=build-lint
log=$build/tidy
cmake -S . -B $build -G Ninja -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBERTH_TOGETHER=OFF >/dev/null
rm -rf $log
mkdir $log
export -f one
export build log
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git ls-files 'src/*.cc' 'tests/*.cc' 'bench/*.cc'; fi |
  xargs -P "$(nproc)" -n 1 bash -c 'one "$1"' one
find $log -name '*.log' | sort | xargs cat | own_findings
