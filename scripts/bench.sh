#!/usr/bin/env bash
# Measures the simulator against the plain event loop in one run, by size, then the micro-benchmarks.
set -euo pipefail
build=$1
"$build/bench/simulator_speed" "${SECONDS_A_ROW:-1.5}"
echo
"$build/bench/micro_bench" --benchmark_min_time=0.3 2>/dev/null
