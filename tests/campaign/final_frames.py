#!/usr/bin/env python3
"""How good final frames are, and what they cost: light cache and denoiser against converged paths on three frames.

usage:       final_frames.py BUILD FOLDER [--threads N] [--reference SPP] [--width PIXELS]
for example: ninja -C build picture_quality && tests/campaign/final_frames.py build out/final-frames

The frames are 32 and 48 of scenes/footsteps.toml and 8 of scenes/snowball-smash.toml, simulated at draft quality. The
denoiser's weights are those of `./firn denoiser`. Caches and pictures stay in FOLDER and are not made again, so an
interrupted campaign goes on. The output is that of picture_quality, and the CPU seconds of every render.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = {"footsteps": (32, 48), "snowball-smash": (8,)}
CROP = "560,360,160,96"  # of 1280 x 720: around the boot of frame 32
FLICKER = {"paths": 12, "cached": 10}


class Campaign:
    def __init__(self, build, folder, threads, reference, width):
        self.sim, self.render = build / "sim/firn-sim", build / "render/firn-render"
        self.quality = build / "tests/campaign/picture_quality"
        self.folder, self.threads, self.reference = folder, threads, reference
        self.size = [f"render.width={width}", f"render.height={width * 9 // 16}"]

    def run(self, command):
        """CPU seconds of a command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stderr[-2000:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def cache(self, shot):
        folder = self.folder / shot
        self.run([self.sim, "run", ROOT / f"scenes/{shot}.toml", "--quality", "draft", "--out", folder, "--resume",
                  "--frames", f"1-{max(SHOTS[shot])}", "--threads", self.threads])
        return folder

    def picture(self, shot, frame, name, spp, settings=(), options=()):
        """The EXR of a render, and the CPU seconds that it took."""
        folder = self.folder / f"{shot}.{frame}.{name}"
        exr, notes = folder / f"{shot}.{frame:04}.exr", folder / "seconds.json"
        if not notes.exists():
            sets = [part for setting in [*settings, f"render.spp={spp}"] for part in ("--set", setting)]
            seconds = self.run([self.render, "frames", ROOT / f"scenes/{shot}.toml", "--quality", "draft", "--cache",
                                self.folder / shot, "--out", folder, "--frames", frame, "--resume", "--threads",
                                self.threads, *sets, *options])
            notes.write_text(json.dumps(seconds))
        seconds = json.loads(notes.read_text())
        print(f"{shot} {frame} {name}: {seconds:.1f} CPU s", flush=True)
        return exr

    def compare(self, *arguments):
        done = subprocess.run([str(self.quality), *map(str, arguments)], capture_output=True, text=True, check=True)
        print(done.stdout, flush=True)

    def against_reference(self, shot, frame):
        reference = self.picture(shot, frame, "reference", self.reference, self.size)
        pictures = [self.picture(shot, frame, f"paths-{spp}", spp, [*self.size, "render.seed=1"])
                    for spp in (4, 16, 64)]
        pictures.append(self.picture(shot, frame, "cached-120", 120,
                                     [*self.size, "render.seed=1", "render.transport=cached"]))
        self.compare("against", reference, *pictures)

    def flicker(self):
        size = ["render.width=1280", "render.height=720"]
        for transport, count in FLICKER.items():
            pictures = [self.picture("footsteps", 32, f"flicker-{transport}-{seed}", 8,
                                     [*size, f"render.seed={seed}", f"render.transport={transport}"], ["--crop", CROP])
                        for seed in range(1, count + 1)]
            self.compare("flicker", *pictures)

    def cost(self):
        """Of a whole picture of 1920 x 1080, and what 2 % of noise would cost."""
        size = ["render.width=1920", "render.height=1080"]
        self.picture("footsteps", 32, "whole-8", 8, size)
        self.picture("footsteps", 32, "whole-32", 32, size)
        sets = [part for setting in size for part in ("--set", setting)]
        done = subprocess.run([str(self.render), "check", str(ROOT / "scenes/footsteps.toml"), "--quality", "draft",
                               "--cache", str(self.folder / "footsteps"), "--frames", "32", "--light-cache",
                               "--threads", str(self.threads), *sets], capture_output=True, text=True, check=False)
        print(done.stdout + done.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reference", type=int, default=400, help="paths per pixel of the converged pictures")
    parser.add_argument("--width", type=int, default=640)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(options.build.resolve(), options.folder, options.threads, options.reference, options.width)
    for shot in SHOTS:
        campaign.cache(shot)
    campaign.cost()
    for shot, frames in SHOTS.items():
        for frame in frames:
            campaign.against_reference(shot, frame)
    campaign.flicker()


if __name__ == "__main__":
    main()
