#!/usr/bin/env python3
"""Writes the meshes of scenes/plough: a truck in parts, a wheel, the blade, the land behind it, and snow on them.

    python3 scenes/plough.py            writes the .obj files, the same bytes every time
    python3 scenes/plough.py --check    writes nothing; fails if a file differs

x is left, y up, z forward; metres. The truck's origin is on the road below the middle of the front axle; the blade's
origin is the middle of its cutting edge.

The blade is a one-way blade with the measures of highway ploughs. It meets the road at 65 degrees, the best angle for
most surfaces (tests of the University of Iowa, 1996, as the Snow & Ice Management Association reports them). At its
middle it is 1 m high, and its upper part reaches more than .3 m forward of the cutting edge; the state of New York buys
trip-edge ploughs of at least 42 inches with a deflector of at least 12 inches. Like roll-over ploughs, it is low at one
end and high at the other, so that snow rolls along it.
"""
import math
from pathlib import Path

from caked import add_bank, add_lumps
from land import fence, fence_snow, hills
from meshes import Mesh, along, disc, outward
from script_files import save
from woods import woods

FOLDER = Path(__file__).resolve().parent / "plough"

# Blade. Angles are those of the face, from the direction of travel; the face turns from the first to the second.
BLADE_LENGTH = 3.6
EDGE_ANGLE, LIP_ANGLE = 115.0, 25.0
INLET_RADIUS, OUTLET_RADIUS = 0.56, 0.92
THICKNESS = 0.07
STATIONS, ROWS = 48, 28      # along the edge, up the face
RIBS = 6

WHEEL_RADIUS, WHEEL_WIDTH = 0.50, 0.30
WHEEL_SIDES = 48

BLADE_TURN, BLADE_PLACE = -40.0, (0.0, -0.03, 2.75)  # of the blade on the truck, as in scenes/snowplow.toml
LUMPS_PER_M2 = 2200          # of snow on the truck, where most of them are


def face_point(share, row, offset):
    """A point of the blade: share 0 is the outlet, at -x; row 0 is the edge; offset is behind the face."""
    radius = OUTLET_RADIUS + share * (INLET_RADIUS - OUTLET_RADIUS)
    first, last = math.radians(EDGE_ANGLE), math.radians(LIP_ANGLE)
    angle = first + row * (last - first)
    y = radius * (math.cos(angle) - math.cos(first))
    z = radius * (math.sin(first) - math.sin(angle))
    return ((share - 0.5) * BLADE_LENGTH, max(0.0, y + offset * math.cos(angle)), z - offset * math.sin(angle))


def blade():
    mesh = Mesh()
    shares = [s / STATIONS for s in range(STATIONS + 1)]
    rows = [r / ROWS for r in range(ROWS + 1)]
    front = mesh.grid([[face_point(s, r, 0.0) for r in rows] for s in shares])
    back = mesh.grid([[face_point(s, r, THICKNESS) for r in rows] for s in shares])
    mesh.strip(front[0], back[0])
    mesh.strip(front[-1], back[-1])
    for row in (0, -1):
        mesh.strip([f[row] for f in front], [b[row] for b in back])
    for rib in range(RIBS):
        share = (rib + 0.5) / RIBS
        inner = [face_point(share, r, THICKNESS - 0.02) for r in rows[2:-2]]
        outer = [face_point(share, r, THICKNESS + 0.10) for r in rows[2:-2]]
        profile = [(z, y) for _, y, z in inner] + [(z, y) for _, y, z in reversed(outer)]
        rings = []
        for dx in (-0.03, 0.03):
            rings.append([mesh.vertex(inner[0][0] + dx, y, z) for z, y in profile])
        count = len(profile)
        for i in range(count):
            j = (i + 1) % count
            mesh.faces.append((rings[0][i], rings[0][j], rings[1][j], rings[1][i]))
        half = len(inner)
        for ring in rings:
            for i in range(half - 1):
                mesh.faces.append((ring[i], ring[i + 1], ring[count - 2 - i], ring[count - 1 - i]))
    return mesh


