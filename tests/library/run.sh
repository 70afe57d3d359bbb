#!/usr/bin/env bash
# Usage: run.sh BUILD COMPILER
# Installs the build into a new prefix, builds the examples against it in another folder, one of
# them by pkg-config as well, and checks what they print.
set -euo pipefail
build=$1
compiler=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() { echo "$*"; exit 1; }
# expect TEXT PATTERN: the text has a line that the pattern matches.
expect() { grep -qE "$2" <<<"$1" || fail "expected a line with '$2' in:"$'\n'"$1"; }

cmake --install "$build" --prefix "$prefix" >"$work/install.log" || fail "$(cat "$work/install.log")"
for file in bin/berth include/berth/berth.h; do
  [ -e "$prefix/$file" ] || fail "$file was not installed"
done

cp -r "$source/examples" "$work/examples"
cmake -S "$work/examples" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" -DCMAKE_PREFIX_PATH="$prefix" \
  >"$work/configure.log" 2>&1 || fail "$(cat "$work/configure.log")"
cmake --build "$work/build" --parallel 2 >"$work/build.log" 2>&1 || fail "$(cat "$work/build.log")"

cd "$work"
out=$(build/place_zoo_model)
expect "$out" '^zoo:rnnlm:seq=8 on 4xP100: [0-9]+ ops, a step takes [0-9.]+ ms$'
expect "$out" '^no plan is shorter than [0-9.]+ ms \('
expect "$out" '^gpu:3 +[0-9]+ ops,'
# The program takes the plan, and comes to the same step.
step=$(sed -n 's/.*a step takes \([0-9.]*\) ms/\1/p' <<<"$out")
told=$("$prefix/bin/berth" simulate zoo:rnnlm:seq=8 -c 4xP100 --plan plan.json --json |
  sed -n 's/.*"step_seconds": *\([0-9.e-]*\).*/\1/p' | head -1)
awk -v a="$step" -v b="$told" 'BEGIN { d = a - 1000 * b; exit !(d < 0.001 && d > -0.001) }' ||
  fail "the example tells a step of $step ms and the program one of $told s"

status=0
message=$(build/place_zoo_model zoo:nothing 2>&1) || status=$?
[ "$status" = 2 ] || fail "a wrong model ends the example with $status, not 2"
expect "$message" '"nothing"'

out=$(build/build_and_compare)
expect "$out" '^single +18\.000 ms'
expect "$out" '^auto +10\.105 ms'
expect "$out" '^lower bound +10\.105 ms'

out=$(build/own_placer)
awk '{ step[$1] = $2 }
     END { exit !(step["auto"] > 0 && step["auto"] < step["lightest"] &&
                  step["improved"] <= step["lightest"]) }' <<<"$out" ||
  fail "unexpected steps of own_placer:"$'\n'"$out"

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name berth.pc)")
  # shellcheck disable=SC2046  # flags are words
  "$compiler" $(pkg-config --cflags berth) examples/build_and_compare.cc -o by_pkg_config \
    $(pkg-config --libs berth) -Wl,-rpath,"$(pkg-config --variable=libdir berth)"
  [ "$(./by_pkg_config)" = "$(build/build_and_compare)" ] || fail "the example by pkg-config differs"
fi

# The library finds the installed module of learned methods and its policies, where there are any.
if [ -n "$(find "$prefix" -name 'libberth_learn.so')" ]; then
  cat >learned.cc <<'EOF'
#include <cstdio>

#include "berth/berth.h"

int main() {
  const berth::Problem problem(berth::Graph::load("zoo:tiny"), berth::Cluster::load("2xP100"));
  for (const char* method : {"hdp", "auto:policy=general"}) {
    std::printf("%d", berth::place(problem, {.method = method, .budget = {.evaluations = 20}})
                          .outcome.feasible);
  }
}
EOF
  libraries=$(dirname "$(find "$prefix" -name 'libberth.so')")
  "$compiler" -std=c++20 -I "$prefix/include" learned.cc -o learned -L "$libraries" -lberth \
    -Wl,-rpath,"$libraries"
  [ "$(./learned)" = 11 ] || fail "learned methods do not work from the installed library"
fi
echo "the examples build and run against the installed library"
