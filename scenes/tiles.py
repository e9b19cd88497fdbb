#!/usr/bin/env python3
"""Writes the pictures that lie on the ground of scenes: stone.png and turf.png. They repeat without a seam.

    python3 scenes/tiles.py            writes them beside this file, the same bytes every time
    python3 scenes/tiles.py --check    writes nothing; fails if a file differs
"""
import math
from pathlib import Path

from png_file import RGB_8, png
from script_files import save

TILE = 256  # pixels
BLADES = 9000


def smooth(low, high, x):
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def random_at(i, j, seed):
    """A number from 0 to 1 for a cell."""
    bits = (i * 0x9E3779B1 ^ j * 0x85EBCA77 ^ seed * 0xC2B2AE3D) & 0xFFFFFFFF
    bits = (bits ^ bits >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    bits = (bits ^ bits >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (bits ^ bits >> 15) / 0xFFFFFFFF


def tiled(u, v, cells, seed):
    """noise() of a square of cells x cells that repeats; u and v are from 0 to 1."""
    u, v = u * cells, v * cells
    i, j = math.floor(u), math.floor(v)
    s, t = smooth(0, 1, u - i), smooth(0, 1, v - j)
    corner = [[random_at((i + a) % cells, (j + b) % cells, seed) for b in (0, 1)] for a in (0, 1)]
    low = corner[0][0] + t * (corner[0][1] - corner[0][0])
    high = corner[1][0] + t * (corner[1][1] - corner[1][0])
    return 2 * (low + s * (high - low)) - 1


def fractal(u, v, cells, octaves, seed):
    return sum(0.7 ** k * tiled(u, v, cells << k, seed + k) for k in range(octaves))


def encoded(linear):
    """A linear value as sRGB in 8 bits."""
    value = min(max(linear, 0.0), 1.0)
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def stone():
    """A tile of rock, 1 m wide: grey with brown stains, light lichen and dark cracks. It repeats without a seam."""
    lines = []
    for row in range(TILE):
        line = bytearray()
        for column in range(TILE):
            u, v = column / TILE, row / TILE
            grain = fractal(u, v, 8, 5, 101)
            crack = abs(fractal(u + 0.01 * grain, v, 4, 5, 131))
            stain, lichen = fractal(u, v, 3, 6, 151), fractal(u, v, 8, 5, 171)
            light = (0.155 + 0.06 * grain) * (0.5 + 0.5 * smooth(0.0, 0.06, crack))
            warm = smooth(-0.2, 1.0, stain)
            spot = 0.4 * smooth(0.75, 1.1, lichen)
            for rock, lichened in zip((1 + 0.12 * warm, 1 - 0.04 * warm, 1 - 0.24 * warm), (0.30, 0.31, 0.24)):
                line.append(encoded(light * rock * (1 - spot) + lichened * spot))
        lines.append(bytes(line))
    return TILE, TILE, lines


def turf():
    """A tile of grass that snow has pressed down, .5 m wide: blades from straw to olive over dark soil."""
    pixels = [[(0.045, 0.036, 0.024)] * TILE for _ in range(TILE)]
    for blade in range(BLADES):
        r = [random_at(blade, k, 211) for k in range(8)]
        x, y, turn = TILE * r[0], TILE * r[1], math.pi * (0.5 + 0.9 * (r[2] - 0.5))
        dry, shade = r[3] * r[3], 0.3 + 0.7 * blade / BLADES
        ends = (0.11, 0.42), (0.10, 0.33), (0.04, 0.16)  # red, green and blue of olive and of straw
        color = [shade * (olive + dry * (straw - olive)) for olive, straw in ends]
        for _ in range(round(14 + 30 * r[4])):
            pixels[int(y) % TILE][int(x) % TILE] = tuple(color)
            x, y, turn = x + math.cos(turn), y + math.sin(turn), turn + 0.05 * (r[5] - 0.5)
    lines = [bytes(encoded(value) for pixel in line for value in pixel) for line in pixels]
    return TILE, TILE, lines


if __name__ == "__main__":
    folder = Path(__file__).resolve().parent
    save({folder / "stone.png": png(*stone(), RGB_8), folder / "turf.png": png(*turf(), RGB_8)})
