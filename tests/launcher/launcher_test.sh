#!/bin/bash
# The launcher's own messages and exit codes, from a folder that is not the project's.
set -euo pipefail
firn=$1
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

fail() {
  echo "launcher: $*"
  exit 1
}

help=$("$firn" help)
for command in demo test wedge denoiser sim render; do
  [[ $help == *"./firn $command"* ]] || fail "help says nothing of $command"
done

message=$("$firn" rendr 2>&1 >/dev/null) && fail "an unknown command was accepted"
[[ $message == *"'rendr'"*"render"* ]] || fail "the message does not name what was found and expected: $message"

status=0
"$firn" demo --framse 1-2 2>/dev/null || status=$?
((status == 2)) || fail "demo with an unknown option exits $status, expected 2"

status=0
message=$("$firn" wedge scene.toml out 2>&1) || status=$?
((status == 2)) && [[ $message == *"frames"* ]] || fail "wedge without frames exits $status, expected 2: $message"

ln -s "$firn" link
[[ $(./link help) == "$help" ]] || fail "does not work through a symbolic link"
