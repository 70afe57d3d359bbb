#!/usr/bin/env bash
# The main job on a built-in workload: a plan, its comparison with baselines, and a report.
set -euo pipefail
berth=$1
model=zoo:layered:ops=600:width=12:seed=7
cluster=4xP100
report=berth-report.html

echo "1. Find a plan for $model on $cluster"
echo "   \$ berth place $model --cluster $cluster -o demo.plan.json"
echo
"$berth" place "$model" --cluster "$cluster" -o demo.plan.json
echo
echo "2. Compare it with the baselines, and write a report to look at"
echo "   \$ berth compare $model --cluster $cluster --report $report"
echo
"$berth" compare "$model" --cluster "$cluster" --report "$report"
echo
# The learned part is there where libtorch is; all else works without it.
if [ -e "$(dirname "$berth")/libberth_learn.so" ]; then
  unseen=zoo:enas_cifar:seed=1000
  policy=policies/general.policy
  echo "3. Place a network by a policy that was trained on others, in one look"
  echo "   \$ berth place $unseen --cluster 4xK80 --policy $policy"
  echo
  "$berth" place "$unseen" --cluster 4xK80 --policy "$policy"
  echo
fi
echo "Plan:   $(pwd)/demo.plan.json"
echo "Report: $(pwd)/$report   (open it in a browser)"
