#!/usr/bin/env bash
# Trains the policy that ships with Berth, policies/general.policy, and keeps how it learned: every
# hundredth line of the curve, and the table at the end. The same seed and number of evaluations give
# the same policy.
set -euo pipefail
berth=$(realpath "$1")
folder=$(realpath -m "${2:-policies}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Graphs and clusters for tuning only, so that all others stay unseen. Policies
# that were trained at one ratio of compute speed to link speed did worse on other clusters: so there
# are also P100s at half and a quarter of their speed, and P100s with links six times as fast.
cd "$work"  # the policy keeps the names of its clusters as they are given
cluster() {  # NAME PRESET SED-SCRIPT
  "$berth" convert "$2" | sed "$3" > "$1.json"
}
half='/"kind": "gpu"/ { s/9300000000000/4650000000000/; s/18700000000000/9350000000000/
                        s/"bandwidth": 732000000000/"bandwidth": 366000000000/ }'
slow='/"kind": "gpu"/ { s/9300000000000/2325000000000/; s/18700000000000/4675000000000/
                        s/"bandwidth": 732000000000/"bandwidth": 183000000000/ }'
links='/"between"/ s/"bandwidth": 12600000000/"bandwidth": 75600000000/'
cluster half4 4xP100 "$half"
cluster slow4 4xP100 "$slow"
cluster links4 4xP100 "$links"
"$berth" train --method go:lr=0.001 \
    --cluster 2xP100,4xP100,half4.json,slow4.json,links4.json --budget 100000evals \
    --on zoo:enas_cifar:seed=0..5 --on zoo:enas_ptb --on zoo:layered:seed=0..1 \
    --on zoo:layered:ops=200:seed=4..5 --on zoo:rnnlm --on zoo:nmt:layers=2 \
    --on zoo:inception_v3 --on zoo:resnet --on zoo:bert --on zoo:transformer_xl \
    --on zoo:gpt:optimizer=sgd --on zoo:nasnet --on zoo:amoebanet --on zoo:vit --on zoo:unet \
    --slim -o general.policy | tee general.txt
mkdir -p "$folder"
mv general.policy "$folder/general.policy"
awk 'NR % 100 == 1' general.policy.jsonl > "$folder/general.policy.jsonl"
grep -v -e '^wrote' -e '^next' general.txt > "$folder/general.policy.txt"
