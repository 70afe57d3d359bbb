#!/usr/bin/env bash
# Writes reports with the real program and uses them in headless Chromium as a reader would
# (report_test.mjs). Installs what that needs; the browser's driver goes into the work folder.
# Usage: tests/browser/run.sh BERTH WORK_FOLDER
set -euo pipefail
berth=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
cd "$2"

"$here/../../scripts/setup.sh" browser
driver=playwright-core@1.61.0
if [ "$(cat node_modules/.driver 2>/dev/null)" != $driver ]; then
  npm install --no-save --no-audit --no-fund --loglevel=error $driver
  echo $driver > node_modules/.driver
fi

"$berth" place zoo:layered:ops=100000 --cluster 8xA100 -m heft --report large.html >/dev/null
# Placed blindly, nearly every tensor travels: the most there can be to draw. It does not fit.
"$berth" place zoo:layered:ops=100000 --cluster 16xV100-nvlink -m random --budget 1evals \
  --report crowded.html >/dev/null || [ $? -eq 3 ]
"$berth" compare zoo:tiny --cluster 4xP100 --budget 200evals --report small.html >/dev/null
"$berth" sweep zoo:tiny --cluster 2xP100,4xP100 --dim batch=8..32 --budget 20evals -o sweep.html >/dev/null
cp "$here/report_test.mjs" .
node report_test.mjs
