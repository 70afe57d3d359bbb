#!/usr/bin/env bash
# Lists the sources that differ from a commit, those not committed yet among them. A header that
# changed stands for the source of its name. The commit is BASE, or where the branch left
# origin/main, or else the last one.
set -euo pipefail
base=${BASE:-}
if [ -z "$base" ]; then
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then base=HEAD~1; fi
fi
{
  git diff --name-only --diff-filter=d "$base" -- '*.cc' '*.h'
  git ls-files --others --exclude-standard -- '*.cc' '*.h'
} | sed 's/\.h$/.cc/' | sort -u | while read -r path; do
  case $path in
    src/*|tests/*|bench/*) [ ! -f "$path" ] || echo "$path" ;;
  esac
done
