#!/usr/bin/env bash
# Checks formatting and runs clang-tidy over the sources (or those given as arguments).
set -euo pipefail
git ls-files '*.h' '*.cc' | xargs clang-format-14 --dry-run --Werror
# libtorch's headers are no C++20 to clang, which says so and goes on: what counts is what it finds in
# files of ours. Prints that, and fails when there is any.
own_findings() {
  awk -v own="$PWD/" '
    /^[^ ]+:[0-9]+:[0-9]+: (warning|error|note):/ { shown = index($0, own) == 1 }
    shown { print; found = 1 }
    END { exit found }'
}
# clang cannot read g++'s precompiled headers, so it gets compile commands without, and one for every
# source by itself.
clang-tidy-14 --version >/dev/null  # below, its status says nothing
build=build-lint
[ -f $build/compile_commands.json ] ||
  cmake -S . -B $build -G Ninja -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBERTH_TOGETHER=OFF \
    >/dev/null
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git ls-files 'src/*.cc' 'tests/*.cc' 'bench/*.cc'; fi |
  (xargs -P "$(nproc)" -n 1 clang-tidy-14 -p $build --quiet \
    --extra-arg=-Wno-unknown-warning-option 2>/dev/null || true) | own_findings
echo "lint: clean"
