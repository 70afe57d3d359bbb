#!/usr/bin/env bash
# Checks formatting and runs clang-tidy over every source of the project.
set -euo pipefail
build=$1
git ls-files '*.h' '*.cc' | xargs clang-format-14 --dry-run --Werror
# clang does not know some of g++'s warnings by name.
git ls-files 'src/*.cc' 'tests/*.cc' 'bench/*.cc' |
  xargs -P "$(nproc)" -n 4 clang-tidy-14 -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option
echo "lint: clean"
