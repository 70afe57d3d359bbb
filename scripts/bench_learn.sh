#!/usr/bin/env bash
# Runs `berth bench learn`, one process per core, and writes the tables to docs/results/learn.txt with
# the commit they belong to. What is in the folder already is not run again.
# Usage: scripts/bench_learn.sh BERTH FOLDER [ARGUMENT...]    further arguments go to bench learn
set -euo pipefail
berth=$1
folder=$2
shift 2
cores=$(nproc)
workers=()
stop() { kill -INT "${workers[@]}" 2>/dev/null || true; wait; exit 130; }
trap stop INT TERM
for share in $(seq "$cores"); do
  "$berth" bench learn --folder "$folder" --share "$share/$cores" "$@" >/dev/null &
  workers+=($!)
done
for worker in "${workers[@]}"; do wait "$worker"; done
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"
{
  echo "make bench-learn at commit $commit, $(date -u +%Y-%m-%d)"
  echo
  "$berth" bench learn --folder "$folder" --tables "$@"
} | tee docs/results/learn.txt
