#!/usr/bin/env python3
"""Firn's path tracing of snow beside that of Blender Cycles: the same lumpy ball under sun and sky, on one thread each.

usage:       compare.py CYCLES_SCENE [--snow coloured|white] [--seeds N] [--out FOLDER]
for example: compare.py build/tests/bench/cycles_scene

CYCLES_SCENE is built by `ninja -C build cycles_scene`; `blender` (3.4) must be in the PATH. Pictures stay in FOLDER and
are not rendered again, so an interrupted comparison goes on.

The table has, for each channel: the mean of the pictures against the reference (many paths of Firn), which should be 0;
the mean square error of a pixel, relative to its value; the variance of a pixel from seed to seed, which is the noise
alone; and the efficiency 1 / (variance * CPU seconds) relative to the first row. `all` counts the preparation of the
scene and of the light cache too. CPU seconds are the least of all seeds: other work makes them more, never less.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CHANNELS = "RGB"
SNOW = {"coloured": (0.9, 0.95, 0.99), "white": (0.999, 0.9995, 0.9998)}
REFERENCE_SPP = 2048
# name, renderer, its setting, samples per pixel; a step rate is the length of Cycles' steps in voxels
METHODS = [
    ("cycles, 1/4 voxel", "cycles", 0.25, (16, 4)),
    ("cycles, 1/8 voxel", "cycles", 0.125, (8,)),
    ("cycles, 1/2 voxel", "cycles", 0.5, (8,)),
    ("cycles, 1 voxel", "cycles", 1, (8,)),
    ("paths", "firn", [], (16, 64, 256)),
    ("paths, Cycles' cap", "firn", ["--max-bounces", 1024], (64,)),
    ("cached", "firn", ["--cached"], (16, 64, 256)),
]


def json_of(command):
    """What a program prints: the last line that is JSON."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    lines = [line.removeprefix("JSON ") for line in done.stdout.splitlines() if line.startswith(("{", "JSON "))]
    if done.returncode != 0 or not lines:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return json.loads(lines[-1])


class Comparison:
    def __init__(self, program, snow, seeds, folder):
        self.program, self.folder = program, folder
        self.albedo, self.seeds = SNOW[snow], seeds
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([str(program), "scene", str(folder)], check=True)
        self.about = json.loads((folder / "scene.json").read_text())

    def kept(self, name, make):
        """The CPU seconds of pictures, which are made if there are none."""
        notes = self.folder / f"{name}.json"
        if not notes.exists():
            notes.write_text(json.dumps(make()))
        return json.loads(notes.read_text())

    def pictures(self, name):
        return [self.folder / f"{name}-{seed}.exr" for seed in self.seeds]

    def firn(self, name, options, spp, seeds):
        """One dictionary of CPU seconds for each seed."""
        render = lambda seed: json_of([self.program, "render", self.folder / f"{name}-{seed}.exr", "--spp", spp,
                                       "--seed", seed, *options, "--albedo", *self.albedo])
        return self.kept(name, lambda: [render(seed) for seed in seeds])

    def reference(self):
        self.firn("reference", [], REFERENCE_SPP, [1000])
        return self.folder / "reference-1000.exr"

    def seconds_of_firn(self, name, options, spp):
        runs = self.firn(name, options, spp, self.seeds)
        least = lambda key: min(run[key] for run in runs)
        return least("render"), least("preparation") + least("cache")

    def seconds_of_cycles(self, name, step_rate, spp):
        command = ["blender", "-b", "-noaudio", "-P", HERE / "render.py", "--", self.folder, "--name", name, "--albedo",
                   *self.albedo, "--spp", spp, "--step-rate", step_rate, "--seeds", *self.seeds]
        notes = self.kept(name, lambda: json_of(command))
        return min(notes["render"]), notes["preparation"]

    def measure(self, method, spp):
        """A row of the table: CPU seconds without and of preparation, and the errors of each channel."""
        title, renderer, setting, _ = method
        name = re.sub("[^a-z0-9]+", "-", title.lower()) + f"-{spp}"
        seconds_of = self.seconds_of_cycles if renderer == "cycles" else self.seconds_of_firn
        render, preparation = seconds_of(name, setting, spp)
        errors = json_of([self.program, "compare", self.reference(), *self.pictures(name)])
        return {"title": title, "spp": spp, "render": render, "preparation": preparation, "errors": errors}


def efficiency(row, channel, with_preparation):
    seconds = row["render"] + (row["preparation"] if with_preparation else 0)
    return 1 / (row["errors"][channel]["variance"] * seconds)


def line_of(row, base):
    errors = [row["errors"][channel] for channel in CHANNELS]
    column = lambda form, values: " ".join(format(value, form) for value in values)
    gain = lambda whole: [efficiency(row, c, whole) / efficiency(base, c, whole) for c in CHANNELS]
    return (f"{row['title']:19}{row['spp']:5}{row['render']:9.2f}{row['preparation']:7.2f}  "
            f"{column('+6.2f', [100 * (e['mean'] - 1) for e in errors])}  "
            f"{column('4.2f', [100 * e['mean_error'] for e in errors])}  "
            f"{column('8.5f', [e['squares'] for e in errors])}  {column('8.5f', [e['variance'] for e in errors])}  "
            f"{column('6.2f', gain(False))}  {column('6.2f', gain(True))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cycles_scene", type=pathlib.Path)
    parser.add_argument("--snow", choices=SNOW, default="coloured")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    if not shutil.which("blender"):
        sys.exit("blender is not in the PATH")
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.out or pathlib.Path(temporary)).resolve()
        comparison = Comparison(asked.cycles_scene.resolve(), asked.snow, range(1, asked.seeds + 1), folder)
        print(f"albedo {comparison.albedo}, optical radius {comparison.about['optical_radius']:.0f}, reference "
              f"{REFERENCE_SPP} paths per pixel of Firn")
        print(f"{'':19}{'spp':>5}{'CPU s':>9}{'prep.':>7}  {'mean, %':20}  {'+- %':14}  {'square error':26}  "
              f"{'variance':26}  {'efficiency':20}  efficiency, all")
        base = None
        for method in METHODS:
            for spp in method[3]:
                row = comparison.measure(method, spp)
                base = base or row
                print(line_of(row, base), flush=True)


if __name__ == "__main__":
    main()
