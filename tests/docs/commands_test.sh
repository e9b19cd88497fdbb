#!/bin/bash
# Runs every command of pages (*.md) or of the leading comments of scenes (*.toml), unchanged and in order, in a folder
# with a copy of the scenes. A command is a line that begins with ./firn, firn-sim or firn-render, in a fence that is
# tagged sh or not tagged, in indented code, or indented in a scene's leading comment.
# Environment variables make shots coarse and pictures small; FIRN_DOCS_DX is the width of cells in metres. `./firn demo`
# and `./firn test` take too long; the test only checks that the launcher's help has them.
# usage: commands_test.sh PROJECT FIRN-SIM FIRN-RENDER PATTERN...
# The patterns, such as 'docs/*.md', name files in the project.
set -euo pipefail
project=$1 sim=$2 render=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$sim" "$folder/bin/firn-sim"
ln -s "$render" "$folder/bin/firn-render"
export PATH=$folder/bin:$PATH PROJECT=$project
export FIRN_SOLVER_DX=${FIRN_DOCS_DX:-0.13} FIRN_RENDER_SPP=2 FIRN_RENDER_WIDTH=240 FIRN_RENDER_HEIGHT=144 FIRN_RENDER_MAX_BOUNCES=1 FIRN_RENDER_DETAIL=off

# Prints the commands of a page.
commandsOfPage() {
  awk '
    /^```/ { if (fence) fence = 0; else { fence = 1; runs = ($0 == "```sh" || $0 == "```") } next }
    fence ? runs && /^(\.\/firn|firn-sim|firn-render) / : /^    (\.\/firn|firn-sim|firn-render) / { sub(/^ +/, ""); print }
  ' "$1"
}

commandsOfScene() {
  awk '!/^#/ { exit } /^#  +(\.\/firn|firn-sim|firn-render) / { sub(/^# +/, ""); print }' "$1"
}

# Makes a folder to run in, with a ./firn that does what the launcher does after a build.
prepare() {
  mkdir -p "$1"
  cp -r "$project/scenes" "$1/scenes"
  cat > "$1/firn" <<'END'
#!/bin/bash
verb=$1
shift
case $verb in
  sim) exec firn-sim "$@" ;;
  render) exec firn-render "$@" ;;
esac
[[ $("$PROJECT/firn" help) == *"./firn $verb"* ]] || { echo "the launcher's help does not have $verb" >&2; exit 2; }
END
  chmod +x "$1/firn"
}

count=0 failed=0
runAll() {
  local source=$1 command log=$folder/log
  rm -rf "$folder/run"
  prepare "$folder/run"
  while IFS= read -r command; do
    count=$((count + 1))
    local begin=$SECONDS
    if ! (cd "$folder/run" && bash -ec "$command" < /dev/null) > "$log" 2>&1; then
      echo "${source#"$project/"}: $command"
      tail -5 "$log"
      failed=$((failed + 1))
    fi
    ((SECONDS - begin < 5)) || echo "$((SECONDS - begin)) s: $command"
  done
}

for pattern; do
  for file in "$project"/$pattern; do
    case $file in
      *.md) runAll "$file" < <(commandsOfPage "$file") ;;
      *) runAll "$file" < <(commandsOfScene "$file") ;;
    esac
  done
done
echo "$count commands, $failed failed"
((count >= 10 && failed == 0))
