#!/bin/bash
# Installs the build tree into a folder and runs what is there. Then runs the launcher with programs that print their
# arguments.
# usage: packaging_test.sh CMAKE BUILD_TREE LAUNCHER
set -euo pipefail
cmake=$1 tree=$2 launcher=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0

fail() { printf 'packaging_test.sh: %s\n' "$*" >&2; exit 1; }
expect() { # CODE TEXT COMMAND...: the exit code, and a text in the output
  local code=0 output
  output=$("${@:3}" 2>&1) || code=$?
  [[ $code == "$1" && $output == *"$2"* ]] || fail "${*:3}: code $code, '$output'; expected code $1 and '$2'"
  count=$((count + 1))
}

"$cmake" --install "$tree" --prefix "$folder/usr" > "$folder/log"
for program in firn-sim firn-render; do
  expect 0 "$program " "$folder/usr/bin/$program" --version
  expect 0 ".TH ${program^^} 1" gzip -cd "$folder/usr/share/man/man1/$program.1.gz"
  expect 0 "complete -o" cat "$folder/usr/share/bash-completion/completions/$program"
done
for file in share/firn/scenes/footsteps.toml share/firn/scenes/walk.bvh share/doc/firn/README.md share/doc/firn/docs/overview.md \
  share/doc/firn/copyright; do
  [[ -f $folder/usr/$file ]] || fail "$file is not installed"
done
[[ -z $(find "$folder/usr" -name '__pycache__' -o -name '*.a' -o -name '*.h') ]] || fail "files are installed that nobody needs"
expect 0 "ball" "$folder/usr/bin/firn-sim" run "$folder/usr/share/firn/scenes/snowball-smash.toml" --quality draft --dump-config

mkdir -p "$folder/opt/bin" "$folder/opt/lib/firn"/x86-64-v{3,4} "$folder/links"
cp "$launcher" "$folder/opt/bin/firn-sim"
ln -s "$folder/opt/bin/firn-sim" "$folder/links/snow"
for level in 3 4; do
  printf '#!/bin/bash\nprintf "level %s:"; printf " <%%s>" "$@"; exit 5\n' $level > "$folder/opt/lib/firn/x86-64-v$level/firn-sim"
  chmod +x "$folder/opt/lib/firn/x86-64-v$level/firn-sim"
done
wide=3
grep -qw avx512vl /proc/cpuinfo && wide=4
expect 5 "level $wide: <a b> <--c>" "$folder/links/snow" "a b" --c
expect 5 "level $wide:" env FIRN_INSTRUCTIONS= "$folder/opt/bin/firn-sim"
expect 5 "level 3:" env FIRN_INSTRUCTIONS=AVX2 "$folder/opt/bin/firn-sim"
if ((wide == 4)); then
  expect 5 "level 4:" env FIRN_INSTRUCTIONS=AVX-512 "$folder/opt/bin/firn-sim"
else
  expect 2 "this machine has no such instructions" env FIRN_INSTRUCTIONS=AVX-512 "$folder/opt/bin/firn-sim"
fi
expect 2 "FIRN_INSTRUCTIONS is neither AVX2 nor AVX-512" env FIRN_INSTRUCTIONS=avx2 "$folder/opt/bin/firn-sim"
rm "$folder/opt/lib/firn/x86-64-v3/firn-sim"
expect 1 "firn-sim: cannot start " env FIRN_INSTRUCTIONS=AVX2 "$folder/opt/bin/firn-sim"
echo "$count commands"
