#!/usr/bin/env bash
# Trains the policy that ships with Berth, policies/general.policy, and keeps how it learned: every
# hundredth line of the curve, and the table at the end. The same seed and number of evaluations give
# the same policy.
set -euo pipefail
berth=$1
folder=${2:-policies}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Graphs and clusters for tuning only, so that all others stay unseen.
"$berth" train --method go:hidden=32:lr=0.001 --cluster 2xP100,4xP100 --budget 300000evals \
    --on zoo:enas_cifar:seed=0..7 --on zoo:enas_ptb:seed=0..2 --on zoo:layered:seed=0..2 \
    --on zoo:layered:ops=200:seed=4..7 --on zoo:rnnlm --on zoo:nmt:layers=2 \
    --on zoo:gnmt:layers=2 --on zoo:inception_v3 --on zoo:resnet --on zoo:bert \
    --on zoo:transformer_xl --on zoo:gpt:optimizer=sgd --on zoo:nasnet --on zoo:amoebanet \
    --on zoo:wavenet --on zoo:vit --on zoo:unet --on zoo:dlrm --on zoo:moe \
    --slim -o "$work/general.policy" | tee "$work/general.txt"
mkdir -p "$folder"
mv "$work/general.policy" "$folder/general.policy"
awk 'NR % 100 == 1' "$work/general.policy.jsonl" > "$folder/general.policy.jsonl"
grep -v -e '^wrote' -e '^next' "$work/general.txt" > "$folder/general.policy.txt"
