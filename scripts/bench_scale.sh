#!/usr/bin/env bash
# How far the search reaches: many ops, many devices. Keeps the tables, with the commit they belong
# to, in docs/results/scale.txt. About 10 minutes.
set -euo pipefail
berth=$1/berth
result=docs/results/scale.txt
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
text=$(mktemp)
trap 'rm -f "$text"' EXIT
measure=()
[ ! -x /usr/bin/time ] || measure=(/usr/bin/time -f "peak memory %M KB, %e s in all")
run() {
  echo
  echo "\$ berth $*"
  "${measure[@]}" "$berth" "$@" 2>&1 | grep -v '^add -o plan'
}
{
  echo "scripts/bench_scale.sh at commit $commit, $(date -u +%Y-%m-%d), $(nproc) cores"
  run compare zoo:layered:ops=25000:seed=1000 --cluster 8xV100 --budget 60s \
      --methods topo,etf,heft,sct,metis,scotch,mincut,contiguous,auto
  run compare zoo:layered:ops=100000:features=512:seed=1000 --cluster 8xV100 --budget 60s \
      --methods topo,etf,heft,metis,auto
  run compare zoo:layered:ops=1000000:features=256:batch=16:seed=1000:dtype=f32 --cluster 8xA100 --budget 60s \
      --methods topo,etf,auto
  run compare zoo:gpt:batch=8:optimizer=sgd --cluster 8x8xA100-ib --budget 30s --methods expert,etf,heft,metis,auto
} | tee "$text"
cat "$text" > "$result"
