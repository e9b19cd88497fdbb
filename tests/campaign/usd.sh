#!/bin/bash
# Writes shots as USD layers and reads them with a parser that is not Firn's (the npm package tinyusdz). Exits with 1 if
# a layer cannot be read or lacks something. It needs node and npm, and takes a minute.
# usage: tests/campaign/usd.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=$PWD/build/usd

command -v npm >/dev/null || { echo "usd.sh: npm is missing" >&2; exit 1; }
mkdir -p "$out"
[[ -d $out/node_modules/tinyusdz ]] || npm install --silent --prefix "$out" tinyusdz@0.9.0-rc10 >/dev/null
for shot in snowball-smash footsteps snowplow-dusk rolling-snowball roof; do
  build/render/firn-render usd "scenes/$shot.toml" --quality draft --frames 1-3 --out "$out/$shot.usda" >/dev/null
done
cp tests/campaign/usd_check.mjs "$out/"
cd "$out" && node usd_check.mjs
