#!/bin/sh
# Builds the fuzz targets and runs each for a while on its seeds.
#   fuzz/run.sh [seconds a target, 60] [target ...]
# Exits with 1 when a target found something; the input is kept where the message says. Put it into
# tests/data/fuzz/TARGET/ once it is fixed, and a test will keep it fixed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${BERTH_FUZZ_BUILD:-$root/build-fuzz}
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-graph onnx cluster topo plan constraints units calls policy}

if [ ! -f "$build/build.ninja" ]; then
  CC=${CC:-clang-14} CXX=${CXX:-clang++-14} cmake -S "$root" -B "$build" -G Ninja -DBERTH_FUZZ=ON
fi
cmake --build "$build"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$build/findings"
found=0
for target in $targets; do
  echo "== $target, $seconds s"
  mkdir -p "$scratch/$target"
  seeds="$root/fuzz/corpus/$target"
  [ -d "$root/tests/data/fuzz/$target" ] && seeds="$seeds $root/tests/data/fuzz/$target"
  # New inputs go to the first folder; the seeds are only read.
  # shellcheck disable=SC2086
  "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -dict="$root/fuzz/berth.dict" \
    -artifact_prefix="$build/findings/$target-" "$scratch/$target" $seeds || {
    echo "fuzz/run.sh: $target found something; see $build/findings" >&2
    found=1
  }
done
exit $found
