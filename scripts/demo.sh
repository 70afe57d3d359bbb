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
echo "Plan:   $(pwd)/demo.plan.json"
echo "Report: $(pwd)/$report   (open it in a browser)"
