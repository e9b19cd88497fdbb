#!/usr/bin/env python3
"""Writes the meshes of scenes/hut: what makes the boxes of scenes/roof.toml a hut of boards with a metal roof.

    python3 scenes/hut.py            writes the .obj files, the same bytes every time
    python3 scenes/hut.py --check    writes nothing; fails if a file differs

x is right, y up; metres. The eaves point along +z. Walls and roof are those of scenes/roof.toml, with which snow
collides; snow does not collide with these meshes.
"""
import math
from pathlib import Path

from caked import add_bank, add_lump
from meshes import Mesh, along, random
from script_files import save

FOLDER = Path(__file__).resolve().parent / "hut"

WALL_X, WALL_FRONT, WALL_BACK = 1.45, 0.5, -2.2
SLOPE = math.radians(35)
RIDGE_Z, EAVES_REACH, ROOF_HALF = -0.84, 1.96, 1.65  # eaves in z, from the ridge
ROOF_Y, ROOF_Z = 2.42, 0.12                          # a point in the middle plane of the front half
ROOF_HALF_THICKNESS = 0.03 / math.cos(SLOPE)         # measured along y
SNOW_Y = 0.16
BOARD = 0.145                                        # width
GABLE_WINDOW = (-1.25, -0.55, 1.05, 1.75)            # z and y, on the right side
PILE = (-0.35, 0.42, 0.062)                          # of logs, on the right side: z from, z to, radius


def roof_y(z):
    """Height of the roof's middle plane."""
    return ROOF_Y + (abs(ROOF_Z - RIDGE_Z) - abs(z - RIDGE_Z)) * math.tan(SLOPE)


def gable_board(mesh, side, low, high, shift):
    """A board from the ground to the roof, between two places in z."""
    top = [(z, roof_y(z) - ROOF_HALF_THICKNESS - 0.005) for z in (high, low)]
    if low < RIDGE_Z < high:
        top.insert(1, (RIDGE_Z, roof_y(RIDGE_Z) - ROOF_HALF_THICKNESS - 0.005))
    first = len(mesh.vertices)
    mesh.extrude([(low, -0.05), (high, -0.05)] + top, 0.012, 0.004)
    move(mesh, first, side * (WALL_X + 0.014 + shift))


def move(mesh, first, x):
    mesh.vertices[first:] = [(x + p[0], p[1], p[2]) for p in mesh.vertices[first:]]


def board_places(low, high):
    """Boards side by side: number and ends."""
    count = round((high - low) / BOARD)
    for k in range(count):
        a, b = low + (high - low) * k / count, low + (high - low) * (k + 1) / count
        yield k, a + 0.004, b - 0.004


def boards(worn):
    """Upright boards of the gables and the front. Every third one, chosen at random, is worn and has another colour."""
    mesh = Mesh()
    for side in (-1, 1):
        for k, low, high in board_places(WALL_BACK, WALL_FRONT):
            if (random(k, side, 1) < 0.34) == worn:
                gable_board(mesh, side, low, high, 0.006 * random(k, side, 2))
    for k, low, high in board_places(-WALL_X, WALL_X):
        if (random(k, 3) < 0.34) == worn:
            mesh.box((low, -0.05, WALL_FRONT), (high, 2.02, WALL_FRONT + 0.014 + 0.004 * random(k, 4)), 0.004)
    return mesh


def timber():
    """Corner posts, purlins under the roof, boards along its edges, frames of window and door."""
    mesh = Mesh()
    for x in (-1, 1):
        for z in (WALL_BACK, WALL_FRONT):
            middle = x * (WALL_X + 0.03)
            mesh.box((middle - 0.06, -0.05, z - 0.06), (middle + 0.06, 2.02, z + 0.025), 0.008)
        for away in (-1, 1):
            ends = [(x * (ROOF_HALF - 0.03), roof_y(RIDGE_Z + away * z) - 0.10, RIDGE_Z + away * z)
                    for z in (0.0, EAVES_REACH - 0.02)]
            mesh.add(along(ends, 0.055))
        for z in (RIDGE_Z, RIDGE_Z - 1.30, RIDGE_Z + 1.28):            # ends of the purlins
            y = roof_y(z) - 0.13
            mesh.box((x * 1.52 - 0.13, y - 0.06, z - 0.05), (x * 1.52 + 0.13, y + 0.06, z + 0.05), 0.008)
    z0, z1, y0, y1 = GABLE_WINDOW
    add_frame(mesh, lambda u, v, w: (WALL_X + 0.03 + w, v, u), z0, z1, y0, y1)
    add_frame(mesh, lambda u, v, w: (u, v, WALL_FRONT + 0.02 + w), 0.30, 1.00, 0.85, 1.45)
    for a, b in (((-1.0, 0.0), (-1.0, 1.75)), ((-0.1, 0.0), (-0.1, 1.75)), ((-1.05, 1.75), (-0.05, 1.75))):
        mesh.add(along([(a[0], a[1], WALL_FRONT + 0.03), (b[0], b[1], WALL_FRONT + 0.03)], 0.045))
    for z in PILE[:2]:                                                 # posts beside the logs
        mesh.add(along([(WALL_X + 0.30, 0.0, z), (WALL_X + 0.30, 1.05, z)], 0.03))
    return mesh


