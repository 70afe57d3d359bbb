#!/usr/bin/env bash
# What is to pass before a change is handed in, beside `make test`: one line per step with its time,
# and the end of the log of each that fails. The steps after it run all the same.
#   format   clang-format over all sources
#   tidy     clang-tidy over those that changed; BASE=commit says since when (scripts/changed.sh)
#   plain    builds without libtorch and without the ONNX project's models, and runs the tests
#   asan     the tests of the core under address and undefined-behaviour sanitizers
#   odr      no name means two things in one process (make odr)
# Usage: scripts/check.sh [STEP...]    default: all of them
set -euo pipefail
log=build/log
failed=()
phase() { scripts/phase.sh "$log/check-$1.log" "${@:2}" || failed+=("$1"); }

format() {
  git ls-files --cached --others --exclude-standard -- '*.h' '*.cc' |
    while read -r path; do [ ! -f "$path" ] || echo "$path"; done |
    xargs clang-format-14 --dry-run --Werror
}
tidy() {
  local files
  mapfile -t files < <(scripts/changed.sh)
  [ ${#files[@]} -eq 0 ] || scripts/tidy.sh "${files[@]}"
}
configure() { cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBERTH_BENCH=OFF "${@:2}"; }
run_tests() { (cd "$1" && ctest -LE long -j"$(nproc)" --output-on-failure "${@:2}"); }
plain() {
  configure build-plain -DBERTH_LEARN=OFF -DBERTH_ONNX_DATA=OFF
  cmake --build build-plain --target program tests/all
  run_tests build-plain
}
asan() {
  local core="base graph cluster cost plan sim bounds zoo frontends place report experiments api cli" folder
  configure build-asan-core -DBERTH_LEARN=OFF -DBERTH_SANITIZE=ON
  cmake --build build-asan-core --target program $(printf '%s_tests ' $core)
  # All others were not built, which ctest would count as a failure.
  run_tests build-asan-core -R "^(${core// /|})\\."
}

for step in "${@:-all}"; do
  case $step in
    all) set -- format tidy plain asan odr ;;
    format|tidy|plain|asan|odr) ;;
    *) echo "check.sh: unknown step '$step'; the steps are format, tidy, plain, asan and odr" >&2
       exit 2 ;;
  esac
done
export -f format tidy configure run_tests plain asan
for step in "$@"; do
  case $step in
    format) phase format "Format" bash -euo pipefail -c format ;;
    tidy) phase tidy "clang-tidy on what changed" bash -euo pipefail -c tidy ;;
    plain) phase plain "Build and tests without libtorch and ONNX data" bash -euo pipefail -c plain ;;
    asan) phase asan "Build and tests of the core with sanitizers" bash -euo pipefail -c asan ;;
    odr) phase odr "Definitions at link time" make --no-print-directory odr ;;
  esac
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "make check: failed: ${failed[*]}" >&2
  exit 1
fi
echo "make check: all passed"
