#!/usr/bin/env bash
# Measures the search on the pinned problems and keeps the run, with the commit it belongs to, in
# docs/results/search.json and search.txt. About 18 minutes; words behind the build directory go to
# `berth bench search`.
set -euo pipefail
build=$1
shift
result=docs/results/search
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"
text=$(mktemp)
trap 'rm -f "$text"' EXIT
echo "make bench-search at commit $commit, $(date -u +%Y-%m-%d), $(nproc) cores" > "$text"
"$build/berth" bench search -o "$result.json" "$@" | tee -a "$text"
cat "$text" > "$result.txt"