def wheel():
    mesh = Mesh()
    r, w = WHEEL_RADIUS, WHEEL_WIDTH / 2
    profile = [(-w + 0.07, 0), (-w + 0.07, 0.10), (-w + 0.02, 0.13), (-w + 0.09, 0.18), (-w + 0.09, 0.27),
               (-w + 0.01, 0.30), (-w, r - 0.10), (-w + 0.03, r - 0.02), (-w + 0.06, r), (w - 0.06, r),
               (w - 0.03, r - 0.02), (w, r - 0.10), (w - 0.01, 0.30), (w - 0.09, 0.27), (w - 0.09, 0.18),
               (w - 0.02, 0.13), (w - 0.07, 0.10), (w - 0.07, 0)]
    mesh.turn(profile, WHEEL_SIDES, lambda x, r, a: (x, r * math.cos(a), r * math.sin(a)))
    return mesh


def cab():
    mesh = Mesh()
    # Bonnet with a sloping top, then the cabin with its windscreen.
    mesh.extrude([(-0.75, 0.75), (0.85, 0.75), (0.95, 0.85), (0.95, 1.45), (0.85, 1.58), (-0.75, 1.72)], 0.95, 0.07)
    mesh.extrude([(-2.15, 0.80), (-0.55, 0.80), (-0.55, 1.70), (-0.95, 2.62), (-1.10, 2.72), (-2.05, 2.72),
                  (-2.15, 2.62)], 1.15, 0.08)
    # Wings over the front wheels.
    for side in (-1, 1):
        for a in range(20, 160, 20):  # pieces overlap by two degrees
            piece = [(r * math.cos(math.radians(b)), 0.50 + r * math.sin(math.radians(b)))
                     for r, b in ((0.56, a + 21), (0.56, a - 1), (0.66, a - 1), (0.66, a + 21))]
            first = len(mesh.vertices)
            mesh.extrude(piece, 0.20, 0.01)
            mesh.vertices[first:] = [(x + side * 1.03, y, z) for x, y, z in mesh.vertices[first:]]
    return mesh


def glass():
    mesh = Mesh()
    mesh.extrude([(-0.62, 1.82), (-0.58, 1.80), (-0.90, 2.54), (-0.96, 2.52)], 1.00, 0.01)      # windscreen
    mesh.extrude([(-1.90, 1.72), (-0.80, 1.72), (-1.05, 2.48), (-1.90, 2.48)], 1.16, 0.02)       # side windows
    return mesh


def body():
    """Frame, bumper with lamps' bar, and the load bed with its load of salt."""
    mesh = Mesh()
    for side in (-1, 1):
        mesh.box((side * 0.42 - 0.06, 0.55, -6.2), (side * 0.42 + 0.06, 0.85, 0.9), 0.02)
    mesh.box((-1.1, 0.50, 0.92), (1.1, 0.80, 1.08), 0.04)
    for axle in (0.0, -3.9, -5.2):
        mesh.box((-0.9, 0.42, axle - 0.08), (0.9, 0.58, axle + 0.08), 0.03)
    mesh.box((-1.22, 1.05, -6.4), (1.22, 1.20, -2.35), 0.03)
    for side in (-1, 1):
        mesh.box((side * 1.17 - 0.05, 1.15, -6.4), (side * 1.17 + 0.05, 2.05, -2.35), 0.02)
        for post in range(6):
            z = -6.3 + post * 0.76
            mesh.box((side * 1.25 - 0.05, 1.10, z - 0.05), (side * 1.25 + 0.05, 2.02, z + 0.05), 0.02)
    mesh.box((-1.2, 1.15, -2.45), (1.2, 2.25, -2.35), 0.02)
    mesh.box((-1.2, 1.15, -6.4), (1.2, 2.05, -6.3), 0.02)
    # Push frame from the bumper to the blade.
    for side in (-1, 1):
        mesh.box((side * 0.45 - 0.07, 0.42, 0.9), (side * 0.45 + 0.07, 0.58, 2.1), 0.02)
    mesh.box((-0.7, 0.40, 1.95), (0.7, 0.60, 2.15), 0.03)
    return mesh


