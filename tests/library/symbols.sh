#!/usr/bin/env bash
# Usage: symbols.sh LIBRARY
# The shared library shows names of berth::v1 and what METIS must find in it, and nothing else: what
# it is made of stays its own.
set -euo pipefail
shown=$(nm -DC --defined-only "$1" | cut -d' ' -f3-)
for_metis='berth_metis_depth|gk_errexit|gk_sigtrap|gk_siguntrap'
if others=$(grep -vE "^((vtable|typeinfo|typeinfo name) for )?berth::v1::|^($for_metis)\$" <<<"$shown"); then
  printf 'the library shows what is not its interface:\n%s\n' "$others"
  exit 1
fi
# What the test would not notice if the library showed nothing at all.
for name in 'berth::v1::place(' 'berth::v1::Graph::load(' 'typeinfo for berth::v1::Error'; do
  grep -qF "$name" <<<"$shown" || { echo "the library lacks $name"; exit 1; }
done
