#!/usr/bin/env python3
"""Makes random mistakes with firn-sim run and checks that nothing is lost and that no result is wrong.

Runs two scenes into the same few folders, with --resume and other --frames, killed at random moments, with damaged,
missing, copied, renamed and foreign files and moved folders, and never with --force. After each command:
  - files that were put there by hand are as before, unless stats.jsonl lists them under this name (such a file counts
    as a damaged frame, which --resume restores),
  - a cache of the other scene is as before,
  - after exit code 0 all frames of the run are there, with the bits of an undisturbed run, and `info` finds none
    damaged.
Prints what was lost or wrong and exits with 1 if there was something.

usage: sim_mistakes.py FIRN_SIM [COMMANDS [SEED]]
"""
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCENE = """version = 1
frames = "1-6"
fps = 48
[[snow]]
shape = "box"
min = [-0.1, 0.02, -0.1]
max = [0.1, 0.12, 0.1]
[[body]]
shape = "plane"
[solver]
dx = %s
"""
LAST = 6


def frame_name(frame):
    return f"snow.{frame:04}.vdb"


class Campaign:
    def __init__(self, sim, root, seed):
        self.sim, self.root, self.random = sim, root, random.Random(seed)
        self.faults, self.codes = 0, {}
        self.reference, self.hashes = {}, {}
        self.by_hand = {}  # path -> content
        for scene, dx in (("a", "0.04"), ("b", "0.045")):
            (root / f"{scene}.toml").write_text(SCENE % dx)
            out = root / f"reference-{scene}"
            subprocess.run([sim, "run", root / f"{scene}.toml", "--out", out, "--progress", "none"], check=True)
            self.hashes[scene] = self.scenes(out).pop()
            self.reference[scene] = {f: (out / frame_name(f)).read_bytes() for f in range(1, LAST + 1)}

    def fault(self, what, text):
        self.faults += 1
        print(f"FAULT {what}\n  {text}", flush=True)

    def listed(self, folder):
        """Names of the files that stats.jsonl lists."""
        names = set()
        try:
            for line in (folder / "stats.jsonl").read_text().splitlines():
                names |= {file["name"] for file in json.loads(line)["files"]}
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return names

    def scenes(self, folder):
        """Hashes of the scenes of the frames in stats.jsonl."""
        try:
            return {json.loads(line)["scene_hash"] for line in (folder / "stats.jsonl").read_text().splitlines()}
        except (OSError, ValueError, KeyError, TypeError):
            return set()

    def others(self, scene, folder):
        """The points files and checkpoints of a cache of another scene."""
        scenes = self.scenes(folder)
        if not scenes or self.hashes[scene] in scenes:
            return {}
        return {path: path.read_bytes() for path in folder.glob("[!.]*") if path.suffix in (".vdb", ".firn")}

    def put(self, path, data):
        path.write_bytes(data)
        self.by_hand[path] = data

    def mistake(self):
        pick = self.random.choice
        folder = self.root / pick("pq")
        own = sorted(path for path in folder.glob("*") if path.is_file() and path.suffix != ".log")
        kind = pick(["copy", "copy", "foreign", "flip", "cut", "remove", "rename", "move", "swap"])
        if kind in ("copy", "foreign") and folder.exists():
            source = pick(sorted((self.root / f"reference-{pick('ab')}").glob("*.*")) + own)
            name = pick([frame_name(self.random.randint(1, LAST + 2)),
                         f"checkpoint.{self.random.randint(1, LAST + 2):04}.firn", source.name, "notes.txt"])
            if name.endswith((".log", ".jsonl", ".scene", ".usda")) or name.startswith("."):
                return
            self.put(folder / name, b"a volume" if kind == "foreign" else source.read_bytes())
        elif kind == "move" and folder.exists():
            moved = self.root / f"moved-{len(list(self.root.glob('moved-*')))}"
            folder.rename(moved)
            self.by_hand = {(moved / path.name if path.parent == folder else path): data
                            for path, data in self.by_hand.items()}
        elif own:
            path = pick(own)
            data = path.read_bytes()
            self.by_hand.pop(path, None)
            if kind == "flip" and data:
                at = self.random.randrange(len(data))
                path.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1:])
            elif kind == "cut":
                path.write_bytes(data[:self.random.randrange(len(data) + 1)])
            elif kind == "remove":
                path.unlink()
            elif kind == "rename" and path.suffix in (".vdb", ".firn"):
                target = folder / (path.name[:-9] + f"{self.random.randint(1, LAST + 2):04}" + path.suffix
                                   if path.suffix == ".firn" else frame_name(self.random.randint(1, LAST + 2)))
                path.unlink()
                self.put(target, data)

    def arguments(self):
        pick = self.random.choice
        scene, folder = pick("aab"), self.root / pick("pq")
        options = ["--resume"] if self.random.random() < 0.75 else []
        frames = pick(["1-6", "1-6", "1-6", "1-3", "2-5", "1-6x2"])
        command = [self.sim, "run", self.root / f"{scene}.toml", "--out", folder, "--frames", frames, "--progress",
                   "none", "--threads", "1", *options]
        return scene, folder, frames, command

    def check_result(self, scene, folder, frames, text):
        begin, end = (int(n) for n in frames.split("x")[0].split("-"))
        step = int(frames.split("x")[1]) if "x" in frames else 1
        for frame in range(begin, end + 1, step):
            path = folder / frame_name(frame)
            if not path.exists() or path.read_bytes() != self.reference[scene][frame]:
                state = "wrong" if path.exists() else "missing"
                self.fault(f"{path.name} of {scene} is {state} after exit code 0", text)
        info = json.loads(subprocess.run([self.sim, "info", folder, "--json"], capture_output=True, text=True).stdout)
        if any(file["damage"] for entry in info["frames"] for file in entry["files"]):
            self.fault("info finds a damaged frame after exit code 0", text)

    def step(self):
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            self.mistake()
        listed = {folder: self.listed(folder) for folder in (self.root / "p", self.root / "q")}
        scene, folder, frames, command = self.arguments()
        others = self.others(scene, folder)
        job = subprocess.Popen([str(a) for a in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if self.random.random() < 0.3:
            time.sleep(self.random.random() * 0.4)
            job.send_signal(self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        error = job.communicate()[1].decode(errors="backslashreplace")
        self.codes[job.returncode] = self.codes.get(job.returncode, 0) + 1
        text = " ".join(str(a) for a in command) + f"\n    -> {job.returncode} {error.strip()[:500]}"
        for path, data in others.items():
            if not path.exists() or path.read_bytes() != data:
                self.fault(f"{path.name} of another scene was {'changed' if path.exists() else 'removed'}", text)
        for path, data in list(self.by_hand.items()):
            if path.exists() and path.read_bytes() == data:
                continue
            del self.by_hand[path]
            if path.name not in listed.get(path.parent, set()):
                self.fault(f"{path.name}, put there by hand, was {'changed' if path.exists() else 'removed'}", text)
        if job.returncode == 0:
            self.check_result(scene, folder, frames, text)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(sys.argv[1], Path(folder), seed)
        for number in range(count):
            campaign.step()
            if number % 12 == 11:  # full of refused files: begin anew
                for path in Path(folder).glob("[pqm]*"):
                    shutil.rmtree(path)
                campaign.by_hand.clear()
        print(f"{count} commands, exit codes {dict(sorted(campaign.codes.items()))}, {campaign.faults} faults")
        return 1 if campaign.faults else 0


if __name__ == "__main__":
    sys.exit(main())
