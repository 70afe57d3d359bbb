#!/usr/bin/env bash
# Checks formatting and runs clang-tidy over the sources (or those given as arguments).
set -euo pipefail
git ls-files '*.h' '*.cc' | xargs clang-format-14 --dry-run --Werror
scripts/tidy.sh "$@"
echo "lint: clean"
