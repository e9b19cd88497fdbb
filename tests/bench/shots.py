#!/usr/bin/env python3
"""Times whole shots over their frames of impact: minutes per frame beside those of Stomakhin et al. 2013, table 3 (eight
Xeon X5550 cores), with the integrator chosen frame by frame, explicit, and semi-implicit at steps of 5e-4 s. Minutes are
those of wall time; CPU minutes over the threads say what a machine without other work would take.

usage:       shots.py FIRN_SIM [THREADS [SHOT [INTEGRATOR...]]]
for example: shots.py build/sim/firn-sim 2 snowball-drop auto
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
# shot: first and last frame of the impact, the paper's minutes per frame
SHOTS = {
    "snowball-drop": (4, 6, 5.2),
    "snowball-smash": (4, 6, 7.3),
    "double-smash": (4, 6, 13.3),
}
INTEGRATORS = ("auto", "explicit", "implicit")


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def simulate(firn_sim, threads, shot, integrator, last, folder):
    """On to frame `last`; the lines of stats.jsonl, a dictionary per frame, and the CPU seconds that it took."""
    before = cpu_seconds()
    command = [firn_sim, "run", str(SCENES / f"{shot}.toml"), "--out", folder, "--resume", "--force", "--threads",
               threads, "--frames", str(last), "--progress", "none", "--set", f'solver.integrator="{integrator}"']
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(pathlib.Path(folder) / "stats.jsonl", encoding="utf-8") as stats:
        return [json.loads(line) for line in stats], cpu_seconds() - before


def measure(firn_sim, threads, shot, integrators):
    first, last, paper = SHOTS[shot]
    for integrator in integrators:
        with tempfile.TemporaryDirectory() as folder:
            simulate(firn_sim, threads, shot, "auto", first - 1, folder)
            lines, cpu = simulate(firn_sim, threads, shot, integrator, last, folder)
        impact = [line for line in lines if first <= line["frame"] <= last]
        mean = lambda key: sum(line[key] for line in impact) / len(impact)
        minutes, cpu_minutes = mean("seconds") / 60, cpu / len(impact) / 60 / int(threads)
        solves = sum(line["substeps"] for line in impact if line["integrator"] == "implicit")
        iterations = len(impact) * mean("cr_iterations") / solves if solves else 0
        print(f"{shot:15}{integrator:10}{impact[0]['particles'] / 1e6:8.2f} M{minutes:10.3f}{cpu_minutes:10.3f}"
              f"{paper:7.1f}{paper / minutes:7.1f}{paper / cpu_minutes:7.1f}{mean('substeps'):9.0f}{iterations:11.1f}"
              f"{len(impact) * mean('cr_failures'):7.0f}  " + "".join(line["integrator"][0] for line in impact),
              flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    firn_sim, threads = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "2"
    print("shot           asked    particles min/frame CPU/threads paper  ratio   same substeps iterations failed frames")
    for shot in sys.argv[3:4] or SHOTS:
        measure(firn_sim, threads, shot, sys.argv[4:] or INTEGRATORS)


if __name__ == "__main__":
    main()
