#!/bin/bash
# Runs clang-tidy over all sources, or over the given ones. Prints what it finds; exits with 1 if there is a finding.
# usage: tests/campaign/tidy.sh [SOURCE ...]
# The build tree for it is build/tidy. It needs clang-14 and clang-tidy-14. It uses all cores, or FIRN_TIDY_JOBS of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tree=build/tidy

cmake -S . -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DFIRN_TOGETHER=OFF >/dev/null
ninja -C "$tree" firn_hot_headers firn_cold_headers tests/common/CMakeFiles/test_common.dir/cmake_pch.hxx.pch >/dev/null

if (($# > 0)); then printf '%s\0' "$@"; else git ls-files -z '*.cpp'; fi |
  xargs -0 -P "${FIRN_TIDY_JOBS:-$(nproc)}" -n 1 sh -c '
    clang-tidy-14 --quiet -p "$0" "$1" 2>/dev/null && exit 0
    echo "clang-tidy: findings in $1"
    exit 1' "$tree" || exit 1
