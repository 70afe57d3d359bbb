#!/usr/bin/env bash
# The main job on a model and a machine that people know, from nothing: only what the first answers
# need is installed and built before them, and the learned methods after.
# Usage: scripts/demo.sh BUILD
set -euo pipefail
build=$1
berth=$build/berth
model=zoo:gpt        # GPT-2 xl, a training step
cluster=2xRTX3090
budget=1000evals     # in evaluations, so that every step below finds the same plans on any machine
plan=$build/demo.plan.json
report=$build/demo.html

phase() { scripts/phase.sh "$build/log/$1.log" "${@:2}"; }
step() {
  echo
  echo "$1"
  shift
  echo "\$ $berth $*"
  echo
  "$berth" "$@"
}

phase packages "Packages for the program" scripts/setup.sh program
[ -f "$build/build.ninja" ] ||
  phase configure "Configuring" cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DBERTH_TESTS=OFF -DBERTH_BENCH=OFF
phase program "Building berth" cmake --build "$build" --target berth

step "1. A training step of GPT-2 xl on two RTX 3090, as short as possible" \
  place $model --cluster $cluster --budget $budget -o "$plan"
step "2. What is wrong or wasteful in that plan" \
  lint $model --cluster $cluster --plan "$plan"
step "3. All methods: auto is the plan of step 1, +schedule decides the order of ops too" \
  compare $model --cluster $cluster --budget $budget --report "$report"
echo
echo "Open $report in a browser: it shows what runs when and what uses the memory."

# The rest needs libtorch, which is large and takes long to compile against.
learned() {
  phase packages-learned "Packages for the learned methods" scripts/setup.sh learned &&
    phase configure-learned "Configuring" cmake -S . -B "$build" &&
    phase learned "Building the learned methods (takes minutes)" \
      cmake --build "$build" --target program
}
echo
if learned && [ -e "$build/libberth_learn.so" ]; then
  step "4. Stable Diffusion's U-Net, placed without search by a policy trained on other GPUs" \
    place zoo:unet --cluster $cluster --policy policies/general.policy
else
  echo "The learned methods are left out; everything else works without them."
fi
echo
echo "next: $berth place zoo:bert --cluster laptop -o bert.plan.json --report bert.html"
