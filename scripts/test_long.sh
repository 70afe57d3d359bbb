#!/usr/bin/env bash
# Runs the tests labelled `long` and keeps the result, with the commit it belongs to, in
# docs/results/test-long.txt.
set -euo pipefail
build=$1
result=docs/results/test-long.txt
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
(cd "$build" && ctest -L long -j"$(nproc)" --output-on-failure) | tee "$log" || status=$?
{
  echo "make test-long at commit $commit, $(date -u +%Y-%m-%d)"
  grep -E '^ *[0-9]+/[0-9]+ Test|tests passed|tests failed|Total Test time' "$log" || true
} > "$result"
exit $status
