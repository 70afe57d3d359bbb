#!/usr/bin/env bash
# Usage: headers.sh COMPILER
# Each public header compiles alone, all compile together, and they include the standard library and
# one another alone.
set -euo pipefail
include=$(cd "$(dirname "$0")/../../include" && pwd)
cd "$include"
compile() {
  "$1" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -I "$include" -fsyntax-only -x c++ -
}
for header in berth/*.h; do
  echo "#include \"$header\"" | compile "$1" || { echo "$header does not compile alone"; exit 1; }
done
# Twice: a header without a guard fails.
printf '#include "%s"\n' berth/*.h berth/*.h | compile "$1"

if grep -nE '^#include' berth/*.h | grep -vE '#include (<[a-z_]+>|"berth/[a-z_]+\.h")'; then
  echo "a public header includes what is not the standard library or the interface"
  exit 1
fi