def trim():
    """Dark parts that make the truck a machine: grille, lamp rims, posts of the windows, wipers, mirrors, seams of
    doors and bonnet, handles, steps, exhaust, mud flaps."""
    mesh = Mesh()
    mesh.box((-0.52, 0.92, 0.945), (0.52, 1.40, 0.965), 0.01)          # grille
    for side in (-1, 1):
        disc(mesh, (side * 0.72, 1.14, 0.955), 0.155, 0.03)            # rims
        mesh.box((side * 1.165 - 0.01, 0.84, -0.83), (side * 1.165 + 0.01, 1.70, -0.80), 0.003)   # door, front
        mesh.box((side * 1.165 - 0.01, 0.84, -1.93), (side * 1.165 + 0.01, 2.50, -1.90), 0.003)   # door, back
        mesh.box((side * 1.165 - 0.015, 1.56, -1.84), (side * 1.165 + 0.025, 1.60, -1.66), 0.005)  # handle
        mesh.box((side * 1.12 - 0.12, 0.58, -1.9), (side * 1.12 + 0.12, 0.64, -0.95), 0.01)       # step
        mesh.box((side * 0.955 - 0.01, 0.84, -0.5), (side * 0.955 + 0.01, 0.87, 0.85), 0.003)     # sill
        mesh.box((side * 0.965 - 0.005, 1.30, -0.45), (side * 0.965 + 0.005, 1.33, 0.10), 0.002)  # vents
        mesh.box((side * 0.965 - 0.005, 1.22, -0.45), (side * 0.965 + 0.005, 1.25, 0.10), 0.002)
        # Mirrors on arms.
        mesh.add(along([(side * 1.14, 2.46, -0.92), (side * 1.50, 2.46, -0.74), (side * 1.50, 1.80, -0.70),
                        (side * 1.14, 1.76, -0.84)], 0.016))
        mesh.box((side * 1.50 - 0.11, 1.90, -0.80), (side * 1.50 + 0.11, 2.36, -0.72), 0.02)
        mesh.box((side * 1.03 - 0.19, 0.12, -0.70), (side * 1.03 + 0.19, 0.75, -0.68), 0.005)     # flaps
        # Wipers and the posts of the windscreen.
        mesh.add(along([(side * 0.12, 1.78, -0.555), (side * 0.62, 2.05, -0.675)], 0.012))
        mesh.add(along([(side * 0.97, 1.76, -0.545), (side * 0.97, 2.54, -0.90)], 0.022))
    mesh.add(along([(0.0, 1.76, -0.545), (0.0, 2.54, -0.90)], 0.018))
    mesh.add(along([(-1.0, 1.77, -0.545), (1.0, 1.77, -0.545)], 0.022))
    mesh.add(along([(-1.0, 2.54, -0.90), (1.0, 2.54, -0.90)], 0.022))
    mesh.box((-1.05, 2.50, -0.90), (1.05, 2.54, -0.62), 0.01)          # visor
    mesh.box((-0.72, 1.592, 0.40), (-0.69, 1.64, 0.80), 0.003)         # seams of the bonnet
    mesh.box((0.69, 1.592, 0.40), (0.72, 1.64, 0.80), 0.003)
    mesh.add(along([(-0.95, 1.0, -2.28), (-0.95, 3.1, -2.28)], 0.075))  # exhaust
    mesh.box((-0.9, 2.70, -1.80), (0.9, 2.74, -1.50), 0.01)            # carrier of the beacons
    return mesh


def chrome():
    """Pale parts: bars of the grille, glass of the lamps, marks on the bumper."""
    mesh = Mesh()
    for bar in range(6):
        y = 0.955 + 0.075 * bar
        mesh.box((-0.49, y, 0.96), (0.49, y + 0.028, 0.985), 0.008)
    for side in (-1, 1):
        disc(mesh, (side * 0.72, 1.14, 0.975), 0.125, 0.02)
        for mark in range(3):
            x = side * (0.62 + 0.17 * mark)
            mesh.box((x - 0.05, 0.54, 1.07), (x + 0.05, 0.76, 1.09), 0.005)
        mesh.box((side * 1.50 - 0.09, 1.92, -0.81), (side * 1.50 + 0.09, 2.34, -0.795), 0.005)
    return mesh


