#!/usr/bin/env bash
# Checks formatting and runs clang-tidy over the sources (or those given as arguments).
set -euo pipefail
git ls-files '*.h' '*.cc' | xargs clang-format-14 --dry-run --Werror
# clang cannot read g++'s precompiled headers, so it gets compile commands without, and one for every
# source by itself.
build=build-lint
[ -f $build/compile_commands.json ] ||
  cmake -S . -B $build -G Ninja -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBERTH_TOGETHER=OFF \
    >/dev/null
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git ls-files 'src/*.cc' 'tests/*.cc' 'bench/*.cc'; fi |
  xargs -P "$(nproc)" -n 1 clang-tidy-14 -p $build --quiet \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings generated' >&2 || true)
echo "lint: clean"
