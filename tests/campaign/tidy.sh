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
exec tests/campaign/tidy_sources.py "$tree" "$@"