def lamps():
    mesh = Mesh()
    for side in (-1, 1):
        mesh.box((side * 0.78 - 0.11, 1.72, 0.40), (side * 0.78 + 0.11, 1.94, 0.60), 0.03)
        mesh.box((side * 0.78 - 0.025, 1.20, 0.475), (side * 0.78 + 0.025, 1.74, 0.525), 0.01)
    mesh.box((-0.55, 2.72, -1.75), (0.55, 2.86, -1.55), 0.03)
    return mesh


def on_truck(point):
    """Where a point of the blade is on the truck."""
    turn = math.radians(BLADE_TURN)
    x, y, z = point
    return (BLADE_PLACE[0] + x * math.cos(turn) + z * math.sin(turn), BLADE_PLACE[1] + y,
            BLADE_PLACE[2] - x * math.sin(turn) + z * math.cos(turn))


def across(half, y, z, middle=0.0):
    """A line across the truck."""
    return [(middle - half, y, z), (middle + half, y, z)]


def ledges():
    """Edges of the truck on which snow lies: a line, and the width and the height of the snow."""
    yield across(1.08, 0.795, 1.0), 0.15, 0.09                         # bumper
    yield across(0.66, 0.595, 2.05), 0.19, 0.10                        # push frame
    yield across(0.90, 1.575, 0.80), 0.10, 0.035                       # bonnet, front
    yield across(0.90, 1.70, -0.62), 0.20, 0.07                        # bonnet, below the windscreen
    yield across(1.00, 2.535, -0.76), 0.24, 0.045                      # visor
    yield across(0.95, 2.715, -1.30), 0.40, 0.06                       # roof
    yield across(0.50, 2.855, -1.65), 0.18, 0.05                       # beacons
    yield across(1.15, 2.245, -2.40), 0.11, 0.08                       # load bed
    for side in (-1, 1):
        yield [(side * 0.45, 0.575, 0.98), (side * 0.45, 0.575, 1.95)], 0.14, 0.07
        wing = [math.radians(a) for a in range(56, 126, 6)]
        yield [(side * 1.03, 0.495 + 0.66 * math.sin(a), 0.66 * math.cos(a)) for a in wing], 0.34, 0.05
        yield across(0.10, 2.355, -0.76, side * 1.50), 0.08, 0.05      # mirrors
        yield across(0.10, 1.935, 0.50, side * 0.78), 0.18, 0.06       # lamps
        yield [(side * 1.12, 0.635, -1.85), (side * 1.12, 0.635, -1.0)], 0.20, 0.06
        yield [(side * 1.17, 2.045, -6.3), (side * 1.17, 2.045, -2.5)], 0.12, 0.07
    yield [on_truck(face_point(share / 24, 1.0, 0.5 * THICKNESS)) for share in range(25)], 0.09, 0.05


def lumps_per_m2(point, normal):
    """Of snow that clings to the truck: most on what faces forward or up, low and at the front."""
    facing = max(normal[2], 0) + 1.5 * max(normal[1] - 0.4, 0) + 0.25 * abs(normal[0])
    return LUMPS_PER_M2 * facing * math.exp(-max(point[1] - 0.6, 0) / 0.22) * math.exp(-max(0.6 - point[2], 0) / 0.8)


def splash():
    """Snow on the truck: banks on its ledges and lumps that cling to it."""
    mesh = Mesh(digits=3)
    for number, (line, width, height) in enumerate(ledges()):
        add_bank(mesh, line, width, height, 10 * number)
    faces = [face for part in (cab(), body(), trim()) for face in outward(part)]
    add_lumps(mesh, faces, lumps_per_m2, 7)
    return mesh


PARTS = {"hills": hills, "blade": blade, "wheel": wheel, "cab": cab, "glass": glass, "trim": trim, "chrome": chrome,
         "body": body, "lamps": lamps, "splash": splash, "fence": fence, "fence_snow": fence_snow}


if __name__ == "__main__":
    save({FOLDER / f"{name}.obj": make().bytes(f"{name}, written by plough.py") for name, make in PARTS.items()}
         | {FOLDER / "woods.glb": woods()})
