#!/usr/bin/env bash
# Runs the tests labelled `long` and keeps the result, with the commit it belongs to, in
# docs/results/test-long.txt, what the tests of learning print in docs/results/learning.txt, and how
# long reports take to open in docs/results/report.txt.
set -euo pipefail
build=$1
results=docs/results
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
(cd "$build" && ctest -L long -j"$(nproc)" --output-on-failure) | tee "$log" || status=$?
{
  echo "make test-long at commit $commit, $(date -u +%Y-%m-%d)"
  grep -E '^ *[0-9]+/[0-9]+ Test|tests passed|tests failed|Total Test time' "$log" || true
} > "$results/test-long.txt"

# Without the learned part there is nothing to keep. ctest has the tests' output one test after the
# other, as they ended.
if learned=$(grep -E '^(colocrl|hdp|placeto|go|mars|encoder_placer) ' "$build/Testing/Temporary/LastTest.log"); then
  {
    echo "make test-long (build/tests/learn_long_tests) at commit $commit, $(date -u +%Y-%m-%d)"
    echo "the final policy of each training: its greedy plan and the mean of its last 200 samples;"
    echo "a plan that does not fit counts as infinitely long, and so does a mean that includes one"
    echo
    sort -s -k1,1 <<< "$learned"
  } > "$results/learning.txt"
fi
if opened=$(grep -E '^report .* usable after ' "$build/Testing/Temporary/LastTest.log"); then
  {
    echo "make test-long (tests/browser) at commit $commit, $(date -u +%Y-%m-%d)"
    echo "reports in headless Chromium: time until the page can be used"
    echo
    echo "$opened"
  } > "$results/report.txt"
fi
exit $status
