#!/usr/bin/env bash
# Reads the models that scripts/export_models.py writes and keeps what came of it in
# docs/results/onnx-models.txt. Fails when less than 99 in 100 tensors of a model have a known size.
# Usage: scripts/check_models.sh BUILD [FOLDER]    the models are exported when FOLDER has none
set -euo pipefail
berth=$1/berth
folder=${2:-$(mktemp -d)}
result=docs/results/onnx-models.txt
[ -f "$folder/models.txt" ] || /usr/bin/python3 scripts/export_models.py "$folder"
/usr/bin/python3 - "$berth" "$folder" "$result" <<'PYTHON'
import json, re, subprocess, sys, time
berth, folder, result = sys.argv[1:]
rows, failed = [], False
for line in open(f"{folder}/models.txt", encoding="utf-8").read().splitlines():
    name, *flags = line.split()
    begin = time.time()
    run = subprocess.run([berth, "inspect", f"{folder}/{name}", "--json", *flags], capture_output=True, text=True)
    seconds = time.time() - begin
    if run.returncode != 0:
        rows.append(f"{name}: {run.stderr.strip()}")
        failed = True
        continue
    facts = json.loads(run.stdout)
    unknown = 0
    for warning in facts["warnings"]:
        found = re.search(r"(\d+) of (\d+) tensors ha(?:s|ve) an unknown size", warning)
        unknown = int(found[1]) if found else unknown
    known = 1 - unknown / facts["tensors"]
    failed = failed or known < 0.99
    rows.append(f"{name:28} {facts['ops']:6} ops {100 * known:6.2f} % of sizes known"
                f" {facts['flops'] / 1e9:10.2f} Gflop {facts['param_bytes'] / 1e6:8.2f} MB of weights {seconds:5.2f} s")
    rows += [f"    {warning.replace(folder + '/', '')}" for warning in facts["warnings"]]
text = "scripts/check_models.sh: berth inspect over the models of scripts/export_models.py,\nwhich have the depth of the networks they are named after and much smaller widths\n\n" + "\n".join(rows) + "\n"
open(result, "w", encoding="utf-8").write(text)
print(text, end="")
sys.exit(failed)
PYTHON
