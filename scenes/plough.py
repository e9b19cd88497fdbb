#!/usr/bin/env python3
"""Writes the meshes of scenes/plough: a truck in parts, a wheel, the blade of a snowplough, and the land behind it.

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
import sys
from pathlib import Path

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

# The land behind the road: angles about y from x to z, and distances from the truck at the first frame.
HILL_DEGREES = (165, 316)
HILL_NEAR, HILL_FAR, HILL_TOP = 110.0, 640.0, 95.0
FENCE_X = -9.9
BRANCH_SIDES = 8             # of a tier of branches

LUMPS_PER_M2 = 520           # of snow on the truck, where most of them are
DIGITS = {"trees": 2, "tree_snow": 2, "splash": 3}  # of a coordinate in the file, behind the point; otherwise 4


class Mesh:
    """Vertices and faces of several closed parts."""

    def __init__(self):
        self.vertices, self.faces = [], []

    def vertex(self, x, y, z):
        self.vertices.append((x, y, z))
        return len(self.vertices)

    def grid(self, points):
        """Faces of a grid of points; returns the numbers of its vertices."""
        numbers = [[self.vertex(*p) for p in row] for row in points]
        for a, b in zip(numbers, numbers[1:]):
            for i in range(len(a) - 1):
                self.faces.append((a[i], a[i + 1], b[i + 1], b[i]))
        return numbers

    def strip(self, a, b):
        """Faces between two rows of as many vertices."""
        for i in range(len(a) - 1):
            self.faces.append((a[i], a[i + 1], b[i + 1], b[i]))

    def extrude(self, profile, half, bevel):
        """A profile of points (z, y), counter-clockwise, from x = -half to half, with bevelled ends. The middle of a
        profile must see all of it."""
        mz = sum(p[0] for p in profile) / len(profile)
        my = sum(p[1] for p in profile) / len(profile)
        size = min(max(abs(p[0] - mz) for p in profile), max(abs(p[1] - my) for p in profile))
        shrink = 1 - bevel / size
        rings = []
        for x, k in ((-half, shrink), (-half + bevel, 1), (half - bevel, 1), (half, shrink)):
            ring = [self.vertex(x, my + k * (y - my), mz + k * (z - mz)) for z, y in profile]
            rings.append(ring + ring[:1])
        for a, b in zip(rings, rings[1:]):
            self.strip(a, b)
        for ring, x in ((rings[0], -half), (rings[-1], half)):
            middle = self.vertex(x, my, mz)
            for i in range(len(ring) - 1):
                self.faces.append((ring[i], ring[i + 1], middle))

    def box(self, low, high, bevel=0.03):
        profile = [(low[2] + bevel, low[1]), (high[2] - bevel, low[1]), (high[2], low[1] + bevel),
                   (high[2], high[1] - bevel), (high[2] - bevel, high[1]), (low[2] + bevel, high[1]),
                   (low[2], high[1] - bevel), (low[2], low[1] + bevel)]
        first = len(self.vertices)
        self.extrude(profile, (high[0] - low[0]) / 2, bevel)
        shift = (high[0] + low[0]) / 2
        self.vertices[first:] = [(x + shift, y, z) for x, y, z in self.vertices[first:]]

    def turn(self, profile, sides, place):
        """Turns a profile of points (distance along the axis, radius) about an axis; both ends lie on it. `place` gives
        the point of a distance, a radius and an angle."""
        rings = []
        for along_axis, r in profile[1:-1]:
            ring = [self.vertex(*place(along_axis, r, 2 * math.pi * k / sides)) for k in range(sides)]
            rings.append(ring + ring[:1])
        for a, b in zip(rings, rings[1:]):
            self.strip(a, b)
        for ring, (along_axis, _) in ((rings[0], profile[0]), (rings[-1], profile[-1])):
            middle = self.vertex(*place(along_axis, 0, 0))
            for i in range(sides):
                self.faces.append((ring[i], ring[i + 1], middle))

    def add(self, other):
        """The parts of another mesh."""
        first = len(self.vertices)
        self.vertices += other.vertices
        self.faces += [tuple(i + first for i in face) for face in other.faces]

    def text(self, title):
        digits = DIGITS.get(title, 4)
        lines = [f"# {title}, written by plough.py"]
        lines += ["v " + " ".join(f"{x:.{digits}f}" for x in v) for v in self.vertices]
        lines += ["f " + " ".join(str(i) for i in face) for face in self.faces]
        return "\n".join(lines) + "\n"


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


def along(points, half):
    """A bar of square section along a line of points: one box per piece, which overlap at the points."""
    mesh = Mesh()
    for a, b in zip(points, points[1:]):
        ahead = [b[i] - a[i] for i in range(3)]
        length = math.sqrt(sum(v * v for v in ahead))
        ahead = [v / length for v in ahead]
        up = (0.0, 1.0, 0.0) if abs(ahead[1]) < 0.9 else (1.0, 0.0, 0.0)
        side = cross(up, ahead)
        size = math.sqrt(sum(v * v for v in side))
        side = [v / size for v in side]
        up = cross(ahead, side)
        rings = []
        for at, step in ((a, -half), (b, half)):
            ring = [mesh.vertex(*[at[i] + step * ahead[i] + half * (u * side[i] + v * up[i]) for i in range(3)])
                    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            rings.append(ring + ring[:1])
        mesh.strip(rings[0], rings[1])
        mesh.faces.append(tuple(reversed(rings[0][:4])))
        mesh.faces.append(tuple(rings[1][:4]))
    return mesh


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def disc(mesh, middle, radius, depth):
    """A round lamp that faces forward."""
    x, y, z = middle
    profile = [(-depth, 0), (-depth, radius), (0.0, radius), (0.02, 0.86 * radius), (0.035, 0.5 * radius), (0.038, 0)]
    mesh.turn(profile, 24, lambda ahead, r, a: (x + r * math.cos(a), y + r * math.sin(a), z + ahead))


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


def random(*numbers):
    """From 0 to 1, the same for the same integers on every machine."""
    state = 2166136261
    for n in numbers:
        state = ((state ^ (n & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
        state ^= state >> 15
    return (state * 2654435761 & 0xFFFFFFFF) / 2**32


def noise(x, seed):
    """Smooth noise from 0 to 1: random values at whole numbers, and a smooth curve between them."""
    i = math.floor(x)
    t = x - i
    t = t * t * (3 - 2 * t)
    return (1 - t) * random(i, seed) + t * random(i + 1, seed)


def hill_height(degrees, radius):
    """Of the land behind the road, m: flat near the road, then rising to ridges."""
    octaves = ((0.05, 0.55), (0.13, 0.3), (0.4, 0.1), (1.3, 0.05))  # per degree; share of the height
    ridge = sum(share * noise(degrees * per_degree, 7 + k) for k, (per_degree, share) in enumerate(octaves))
    rise = min(max((radius - HILL_NEAR) / (HILL_FAR - HILL_NEAR), 0), 1)
    folds = noise(degrees * 0.3 + radius * 0.02, 3) * 5 * rise
    return -0.5 + HILL_TOP * ridge * rise * rise * (3 - 2 * rise) + folds


def on_land(degrees, radius, height):
    angle = math.radians(degrees)
    return radius * math.cos(angle), height, radius * math.sin(angle)


def hills():
    """Snow-covered land on the side to which the camera looks; an open surface."""
    mesh = Mesh()
    radii = [HILL_NEAR + (HILL_FAR - HILL_NEAR) * k / 14 for k in range(15)]
    mesh.grid([[on_land(d, r, hill_height(d, r)) for d in range(*HILL_DEGREES, 1)] for r in radii])
    return mesh


def tree_places():
    """Spruces in groups on the hills: number, base and height of each."""
    for k in range(1400):
        degrees = HILL_DEGREES[0] + (HILL_DEGREES[1] - HILL_DEGREES[0] - 1) * random(k, 1)
        radius = HILL_NEAR + 60 + (HILL_FAR - HILL_NEAR - 80) * random(k, 2)
        if noise(degrees * 0.22, 11) * noise(radius * 0.012, 12) < 0.33:
            continue
        yield k, on_land(degrees, radius, hill_height(degrees, radius)), 7 + 9 * random(k, 3)


def tiers(k, height):
    """The branches of a spruce: the tip of each tier above the base, and a ring of points whose ends hang down."""
    for tier, (low, high, share) in enumerate(((-0.05, 0.42, 0.19), (0.2, 0.66, 0.155), (0.42, 0.85, 0.115),
                                               (0.62, 1.0, 0.07))):
        ring = []
        for side in range(BRANCH_SIDES):
            angle = 2 * math.pi * (side / BRANCH_SIDES + random(k, 4, tier))
            reach = share * (1 if side % 2 == 0 else 0.55) * (0.8 + 0.4 * random(k, 5, tier, side))
            droop = low + (0 if side % 2 == 0 else 0.06) + 0.05 * random(k, 6, tier, side)
            ring.append((reach * height * math.cos(angle), droop * height, reach * height * math.sin(angle)))
        yield tier, high * height, ring


def trees():
    mesh = Mesh()
    for k, (x, y, z), height in tree_places():
        for _, top, ring in tiers(k, height):
            numbers = [mesh.vertex(x + a, y + b, z + c) for a, b, c in ring]
            tip = mesh.vertex(x, y + top, z)
            for a, b in zip(numbers, numbers[1:] + numbers[:1]):
                mesh.faces.append((b, a, tip))
    return mesh


def tree_snow():
    """Snow on the branches of the spruces: on most of the sides of a tier, from its tip part of the way down."""
    mesh = Mesh()
    for k, (x, y, z), height in tree_places():
        for tier, top, ring in tiers(k, height):
            tip = mesh.vertex(x, y + top + 0.02 * height, z)
            for side in range(BRANCH_SIDES):
                if random(k, 7, tier, side) < 0.3:
                    continue
                corners = []
                for a, b, c in (ring[side], ring[(side + 1) % BRANCH_SIDES]):
                    down = 0.45 + 0.5 * random(k, 8, tier, side)
                    corners.append(mesh.vertex(x + a * down, y + top + (b - top) * down + 0.018 * height, z + c * down))
                mesh.faces.append((corners[1], corners[0], tip))
    return mesh


def fence():
    """Posts and slats along the road, where the field of snow begins; they lean a little."""
    mesh = Mesh()
    places = [(FENCE_X + 0.12 * (random(k, 21) - 0.5), -21 + 2.5 * k) for k in range(33)]
    lean = [0.10 * (random(k, 22) - 0.5) for k in range(33)]

    def at(k, height):
        x, z = places[k]
        return (x + lean[k] * height, height, z)

    for k in range(33):
        mesh.add(along([at(k, 0.1), at(k, 1.45 + 0.15 * random(k, 23))], 0.055))
        for height in (0.55, 0.85, 1.15):
            if k == 32 or random(k, int(height * 100)) < 0.06:  # some slats are gone
                continue
            a, b = at(k, height + 0.05 * random(k, 24)), at(k + 1, height + 0.05 * random(k, 25))
            mesh.add(along([(a[0] + 0.06, a[1], a[2] - 0.1), (b[0] + 0.06, b[1], b[2] + 0.1)], 0.045))
    return mesh


def subtract(a, b):
    return tuple(p - q for p, q in zip(a, b))


def triangles(mesh):
    for face in mesh.faces:
        for i in range(1, len(face) - 1):
            yield tuple(mesh.vertices[face[k] - 1] for k in (0, i, i + 1))


def outward(mesh):
    """The triangles of closed parts that are all oriented alike, with their unit normals and areas."""
    found, volume = [], 0
    for a, b, c in triangles(mesh):
        normal = cross(subtract(b, a), subtract(c, a))
        volume += sum(p * n for p, n in zip(a, normal)) / 6
        length = math.sqrt(sum(n * n for n in normal))
        if length > 1e-9:
            found.append(((a, b, c), tuple(n / length for n in normal), length / 2))
    for corners, normal, area in found:
        yield corners, tuple(math.copysign(n, n * volume) for n in normal), area


def splash():
    """Snow that clings to the truck: flat lumps on what faces forward or up, most of them low and at the front."""
    mesh = Mesh()
    faces = [face for part in (cab(), body(), trim()) for face in outward(part)]
    for k, ((a, b, c), normal, area) in enumerate(faces):
        height, front = sum(p[1] for p in (a, b, c)) / 3, sum(p[2] for p in (a, b, c)) / 3
        facing = max(normal[2], 0) + 1.5 * max(normal[1] - 0.4, 0) + 0.25 * abs(normal[0])
        share = facing * math.exp(-max(height - 0.75, 0) / 0.3) * math.exp(-max(0.6 - front, 0) / 0.8)
        wanted = LUMPS_PER_M2 * share * area
        for lump in range(int(wanted + random(k, 31))):
            u, v = random(k, lump, 32), random(k, lump, 33)
            if u + v > 1:
                u, v = 1 - u, 1 - v
            middle = tuple(p + u * (q - p) + v * (r - p) for p, q, r in zip(a, b, c))
            add_lump(mesh, middle, normal, 0.006 + 0.036 * random(k, lump, 34) ** 4, (k, lump))
    return mesh


def add_lump(mesh, middle, normal, radius, seed):
    """A dome of five sides on a surface."""
    other = (1, 0, 0) if abs(normal[0]) < 0.7 else (0, 1, 0)
    u = cross(normal, other)
    length = math.sqrt(sum(x * x for x in u))
    u = tuple(x / length for x in u)
    v = cross(normal, u)
    ring = []
    for side in range(5):
        angle = 2 * math.pi * side / 5
        reach = radius * (0.7 + 0.6 * random(*seed, 35, side))
        ring.append(mesh.vertex(*(m + reach * (math.cos(angle) * a + math.sin(angle) * b) - 0.003 * n
                                  for m, a, b, n in zip(middle, u, v, normal))))
    tip = mesh.vertex(*(m + 0.45 * radius * n for m, n in zip(middle, normal)))
    for a, b in zip(ring, ring[1:] + ring[:1]):
        mesh.faces.append((a, b, tip))


PARTS = {"hills": hills, "trees": trees, "tree_snow": tree_snow, "blade": blade, "wheel": wheel, "cab": cab,
         "glass": glass, "trim": trim, "chrome": chrome, "body": body, "lamps": lamps, "splash": splash,
         "fence": fence}


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: plough.py [--check]")
    for name, make in PARTS.items():
        file, text = FOLDER / f"{name}.obj", make().text(name)
        if not check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            sys.exit(f"{file} is not what plough.py writes; run it again")


if __name__ == "__main__":
    main()
