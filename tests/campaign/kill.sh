#!/bin/bash
# Kills a simulation with kill -9 at random moments, resumes it each time, and compares every frame with those of an
# undisturbed run. Exits 1 when a frame differs or a run cannot be continued.
# usage:       kill.sh FIRN_SIM SHOT [KILLS [firn-sim options]]
# for example: kill.sh build/sim/firn-sim scenes/snowball-drop.toml 20 --quality draft --frames 1-12
set -eu
firn_sim=$1 shot=$2 kills=${3:-20}
shift $(( $# < 3 ? $# : 3 ))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run=("$firn_sim" run "$shot" --progress none "$@")

now() { date +%s.%N; }
start=$(now)
"${run[@]}" --out "$folder/reference"
seconds=$(awk "BEGIN { print $(now) - $start }")

bad=0 done=0
while (( done < kills )); do
    "${run[@]}" --out "$folder/out" --resume 2> "$folder/log" & pid=$!
    sleep "$(awk "BEGIN { print $seconds * $RANDOM / 32768 }")"
    kill -9 $pid 2> /dev/null || true
    code=0; wait $pid 2> /dev/null || code=$?
    case $code in
        137) done=$((done + 1)) ;;
        0) rm -rf "$folder/out" ;;
        *) echo "exit $code:"; cat "$folder/log"; bad=$((bad + 1)); rm -rf "$folder/out" ;;
    esac
done
"${run[@]}" --out "$folder/out" --resume
for frame in "$folder"/reference/snow.*.vdb; do
    cmp -s "$frame" "$folder/out/$(basename "$frame")" || { echo "differs: $(basename "$frame")"; bad=$((bad + 1)); }
done
"$firn_sim" info "$folder/out" || bad=$((bad + 1))
echo "$done kills, $bad bad"
(( bad == 0 ))
