#!/usr/bin/env python3
"""Starts wedges and single runs into one folder at the same moment and checks that the folder stays whole.

Odd rounds: three wedges that share a take. Each that exits with 0 must find all its takes in wedge.json, with their
frames. Even rounds: a wedge and a single run. Exactly one of them may have the folder, and `info` must accept it.
Prints what was wrong and exits with 1 if there was something.

usage: wedge_races.py FIRN_SIM [ROUNDS]
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from sim_mistakes import SCENE


def start(sim, *arguments):
    return subprocess.Popen([sim, *map(str, arguments), "--progress", "none", "--threads", "1", "--frames", "1-2"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(process):
    text = process.communicate()[1]
    return process.returncode, text


def wedges(sim, scene, out):
    """Faults of a round of three wedges."""
    values = [f"0.05,0.06{i}" for i in range(3)]
    jobs = [start(sim, "wedge", scene, "--out", out, "--vary", f"solver.dx={v}", "--index", 2) for v in values]
    faults = []
    results = [finish(job) for job in jobs]
    names = [take["name"] for take in json.loads((out / "wedge.json").read_text())["takes"]]
    for value, (code, text) in zip(values, results):
        if code != 0:
            faults.append(f"{value}: exit {code}: {text}")
        for name in (f"dx-{dx}" for dx in value.split(",")):
            if name not in names:
                faults.append(f"wedge.json lacks {name}: {names}")
        if not (out / f"dx-{value.split(',')[1]}" / "snow.0002.vdb").exists():
            faults.append(f"{value}: no frame 2")
    return faults


def wedge_and_run(sim, scene, out):
    """Faults of a round of a wedge and a single run."""
    jobs = [start(sim, "wedge", scene, "--out", out, "--vary", "solver.dx=0.05", "--index", 1),
            start(sim, "run", scene, "--out", out)]
    results = [finish(job) for job in jobs]
    good = [code == 0 for code, _ in results]
    faults = []
    if good.count(True) != 1:
        faults.append(f"exits {results}")
    if (out / "wedge.json").exists() and (out / "snow.0001.vdb").exists():
        faults.append("the folder holds a wedge and a cache")
    if good[1] and subprocess.run([sim, "info", out], capture_output=True).returncode != 0:
        faults.append("info refuses the cache")
    return faults


def main():
    sim, rounds = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    faults = 0
    with tempfile.TemporaryDirectory() as root:
        scene = Path(root) / "scene.toml"
        scene.write_text(SCENE % 0.05)
        for number in range(1, rounds + 1):
            race = wedges if number % 2 else wedge_and_run
            for text in race(sim, scene, Path(root) / f"out{number}"):
                faults += 1
                print(f"FAULT round {number}, {race.__name__}: {text}", flush=True)
    print(f"{rounds} rounds, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
