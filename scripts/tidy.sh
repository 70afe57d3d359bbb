#!/usr/bin/env bash
# Runs clang-tidy over the sources, or over those given as arguments.
set -euo pipefail
# libtorch's headers are no C++20 to clang, which says so and goes on: what counts is what it finds in
# files of ours. Prints that, and fails when there is any.
own_findings() {
  awk -v own="$PWD/" '
    /^[^ ]+:[0-9]+:[0-9]+: (warning|error|note):/ { shown = index($0, own) == 1 }
    shown { print; found = 1 }
    END { exit found }'
}
# clang cannot read g++'s precompiled headers, so it gets compile commands without, and one for every
# source by itself. They are made anew each time, since a source may have come.
clang-tidy-14 --version >/dev/null  # below, its status says nothing
build=build-lint
cmake -S . -B $build -G Ninja -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBERTH_TOGETHER=OFF >/dev/null
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git ls-files 'src/*.cc' 'tests/*.cc' 'bench/*.cc'; fi |
  (xargs -P "$(nproc)" -n 1 clang-tidy-14 -p $build --quiet \
    --extra-arg=-Wno-unknown-warning-option 2>/dev/null || true) | own_findings
