#!/usr/bin/env python3
"""Makes random mistakes with firn-render and checks that nothing is lost.

Renders, denoises and merges into the same few folders, with random options, two jobs at the same time, killed jobs,
damaged, missing, copied and foreign files, and never with --force. Now and then, jobs of different numbers of paths
write the same frame at the same time. After each command:
  - a picture is as before, or replaced by one of the same simulation with at least as many paths per pixel and with all
    of its pixels,
  - a finished film is as before, or replaced by one with as many samples, or its picture is there,
  - files that Firn did not write, damaged pictures and the caches are as before.
Prints what was lost and exits with 1 if that is not so.

usage: mistakes.py FIRN_SIM FIRN_RENDER [COMMANDS [SEED]]
"""
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCENE = """version = 1
frames = "1-2"
[[snow]]
shape = "box"
min = [-0.1, 0.0, -0.1]
max = [0.1, 0.1, 0.1]
[[body]]
shape = "plane"
[camera]
position = [0.4, 0.3, 0.5]
look_at = [0.0, 0.05, 0.0]
[solver]
dx = 0.05
[render]
width = 24
height = 16
spp = 2
"""


def exr_picture(data):
    """(simulation and frame, paths per pixel, data window) of a picture of Firn's; None for other bytes."""
    if data[:4] != b"\x76\x2f\x31\x01":
        return None
    at, found = 8, {}
    try:
        while data[at] != 0:
            name, kind, rest = data[at:at + 4096].split(b"\0", 2)
            at += len(name) + len(kind) + 2
            size, = struct.unpack_from("<i", data, at)
            found[name] = data[at + 4:at + 4 + size]
            at += 4 + size
        window = struct.unpack("<4i", found[b"dataWindow"])
        shown = found[b"firn.cache_scene_hash"], found[b"firn.frame"]
        return shown, struct.unpack("<i", found[b"firn.spp"])[0], window
    except (IndexError, KeyError, ValueError, struct.error):
        return None


def is_kept(before, now):
    """Whether the picture `now` has all that the picture `before` has."""
    if now is None or now[0] != before[0] or now[1] < before[1]:
        return False
    a, b = before[2], now[2]
    return b[0] <= a[0] and b[1] <= a[1] and b[2] >= a[2] and b[3] >= a[3]


