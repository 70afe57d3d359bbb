#!/usr/bin/env bash
# Usage: quotes.sh DOCUMENT
# What the document quotes of a file, a block of code under <!-- quote: FILE -->, is there word for
# word.
set -euo pipefail
document=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
quotes=0
while IFS=: read -r line mark; do
  file=$(sed 's/.*quote: \(.*\) -->.*/\1/' <<<"$mark")
  quote=$(tail -n "+$((line + 2))" "$document" | sed '/^```$/,$d')
  [[ -n $quote && $(<"$root/$file") == *"$quote"* ]] || {
    echo "$document:$line: $file has no such lines:"
    echo "$quote"
    exit 1
  }
  quotes=$((quotes + 1))
done < <(grep -n '<!-- quote: ' "$document")
[ "$quotes" -gt 0 ] || { echo "$document quotes nothing"; exit 1; }