def add_frame(mesh, place, u0, u1, v0, v1):
    """A window's frame, its cross, and a sill. `place` gives a point of two coordinates in the wall and one out of
    it."""
    middle_u, middle_v = (u0 + u1) / 2, (v0 + v1) / 2
    for a, b, half in (((u0, v0), (u0, v1), 0.04), ((u1, v0), (u1, v1), 0.04), ((u0 - 0.04, v1), (u1 + 0.04, v1), 0.04),
                       ((u0 - 0.04, v0), (u1 + 0.04, v0), 0.04), ((middle_u, v0), (middle_u, v1), 0.014),
                       ((u0, middle_v), (u1, middle_v), 0.014)):
        mesh.add(along([place(*a, 0.0), place(*b, 0.0)], half))
    mesh.add(along([place(u0 - 0.09, v0 - 0.06, 0.05), place(u1 + 0.09, v0 - 0.06, 0.05)], 0.025))
    mesh.add(along([place(u0 - 0.09, v0 - 0.06, 0.01), place(u1 + 0.09, v0 - 0.06, 0.01)], 0.025))


def panes():
    mesh = Mesh()
    z0, z1, y0, y1 = GABLE_WINDOW
    mesh.box((WALL_X + 0.02, y0, z0), (WALL_X + 0.04, y1, z1), 0.002)
    return mesh


def metal():
    """Seams of the sheets, the cap of the ridge, and a chimney."""
    mesh = Mesh()
    lift = 0.03 + 0.010
    for k in range(9):
        x = -1.6 + 0.4 * k
        for away in (-1, 1):
            ends = [(x, roof_y(RIDGE_Z + away * z) + lift * math.cos(SLOPE),
                     RIDGE_Z + away * (z + lift * math.sin(SLOPE))) for z in (0.05, EAVES_REACH - 0.03)]
            mesh.add(along(ends, 0.014))
    top = roof_y(RIDGE_Z) + 0.035
    mesh.add(along([(-ROOF_HALF, top, RIDGE_Z), (ROOF_HALF, top, RIDGE_Z)], 0.04))
    base = roof_y(RIDGE_Z) - 0.3
    pipe = [(base, 0), (base, 0.10), (base + 0.95, 0.10), (base + 0.95, 0.13), (base + 0.98, 0.13), (base + 0.98, 0)]
    mesh.turn(pipe, 28, lambda y, r, a: (0.75 + r * math.cos(a), y, RIDGE_Z - 0.35 + r * math.sin(a)))
    hood = [(base + 1.04, 0), (base + 1.04, 0.19), (base + 1.14, 0.02), (base + 1.14, 0)]
    mesh.turn(hood, 28, lambda y, r, a: (0.75 + r * math.cos(a), y, RIDGE_Z - 0.35 + r * math.sin(a)))
    for k in range(3):
        angle = 2 * math.pi * k / 3
        x, z = 0.75 + 0.115 * math.cos(angle), RIDGE_Z - 0.35 + 0.115 * math.sin(angle)
        mesh.add(along([(x, base + 0.9, z), (x, base + 1.06, z)], 0.008))
    return mesh


def log_places():
    """Logs in a pile against the right wall: number, middle in y and z, radius and length."""
    low, high, radius = PILE
    for row in range(7):
        count = int((high - low - 0.06) / (2 * radius)) - row % 2
        first = low + 0.03 + radius + (radius if row % 2 else 0)
        for k in range(count):
            number = 100 * row + k
            y, z = SNOW_Y - 0.04 + radius * (1 + 1.76 * row), first + 2 * radius * k
            yield number, y, z, radius * (0.82 + 0.2 * random(number, 5)), 0.30 + 0.05 * random(number, 6)


def add_log(mesh, number, y, z, radius, ends, from_x):
    """A split log along x: a rounded polygon with flat sides."""
    bark = [radius * (0.86 + 0.2 * random(number, 7, side)) for side in range(12)]
    mesh.turn([(from_x, 0), (from_x, 1), (from_x + ends, 1), (from_x + ends, 0)], 12,
              lambda x, r, a: (x, y + r * bark[round(a * 6 / math.pi) % 12] * math.cos(a),
                               z + r * bark[round(a * 6 / math.pi) % 12] * math.sin(a)))


def logs():
    mesh = Mesh()
    for number, y, z, radius, length in log_places():
        add_log(mesh, number, y, z, radius, length, WALL_X + 0.04)
    return mesh


def log_ends():
    """The sawn faces of the logs, which are paler than the bark."""
    mesh = Mesh()
    for number, y, z, radius, length in log_places():
        add_log(mesh, number, y, z, 0.86 * radius, 0.006, WALL_X + 0.04 + length - 0.001)
    return mesh


def hut_snow():
    """Snow on sills, logs, posts, and the chimney's hood."""
    mesh = Mesh()
    z0, z1, y0, _ = GABLE_WINDOW
    sill = [(WALL_X + 0.065, y0 - 0.04, z0 - 0.07), (WALL_X + 0.065, y0 - 0.04, z1 + 0.07)]
    add_bank(mesh, sill, 0.09, 0.07, 10, gaps=0)
    low, high, radius = PILE
    top = SNOW_Y - 0.04 + radius * (2 + 1.76 * 6) - 0.02
    for k, x in enumerate((0.12, 0.24)):
        add_bank(mesh, [(WALL_X + x, top, low + 0.02), (WALL_X + x, top, high - 0.02)], 0.22, 0.11, 20 + 10 * k, gaps=0)
    for z in PILE[:2]:
        add_lump(mesh, (WALL_X + 0.30, 1.045, z), (0, 1, 0), 0.05, (round(100 * z), 1))
    base = roof_y(RIDGE_Z) - 0.3
    add_lump(mesh, (0.75, base + 1.07, RIDGE_Z - 0.35), (0, 1, 0), 0.18, (3, 1))
    return mesh


PARTS = {"boards": lambda: boards(False), "worn_boards": lambda: boards(True), "timber": timber, "panes": panes,
         "metal": metal, "logs": logs, "log_ends": log_ends, "hut_snow": hut_snow}


if __name__ == "__main__":
    save({FOLDER / f"{name}.obj": make().bytes(f"{name}, written by hut.py") for name, make in PARTS.items()})
