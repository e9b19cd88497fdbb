#!/bin/bash
# Links and pictures in README.md and docs/*.md lead to files of the project (and to headings that exist), files and
# folders that they name exist, and no page has a path of one machine.
set -euo pipefail
cd "$1"
failed=0
fail() {
  echo "$*"
  failed=1
}

# The anchors of a page's headings: lower case, words joined by hyphens.
anchors() {
  grep -E '^#+ ' "$1" | sed -E 's/^#+ +//; s/`//g' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

checkLink() {
  local page=$1 link=$2 path=${2%%#*} target
  target=$(dirname "$page")/$path
  [[ -n $path ]] || target=$page
  [[ -e $target ]] || { fail "$page: $link does not exist"; return; }
  [[ $link != *'#'* ]] || anchors "$target" | grep -qxF -- "${link#*#}" || fail "$page: $link has no such heading"
}

links=0
for page in README.md docs/*.md; do
  while IFS= read -r link; do
    [[ $link == http* ]] && continue
    links=$((links + 1))
    checkLink "$page" "$link"
  done < <(grep -oE '\]\([^) ]+\)' "$page" | sed -E 's/^\]\(//; s/\)$//'; grep -oE 'src="[^"]+"' "$page" | cut -d'"' -f2)
  while IFS= read -r path; do
    [[ -e $path ]] || fail "$page: $path does not exist"
  done < <(grep -oE '`(common|sim|render|scenes|tests|docs)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`')
  if grep -nE '(^|[^.[:alnum:]_])/(home|root|tmp|work|Users|mnt|opt)/' "$page"; then fail "$page: path of a machine"; fi
done
shopt -s nullglob
for picture in docs/*.png docs/*.jpg; do
  grep -qF "${picture#docs/}" README.md docs/*.md || fail "$picture: no page shows it"
  (($(stat -c %s "$picture") <= 400000)) || fail "$picture: more than 400 kB"
done
echo "$links links"
((links >= 5 && failed == 0))
