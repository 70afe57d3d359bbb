#!/usr/bin/env bash
# Installs the Debian packages that a part of the work needs, and nothing when all are there.
# Usage: scripts/setup.sh [--check] PART...
#   Parts: needed (without these nothing builds), program, learned, build (these and what tests and
#   benchmarks need), browser, fuzz, lint, package. With --check nothing is installed: what is
#   missing is named, with status 2.
set -euo pipefail

check=
[ "${1:-}" != --check ] || { check=yes; shift; }
needed=(g++ cmake ninja-build libfmt-dev libcli11-dev libscotch-dev libmetis-dev)
program=("${needed[@]}" ccache mold)
learned=(libtorch-dev libopenblas0-pthread)
packages=()
for part in "$@"; do
  case "$part" in
    needed) packages+=("${needed[@]}") ;;
    program) packages+=("${program[@]}") ;;
    learned) packages+=("${learned[@]}") ;;
    build) packages+=("${program[@]}" "${learned[@]}" libgtest-dev libbenchmark-dev
                      libonnx-testdata) ;;
    # Node comes from elsewhere as often as from Debian, and brings npm with it.
    browser) command -v chromium >/dev/null || packages+=(chromium)
             command -v npm >/dev/null || packages+=(nodejs npm) ;;
    fuzz) packages+=(clang-14 libclang-rt-14-dev) ;;
    lint) packages+=(clang-format-14 clang-tidy-14) ;;
    package) packages+=(dpkg-dev file debootstrap) ;;
    *) echo "setup.sh: unknown part '$part'; the parts are needed, program, learned, build, browser, fuzz, lint and package" >&2
       exit 2 ;;
  esac
done

# On other systems nobody knows the packages; what is missing shows when it is looked for.
[ -z "$check" ] || command -v dpkg-query >/dev/null || exit 0
missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ -n "$check" ]; then
  echo "These Debian packages are missing: ${missing[*]}. Install them (apt-get install ${missing[*]}) and try again." >&2
  exit 2
fi

run_as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: these packages are missing and there is no sudo; install them as root: ${missing[*]}" >&2
    exit 2
  fi
  run_as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run_as_root[@]}" apt-get update -qq
"${run_as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
