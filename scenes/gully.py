#!/usr/bin/env python3
"""Writes gully.png: the heights of a rocky gully that opens into a slope.

    python3 scenes/gully.py            writes gully.png beside this file, the same bytes every time
    python3 scenes/gully.py --check    writes nothing; fails if gully.png differs

The heights are a grey picture of 16 bits, 3 m wide (x) and 5 m long (z), 1 cm per pixel; a value of 1 is 3.2 m high.
The gully is at z = 0 highest.
"""
import math
import struct
from pathlib import Path

from png_file import GREY_16, png
from script_files import save
from tiles import random_at, smooth

WIDTH_M, HEIGHT_M, LENGTH_M, PIXEL_M = 3.0, 3.2, 5.0, 0.01


def noise(x, z, cell, seed):
    """Smooth value noise from -1 to 1."""
    i, j = math.floor(x / cell), math.floor(z / cell)
    u, v = smooth(0, 1, x / cell - i), smooth(0, 1, z / cell - j)
    corner = [[random_at(i + a, j + b, seed) for b in (0, 1)] for a in (0, 1)]
    low = corner[0][0] + v * (corner[0][1] - corner[0][0])
    high = corner[1][0] + v * (corner[1][1] - corner[1][0])
    return 2 * (low + u * (high - low)) - 1


def crags(x, z):
    """Edges and steps of rock, from -1 to 1: folded noise of several sizes, each bent by the one before."""
    total, bend, size, weight = 0.0, 0.0, 0.30, 0.5
    for octave in range(5):
        fold = 1 - 2 * abs(noise(x + 0.4 * size * bend, z - 0.3 * size * bend, size, 40 + octave))
        total, bend, size, weight = total + weight * fold, fold, 0.5 * size, 0.5 * weight
    return total


def rocks(x, z, cell, seed):
    """The highest of tilted blocks with steep sides, from 0 to 1; one block for each cell of a lattice."""
    i, j, highest = math.floor(x / cell), math.floor(z / cell), 0.0
    for a in range(i - 1, i + 2):
        for b in range(j - 1, j + 2):
            r = [random_at(a, b, seed + k) for k in range(6)]
            dx, dz = x - cell * (a + r[0]), z - cell * (b + r[1])
            turn = math.pi * r[2]
            u, v = dx * math.cos(turn) + dz * math.sin(turn), dz * math.cos(turn) - dx * math.sin(turn)
            half_u, half_v = cell * (0.25 + 0.4 * r[3]), cell * (0.25 + 0.3 * r[4])
            side = max(abs(u) / half_u, abs(v) / half_v, (abs(u) / half_u + abs(v) / half_v) / 1.5)
            top = (0.35 + 0.65 * r[5]) * (1 + 0.35 * u / half_u - 0.2 * v / half_v)
            highest = max(highest, top * smooth(1.15, 0.85, side))
    return min(highest, 1.0)


def slope(z):
    """Height of the slope: 39 degrees above, nearly flat below."""
    steps = 200
    return sum(0.04 + 0.77 * smooth(3.9, 2.1, s) for s in (z + (LENGTH_M - z) * (k + 0.5) / steps for k in range(steps))
               ) * (LENGTH_M - z) / steps


def height(x, z, base):
    centre, half_width = 0.16 * math.sin(1.6 * z + 0.6), 0.34 + 0.75 * smooth(2.0, 4.2, z)
    bank = smooth(0.6, 1.5, abs(x - centre) / half_width)
    steep = smooth(4.4, 2.8, z)
    block = 0.8 * rocks(x, z, 0.60, 11) + 0.2 * rocks(x, z, 0.22, 29)
    return (base + bank * steep * (0.14 + 0.30 * block + 0.07 * crags(x, z)) + 0.04 * block * (1 - bank) * steep +
            0.03 * noise(x, z, 0.35, 3) + 0.012 * noise(x, z, 0.12, 5) + 0.02)


def picture():
    columns, rows = round(WIDTH_M / PIXEL_M), round(LENGTH_M / PIXEL_M)
    lines = []
    for row in range(rows):
        z = (row + 0.5) * PIXEL_M
        base = slope(z)
        values = [height((column + 0.5) * PIXEL_M - WIDTH_M / 2, z, base) for column in range(columns)]
        lines.append(struct.pack(f">{columns}H", *(round(65535 * min(max(h / HEIGHT_M, 0), 1)) for h in values)))
    return columns, rows, lines


if __name__ == "__main__":
    save({Path(__file__).with_suffix(".png"): png(*picture(), GREY_16)})
