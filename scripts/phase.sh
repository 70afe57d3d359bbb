#!/usr/bin/env bash
# One phase of the set-up as one line: what it does and how long it took. What the command prints
# goes to a log, the end of which is shown when it fails.
# Usage: scripts/phase.sh LOG TITLE COMMAND...
set -euo pipefail
log=$1
title=$2
shift 2
mkdir -p "$(dirname "$log")"
printf '%s ... ' "$title"
begin=$SECONDS
status=0
"$@" >"$log" 2>&1 || status=$?
if [ "$status" -eq 0 ]; then
  echo "$((SECONDS - begin)) s"
  exit 0
fi
echo "failed"
tail -n 40 "$log" >&2
echo "The whole log is in $log" >&2
exit "$status"
