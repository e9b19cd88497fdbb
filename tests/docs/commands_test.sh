#!/bin/bash
# Runs every command of README.md, docs/*.md and the heads of scenes/*.toml as it stands, in order, in a folder that holds
# a copy of the scenes. Commands are the lines that begin with ./firn, firn-sim or firn-render in fences tagged sh or
# not tagged, in indented code, and indented in a scene's leading comment.
# Through the environment, shots are coarse and pictures small; `./firn demo` and `./firn test`, which build and take
# long, are only looked up in the launcher's help.
set -euo pipefail
project=$1 sim=$2 render=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$sim" "$folder/bin/firn-sim"
ln -s "$render" "$folder/bin/firn-render"
export PATH=$folder/bin:$PATH PROJECT=$project
export FIRN_SOLVER_DX=0.1 FIRN_RENDER_SPP=1 FIRN_RENDER_WIDTH=320 FIRN_RENDER_HEIGHT=180 FIRN_RENDER_MAX_BOUNCES=1

# Lines of commands in the code of a page.
commandsOfPage() {
  awk '
    /^```/ { if (fence) fence = 0; else { fence = 1; runs = ($0 == "```sh" || $0 == "```") } next }
    fence ? runs && /^(\.\/firn|firn-sim|firn-render) / : /^    (\.\/firn|firn-sim|firn-render) / { sub(/^ +/, ""); print }
  ' "$1"
}

commandsOfScene() {
  awk '!/^#/ { exit } /^#  +(\.\/firn|firn-sim|firn-render) / { sub(/^# +/, ""); print }' "$1"
}

# A folder to run in, with ./firn as the launcher would be once all is built.
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
[[ $("$PROJECT/firn" help) == *"./firn $verb"* ]] || { echo "the launcher's help says nothing of $verb" >&2; exit 2; }
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
    if ! (cd "$folder/run" && bash -ec "$command" < /dev/null) > "$log" 2>&1; then
      echo "${source#"$project/"}: $command"
      tail -5 "$log"
      failed=$((failed + 1))
    fi
  done
}

for page in "$project/README.md" "$project"/docs/*.md; do
  runAll "$page" < <(commandsOfPage "$page")
done
for scene in "$project"/scenes/*.toml; do
  runAll "$scene" < <(commandsOfScene "$scene")
done
echo "$count commands, $failed failed"
((count >= 10 && failed == 0))
