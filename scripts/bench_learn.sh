#!/usr/bin/env bash
# Runs `berth bench learn`, one process per core, and writes the tables to docs/results/learn.txt with
# the commit they belong to, and every single result to docs/results/learn-runs.txt. What is in the
# folder already is not run again; with RESTORE=1 neither is what docs/results/learn-runs.txt has,
# so a run can be continued on another machine. That is right only if no method has changed since.
# Usage: scripts/bench_learn.sh BERTH FOLDER [ARGUMENT...]    further arguments go to bench learn
set -euo pipefail
berth=$1
folder=$2
shift 2
kept=docs/results/learn-runs.txt  # a line per run: its name, a tab, its result
mkdir -p "$folder"
if [ "${RESTORE:-0}" = 1 ] && [ -f "$kept" ]; then
  while IFS=$'\t' read -r name result; do
    [ -e "$folder/$name.json" ] || printf '%s\n' "$result" > "$folder/$name.json"
  done < "$kept"
fi
keep() {
  for file in "$folder"/*.json; do
    [ -e "$file" ] || continue
    printf '%s\t%s\n' "$(basename "$file" .json)" "$(tr -d '\n' < "$file" | sed 's/  */ /g')"
  done > "$kept"
}
cores=$(nproc)
workers=()
stop() { kill -INT "${workers[@]}" 2>/dev/null || true; wait; keep; exit 130; }
trap stop INT TERM
for share in $(seq "$cores"); do
  "$berth" bench learn --folder "$folder" --share "$share/$cores" "$@" >/dev/null &
  workers+=($!)
done
for worker in "${workers[@]}"; do wait "$worker"; done
keep
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"
{
  echo "make bench-learn at commit $commit, $(date -u +%Y-%m-%d)"
  echo
  "$berth" bench learn --folder "$folder" --tables "$@"
} | tee docs/results/learn.txt
