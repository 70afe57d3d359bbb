#!/usr/bin/env bash
# Installs the packages of `make deb` on a Debian that holds nothing else, a scratch root made by
# debootstrap from the mirror that this machine uses, and runs the program there. Needs root and the
# network, and takes five minutes; with LEARNED=1 it tries berth-learned too, which downloads
# libtorch.
# Usage: scripts/check_deb.sh BUILD [ROOT]    ROOT: a scratch root to use again; made if missing
set -euo pipefail
build=$1
kept=${2:-}
if [ "$(id -u)" -ne 0 ]; then
  echo "check_deb.sh: only root can create a scratch root; run it with sudo" >&2
  exit 2
fi
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
deb=$build/berth_${version}_$(dpkg --print-architecture).deb
learned=$build/berth-learned_${version}_$(dpkg --print-architecture).deb
dev=$build/libberth-dev_${version}_$(dpkg --print-architecture).deb
for package in "$deb" "$dev"; do
  [ -f "$package" ] || { echo "check_deb.sh: $package does not exist; run make deb first" >&2; exit 2; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=${kept:-$work/root}
if [ ! -x "$root/bin/sh" ]; then
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk -v codename="$codename" '$1 == codename && !found { print $2; found = 1 }')
  debootstrap --variant=minbase "$codename" "$root" "$mirror"
fi
# In a name space of its own, so that what is mounted is gone when it ends, however it ends.
inside() { unshare --mount --pid --fork chroot "$root" sh -ec "mount -t proc proc /proc; $1"; }
install_package() {
  cp "$1" "$root/tmp/package.deb"
  inside 'export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends /tmp/package.deb >/dev/null'
}
fail() { echo "check_deb.sh: $1" >&2; exit 1; }
expect() {
  local printed
  printed=$(inside "$2" 2>&1) || true
  grep -qF -- "$3" <<< "$printed" || fail "$1: expected \"$3\", got: $printed"
  echo "ok: $1"
}

install_package "$deb"
echo "ok: berth installs"
! inside 'ldd /usr/bin/berth' | grep 'not found' || fail "libraries of the program are missing"
expect "all files are as packaged" 'test -z "$(dpkg --verify berth)" && echo same' same
expect "the version" 'berth version' "berth $version"
expect "a plan" 'cd /tmp && berth place zoo:layered -c 4xP100 -b 200evals -o p.json && ls' p.json
expect "without the learned methods a sentence says so" \
  'berth place zoo:tiny -c 2xP100 -m hdp -b 8evals' libberth_learn.so
expect "the manual page" 'zcat /usr/share/man/man1/berth.1.gz' '.SH EXIT STATUS'
expect "completion in bash" "bash -c 'source /usr/share/bash-completion/completions/berth
  COMP_LINE=\"berth pla\" COMP_POINT=9; _berth; echo \"\${COMPREPLY[*]}\"'" place
if [ -n "${LEARNED:-}" ]; then
  install_package "$learned"
  echo "ok: berth-learned installs"
  expect "the installed policy by name" \
    'berth place zoo:unet -c 2xRTX3090 --policy general --json' '"step_seconds"'
  inside 'apt-get remove -y -qq berth-learned >/dev/null'
fi
# The library by itself, without the program: an example is built against it, and runs.
inside 'apt-get remove -y -qq berth >/dev/null'
install_package "$dev"
echo "ok: libberth-dev installs"
inside 'apt-get install -y -qq --no-install-recommends g++ pkg-config >/dev/null'
cp examples/build_and_compare.cc "$root/tmp/example.cc"
expect "an example compiles against the library and runs" \
  'cd /tmp && g++ -std=c++20 example.cc $(pkg-config --cflags --libs berth) -o example && ./example' \
  heft
inside 'apt-get remove -y -qq libberth-dev >/dev/null; test ! -e /usr/include/berth'
echo "ok: libberth-dev is removed"
inside 'test ! -e /usr/bin/berth'
echo "ok: berth is removed"