class Campaign:
    def __init__(self, sim, render, root, seed):
        self.sim, self.render, self.root = sim, render, root
        self.random = random.Random(seed)
        self.lost = 0
        self.codes = {}
        for name, dx in (("a", "0.05"), ("b", "0.06")):
            # One shot name, so that both simulations have the same names of pictures.
            (root / name).mkdir()
            (root / name / "shot.toml").write_text(SCENE.replace("0.05\n[render]", dx + "\n[render]"))
            subprocess.run([sim, "run", root / name / "shot.toml", "--out", root / name / "cache", "--progress", "none"],
                           check=True)

    def snapshot(self):
        return {path: path.read_bytes() for path in sorted(self.root.rglob("*"))
                if path.is_file() and path.suffix in (".exr", ".png", ".film", ".vdb", ".firn", ".txt")}

    def film_samples(self, path):
        """Samples of a pixel of a finished film; None for another file."""
        out = subprocess.run([self.render, "info", path], capture_output=True, text=True).stdout
        match = re.search(r"samples +(\d+) to", out)
        return int(match.group(1)) if match and ": finished film" in out else None

    def films(self, files):
        return {path: self.film_samples(path) for path in files if path.suffix == ".film"}

    def loss(self, path, old, now, samples):
        """What is wrong with a file that a command has changed; "" if it may have been."""
        if path.suffix == ".exr":
            before, after = exr_picture(old), exr_picture(now.get(path, b""))
            if before is None:
                return "a file that is no picture of Firn's was changed"
            return "" if is_kept(before, after) else f"picture {before[1:]} became {after and after[1:]}"
        if path.suffix == ".film":
            if samples is None:
                return ""
            if path in now and (self.film_samples(path) or 0) >= samples:
                return ""
            frame = re.search(r"\.(\d{4})\.", path.name).group(1)
            picture = exr_picture(now.get(path.parent / f"shot.{frame}.exr", b""))
            return "" if picture and picture[1] >= samples else f"film with {samples} samples"
        if path.suffix == ".png":
            return "" if b"Rendered by Firn" in old else "a foreign PNG was changed"
        return "a file of the cache or of the user was changed"

    def arguments(self):
        pick = self.random.choice
        scene, out = pick("ab"), pick("pq")
        options = ["--frames", pick(["1", "2", "1-2"]), "--denoiser", pick(["off", "off", "filter"])]
        goal = pick(["--spp", "--spp", "--spp", "--noise", "--samples", ""])
        if goal == "--spp":
            options += ["--spp", pick(["1", "2", "4", "40", "400"])]
        elif goal == "--noise":
            options += ["--noise", pick(["0.5", "0.05", "0.02"])]
        elif goal == "--samples":
            options += ["--spp", "8", "--samples", pick(["0-1", "2-3", "0-7"])]
        for option, values in (("--res", ["24x16", "36x24"]), ("--crop", ["0,0,8,8", "4,4,16,8"]),
                               ("--seed", ["0", "1"]), ("--format", ["float"])):
            if self.random.random() < 0.25:
                options += [option, pick(values)]
        for option in ("--film", "--resume", "--skip-existing", "--raw-preview"):
            if self.random.random() < 0.25:
                options.append(option)
        if self.random.random() < 0.3:
            options += ["--checkpoint", "1e-6"]
        return [self.render, "frames", self.root / scene / "shot.toml", "--cache", self.root / scene / "cache", "--out",
                self.root / out, "--progress", "none", *options]

    def other_arguments(self):
        pick = self.random.choice
        pictures, films = sorted(self.root.glob("[pq]/*.exr")), sorted(self.root.glob("[pqm]/*.film"))
        if pictures and self.random.random() < 0.5:
            return [self.render, "denoise", pick(pictures), "--denoiser", "filter", "--out", self.root / pick("pq")]
        if films:
            chosen = self.random.sample(films, min(len(films), pick([1, 2])))
            return [self.render, "merge", *chosen, "--denoiser", "off", "--out", self.root / pick("pqm")]
        return self.arguments()

    def mistake(self):
        """Damages, removes, copies or adds files, as a user or a disk may."""
        pick = self.random.choice
        files = sorted(path for path in self.root.glob("[pqm]/*") if path.suffix in (".exr", ".png", ".film", ".jsonl"))
        if not files:
            return
        path, kind = pick(files), pick(["flip", "cut", "remove", "copy", "rename", "foreign"])
        data = path.read_bytes()
        if kind == "flip" and data:
            at = self.random.randrange(len(data))
            path.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1:])
        elif kind == "cut":
            path.write_bytes(data[:self.random.randrange(len(data) + 1)])
        elif kind == "remove":
            path.unlink()
        elif kind == "foreign":
            path.write_bytes(b"a plate")
        else:
            name = pick(["shot.0001", "shot.0002"]) + path.suffix if path.suffix != ".jsonl" else path.name
            (self.root / pick("pq")).mkdir(exist_ok=True)
            target = self.root / pick("pq") / name
            target.parent.mkdir(exist_ok=True)
            if target != path:
                (shutil.copyfile if kind == "copy" else shutil.move)(path, target)

    def run(self):
        """Runs one command, or two at once; may kill the first."""
        commands = [self.arguments() if self.random.random() < 0.7 else self.other_arguments()]
        if self.random.random() < 0.2:
            commands.append(self.arguments())
        jobs = [subprocess.Popen([str(a) for a in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                for command in commands]
        if self.random.random() < 0.2:
            time.sleep(self.random.random() * 0.3)
            jobs[0].send_signal(self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        errors = [job.communicate()[1] for job in jobs]
        for job in jobs:
            self.codes[job.returncode] = self.codes.get(job.returncode, 0) + 1
        return [" ".join(str(a) for a in command) + f"\n    -> {job.returncode} {error.strip()[:400]}"
                for command, job, error in zip(commands, jobs, errors)]

    def race(self):
        """Starts jobs that end at nearly the same time: a picture of fewer paths must not replace one of more."""
        out = self.root / "r"
        shutil.rmtree(out, ignore_errors=True)
        paths = [8, 9, 10]
        command = [self.render, "frames", self.root / "a" / "shot.toml", "--cache", self.root / "a" / "cache", "--out", out,
                   "--progress", "none", "--frames", "1", "--denoiser", "filter", "--res", "240x160", "--spp"]
        jobs = [(count, subprocess.Popen([*command, str(count)], stderr=subprocess.DEVNULL))
                for count in self.random.sample(paths, len(paths))]
        written = [count for count, job in jobs if job.wait() == 0]
        picture = exr_picture((out / "shot.0001.exr").read_bytes())
        if not written or picture is None or picture[1] != max(written):
            self.lost += 1
            print(f"LOST r: jobs of {written} paths wrote the frame, and its picture is {picture}", flush=True)

    def step(self):
        if self.random.random() < 0.1:
            self.race()
        if self.random.random() < 0.15:
            self.mistake()
        before = self.snapshot()
        films = self.films(before)
        texts = self.run()
        now = self.snapshot()
        for path, old in before.items():
            if now.get(path) == old:
                continue
            lost = self.loss(path, old, now, films.get(path))
            if lost:
                self.lost += 1
                print(f"LOST {path.relative_to(self.root)}: {lost}\n  " + "\n  ".join(texts), flush=True)


def main():
    sim, render = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(sim, render, Path(folder), seed)
        for number in range(count):
            campaign.step()
            if number % 15 == 14:  # full of refused files: begin anew
                for out in "pqm":
                    shutil.rmtree(Path(folder) / out, ignore_errors=True)
        print(f"{count} commands, exit codes {dict(sorted(campaign.codes.items()))}, {campaign.lost} losses")
        return 1 if campaign.lost else 0


if __name__ == "__main__":
    sys.exit(main())
