#!/bin/bash
# The tables of docs/method.md are true: each function in a row is in one of the files of that row.
set -euo pipefail
cd "$1"
failed=0 functions=0

# Prints "files TAB functions" for each row of a table that has both columns; names are separated by spaces.
rows() {
  awk -F'|' '
    function names(cell,  text) {
      text = ""
      while (match(cell, /`[^`]+`/)) {
        text = text substr(cell, RSTART + 1, RLENGTH - 2) " "
        cell = substr(cell, RSTART + RLENGTH)
      }
      return text
    }
    !/^\|/ { functions = files = 0; next }
    / function \|/ { for (i = 1; i <= NF; ++i) { if ($i == " function ") functions = i; if ($i == " file ") files = i } next }
    functions && files && !/^\|-/ { print names($files) "\t" names($functions) }
  ' docs/method.md
}

while IFS=$'\t' read -r files names; do
  for name in $names; do
    functions=$((functions + 1))
    # shellcheck disable=SC2086
    grep -qsw -- "${name##*::}" $files || { echo "docs/method.md: $name is not in $files"; failed=1; }
  done
done < <(rows)
echo "$functions functions"
((functions >= 30 && failed == 0))
