#!/usr/bin/env bash
# Installs the Debian packages that a part of the work needs, and nothing when all are there.
# Usage: scripts/setup.sh PART...    with parts program, learned, build (these and what tests and
#                                    benchmarks need), browser, fuzz, lint
set -euo pipefail

program=(g++ cmake ninja-build ccache mold libfmt-dev libcli11-dev libscotch-dev libmetis-dev)
learned=(libtorch-dev libopenblas0-pthread)
packages=()
for part in "$@"; do
  case "$part" in
    program) packages+=("${program[@]}") ;;
    learned) packages+=("${learned[@]}") ;;
    build) packages+=("${program[@]}" "${learned[@]}" libgtest-dev libbenchmark-dev
                      libonnx-testdata) ;;
    # Node comes from elsewhere as often as from Debian, and brings npm with it.
    browser) command -v chromium >/dev/null || packages+=(chromium)
             command -v npm >/dev/null || packages+=(nodejs npm) ;;
    fuzz) packages+=(clang-14 libclang-rt-14-dev) ;;
    lint) packages+=(clang-format-14 clang-tidy-14) ;;
    *) echo "setup.sh: unknown part '$part'; known are program, learned, build, browser, fuzz and lint" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

run_as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: these packages are missing and there is no sudo to install them: ${missing[*]}" >&2
    exit 2
  fi
  run_as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run_as_root[@]}" apt-get update -qq
"${run_as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
