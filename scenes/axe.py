#!/usr/bin/env python3
"""Writes axe.glb: an ice axe with a pick, an adze, a shaft and a spike, in metres.

    python3 scenes/axe.py            writes axe.glb beside this file, the same bytes every time
    python3 scenes/axe.py --check    writes nothing; fails if axe.glb differs

The shaft is along y; the origin is where it meets the head. The pick points along z and droops, the adze along -z. The
measures are those of mountaineering axes; pick and adze are 8 to 16 mm thick, so that grids of 6 mm resolve them.
"""
import math
from pathlib import Path

from glb_file import Glb
from script_files import save

LENGTH = 0.62
SIDES = 12
TEETH = 7
COLORS = {'steel': (0.30, 0.31, 0.33), 'shaft': (0.42, 0.10, 0.02), 'grip': (0.025, 0.025, 0.03)}   # linear Rec. 709


class Loft:
    """A closed surface through sections that are rounded rectangles: superellipses of the fourth order."""

    def __init__(self):
        self.vertices, self.triangles = [], []

    def sections(self, rows):
        """Each row: centre, two half axes as vectors. Rows follow each other along the cross product of the axes."""
        first = len(self.vertices)
        for centre, u, v in rows:
            for k in range(SIDES):
                angle = 2 * math.pi * (k + 0.5) / SIDES
                c, s = math.cos(angle), math.sin(angle)
                r = (c ** 4 + s ** 4) ** -0.25
                self.vertices.append(tuple(centre[i] + r * (c * u[i] + s * v[i]) for i in range(3)))
        for row in range(len(rows) - 1):
            for k in range(SIDES):
                a, b = first + row * SIDES + k, first + row * SIDES + (k + 1) % SIDES
                self.triangles += [(a, b, b + SIDES), (a, b + SIDES, a + SIDES)]
        for row, turned in ((0, True), (len(rows) - 1, False)):
            middle = len(self.vertices)
            self.vertices.append(rows[row][0])
            for k in range(SIDES):
                a, b = first + row * SIDES + k, first + row * SIDES + (k + 1) % SIDES
                self.triangles.append((b, a, middle) if turned else (a, b, middle))


def along(path, half_width, half_height):
    """Sections across a path of points (y, z), from functions of its share; y is mostly up, x across."""
    rows = []
    for i, (y, z) in enumerate(path):
        before, after = path[max(0, i - 1)], path[min(len(path) - 1, i + 1)]
        dy, dz = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dy, dz)
        up = (dz / length, -dy / length) if dz > 0 else (-dz / length, dy / length)    # (y, z), upwards
        s = i / (len(path) - 1)
        w, (below, above) = half_width(s), half_height(s)
        middle, half = (above - below) / 2, (above + below) / 2
        centre = (0.0, y + middle * up[0], z + middle * up[1])
        across = (w if dz > 0 else -w, 0.0, 0.0)
        rows.append((centre, across, (0.0, half * up[0], half * up[1])))
    return rows


def pick():
    count = 8 * TEETH
    path = [(0.012 - 0.062 * (z / 0.185) ** 2 + 0.012 * z, z)
            for z in (-0.014 + 0.199 * i / count for i in range(count + 1))]

    def width(s):
        return 0.008 - 0.004 * max(0.0, s - 0.15) / 0.85

    def height(s):
        taper = 1 - s
        tooth = (s - 0.35) * TEETH / 0.6 if 0.35 < s < 0.95 else 0.0
        notch = 0.0035 * (tooth % 1.0) if tooth else 0.0
        return 0.004 + 0.012 * taper - min(notch, 0.003 + 0.01 * taper), 0.004 + 0.011 * taper
    return along(path, width, height)


def adze():
    count = 16
    path = [(0.012 - 0.030 * (i / count) ** 2, 0.014 - 0.124 * i / count) for i in range(count + 1)]
    return along(path, lambda s: 0.008 + 0.026 * s ** 1.5, lambda s: (0.004 + 0.009 * (1 - s), 0.004 + 0.010 * (1 - s)))


def upright(levels):
    """Sections across y: (y, half axis along x, half axis along z), from below."""
    return [((0.0, y, 0.0), (0.0, 0.0, z), (x, 0.0, 0.0)) for y, x, z in levels]


def parts():
    steel, shaft, grip = Loft(), Loft(), Loft()
    steel.sections(pick())
    steel.sections(adze())
    steel.sections(upright([(-0.050, 0.011, 0.016), (-0.040, 0.0135, 0.0185), (0.022, 0.0135, 0.0185),
                            (0.030, 0.010, 0.015)]))
    low = -LENGTH
    steel.sections(upright([(low, 0.0025, 0.0025), (low + 0.035, 0.007, 0.007), (low + 0.060, 0.0125, 0.0165),
                            (low + 0.075, 0.0125, 0.0165)]))
    shaft.sections(upright([(low + 0.070, 0.0110, 0.0150), (-0.045, 0.0110, 0.0150)]))
    bands = [(low + 0.080, 0.0125, 0.0165)]
    for k in range(14):
        y = low + 0.085 + 0.017 * k
        bands += [(y, 0.0145, 0.0185), (y + 0.010, 0.0145, 0.0185), (y + 0.0125, 0.0133, 0.0173)]
    grip.sections(upright(bands))
    return {'steel': steel, 'shaft': shaft, 'grip': grip}


def main():
    glb = Glb('walker.py')
    del glb.document['skins'], glb.document['animations']
    for name, loft in parts().items():
        material = glb.append('materials', {'name': name, 'pbrMetallicRoughness': {
            'baseColorFactor': [*COLORS[name], 1.0], 'metallicFactor': 0.0, 'roughnessFactor': 0.5}})
        mesh = glb.append('meshes', {'name': name, 'primitives': [{
            'attributes': {'POSITION': glb.accessor('VEC3', 'f', loft.vertices, bounds=True)},
            'indices': glb.accessor('SCALAR', 'H', [(i,) for t in loft.triangles for i in t]), 'material': material}]})
        glb.document['scenes'][0]['nodes'].append(glb.append('nodes', {'name': name, 'mesh': mesh}))
    save({Path(__file__).with_suffix('.glb'): glb.bytes()})


if __name__ == '__main__':
    main()
