#!/bin/bash
# Opens what Firn exports in Blender, and renders it there. Exits with 1 if something is missing or in the wrong place.
# Pictures stay in build/blender. It needs Blender 3.4 (Debian's package blender) and takes two minutes.
# usage: tests/campaign/blender.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=build/blender shot=scenes/snowball-smash.toml

command -v blender >/dev/null || { echo "blender.sh: blender is missing; on Debian: apt-get install blender" >&2; exit 1; }
rm -rf "$out"
build/sim/firn-sim run $shot --quality draft --frames 1-16 --out $out/cache --progress none
build/render/firn-render volume $shot --quality draft --cache $out/cache --out $out/volumes --frames 8-16x8 --up z --surface --progress none
blender --background --factory-startup --python-exit-code 1 --python tests/campaign/blender_volume.py -- $out/volumes $out
