#!/usr/bin/env python3
"""Writes gully.png: the heights of a rocky gully that opens into a slope, as a grey picture of 16 bits.

    python3 scenes/gully.py            writes gully.png beside this file, the same bytes every time
    python3 scenes/gully.py --check    writes nothing; fails if gully.png differs

The picture is 3 m wide (x) and 5 m long (z), 2 cm per pixel; a value of 1 is 3.2 m high. The gully is at z = 0 highest.
"""
import math
import struct
import zlib
from pathlib import Path

from script_files import save

WIDTH_M, HEIGHT_M, LENGTH_M, PIXEL_M = 3.0, 3.2, 5.0, 0.02


def smooth(low, high, x):
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def random_at(i, j, seed):
    """A number from 0 to 1 for a cell."""
    bits = (i * 0x9E3779B1 ^ j * 0x85EBCA77 ^ seed * 0xC2B2AE3D) & 0xFFFFFFFF
    bits = (bits ^ bits >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    bits = (bits ^ bits >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (bits ^ bits >> 15) / 0xFFFFFFFF


def noise(x, z, cell, seed):
    """Smooth value noise from -1 to 1."""
    i, j = math.floor(x / cell), math.floor(z / cell)
    u, v = smooth(0, 1, x / cell - i), smooth(0, 1, z / cell - j)
    corner = [[random_at(i + a, j + b, seed) for b in (0, 1)] for a in (0, 1)]
    low = corner[0][0] + v * (corner[0][1] - corner[0][0])
    high = corner[1][0] + v * (corner[1][1] - corner[1][0])
    return 2 * (low + u * (high - low)) - 1


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
    return (base + bank * steep * (0.14 + 0.30 * block) + 0.04 * block * (1 - bank) * steep +
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


def png(columns, rows, lines):
    """Without compression, so that its bytes do not depend on a library."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + line for line in lines)
    blocks = [raw[k:k + 65535] for k in range(0, len(raw), 65535)]
    stored = b"".join(struct.pack("<BHH", block is blocks[-1], len(block), 0xFFFF ^ len(block)) + block
                      for block in blocks)
    data = b"\x78\x01" + stored + struct.pack(">I", zlib.adler32(raw))
    header = struct.pack(">IIBBBBB", columns, rows, 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


if __name__ == "__main__":
    save({Path(__file__).with_suffix(".png"): png(*picture())})
