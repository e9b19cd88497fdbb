#!/usr/bin/env python3
"""Writes walker.glb: the person of walk.bvh in winter clothes, with the walk as the clip "walk".

    python3 scenes/walker.py            writes walker.glb beside this file, the same bytes every time
    python3 scenes/walker.py --check    writes nothing; fails if walker.glb differs

Each piece of clothing is the zero set of a function: hulls of two balls, joined smoothly, cut by planes, with folds as
sines. Surface nets turn it into a closed mesh, and each vertex gets the weights of its bones. Pieces overlap, so that
no gap opens where they meet. Metres; x is left, y up, z forward. At rest the skeleton is that of walk.py: arms spread,
soles on y = 0. docs/walk.md tells how a scene uses the file.
"""
import math
from pathlib import Path

import walk as w
from glb_file import Glb
from script_files import save

HIP_Y = w.THIGH + w.SHANK + w.ANKLE_HEIGHT
SHOULDER, ELBOW = w.SHOULDER_HALF, w.SHOULDER_HALF + w.UPPER_ARM
WRIST = ELBOW + w.FOREARM
HEAD_Y = HIP_Y + 0.63
BOOT_TOP = 0.24
COLORS = {'trousers': (0.10, 0.12, 0.17), 'jacket': (0.34, 0.065, 0.035), 'boot': (0.20, 0.125, 0.075),
          'head': (0.55, 0.36, 0.27), 'hat': (0.08, 0.14, 0.22), 'glove': (0.06, 0.06, 0.065),
          'sole': (0.04, 0.038, 0.036), 'collar': (0.07, 0.06, 0.055)}   # linear Rec. 709


# ---- shapes: functions of a place, negative inside, whose values are near the distance ------------------------------
def rounded_cone(a, b, ra, rb):
    """Distance to the hull of a ball of radius ra about a and one of radius rb about b. Neither contains the other."""
    axis = w.sub(b, a)
    length = math.sqrt(w.dot(axis, axis))
    axis = w.scale(axis, 1 / length)
    sine = (ra - rb) / length
    cosine = math.sqrt(1 - sine * sine)

    def d(p):
        from_a = w.sub(p, a)
        along = w.dot(from_a, axis)
        out = math.sqrt(max(0.0, w.dot(from_a, from_a) - along * along))
        place = along * cosine - out * sine            # along the side, from its lower end
        if place < 0:
            return math.hypot(along, out) - ra
        if place > length * cosine:
            return math.hypot(along - length, out) - rb
        return along * sine + out * cosine - ra
    return d


def squash(d, axis, factor, center=0.0):
    """The shape of d, compressed along an axis; a lower bound of the distance."""
    def f(p):
        q = list(p)
        q[axis] = center + (q[axis] - center) / factor
        return d(q) * min(1.0, factor)
    return f


def smooth_min(a, b, k):
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k * 0.25


def union(k, *ds):
    def f(p):
        v = ds[0](p)
        for d in ds[1:]:
            v = smooth_min(v, d(p), k)
        return v
    return f


def cut(d, plane, k=0.006):
    """Keeps where plane(p) < 0, with a rounded edge."""
    def f(p):
        return -smooth_min(-d(p), -plane(p), k)
    return f


def mirrored(d):
    return lambda p: d((abs(p[0]), p[1], p[2]))


def bell(x, width):
    return math.exp(-(x / width) ** 2)


def trousers():
    knee = HIP_Y - w.THIGH
    hx = w.HIP_HALF
    leg = union(0.04, rounded_cone((hx, HIP_Y - 0.02, -0.005), (hx, knee, 0.0), 0.100, 0.073),
                rounded_cone((hx, knee, 0.0), (hx, 0.19, -0.014), 0.073, 0.086))
    seat = squash(rounded_cone((0, HIP_Y + 0.12, 0), (0, HIP_Y + 0.01, -0.012), 0.125, 0.145), 2, 0.88)
    both = union(0.05, mirrored(leg), seat)

    def folds(p):
        x = abs(p[0]) - hx
        around = math.atan2(x, p[2] + 0.01)
        y = p[1]
        f = 0.0045 * bell(y - 0.21, 0.055) * math.sin(115 * y + 1.3 * math.sin(around * 2 + 0.5))     # above the hem
        f += 0.004 * bell(y - knee, 0.09) * math.sin(75 * y + 1.5 * math.cos(around)) * (0.6 - 0.4 * math.cos(around))
        f += 0.003 * bell(y - HIP_Y + 0.06, 0.07) * math.sin(60 * y - 40 * abs(p[0]))
        return both(p) - f
    crotch = HIP_Y - 0.11

    def between(p):                                                 # a gap that the cells of the mesh can show
        return 0.014 - abs(p[0]) - 0.8 * max(0.0, p[1] - crotch)
    legs = cut(cut(folds, between), lambda p: 0.165 - p[1] + 0.01 * math.sin(9 * p[2]))
    return cut(legs, lambda p: p[1] - HIP_Y - 0.13)


def jacket():
    chest, neck = HIP_Y + 0.28, HIP_Y + 0.54
    arm_y = chest + 0.22
    torso = squash(union(0.06, rounded_cone((0, HIP_Y - 0.04, 0), (0, HIP_Y + 0.14, 0), 0.205, 0.172),
                         rounded_cone((0, HIP_Y + 0.14, 0), (0, chest, 0), 0.172, 0.160),
                         rounded_cone((0, chest, 0), (0, chest + 0.12, 0), 0.160, 0.15)), 2, 0.82)
    yoke = rounded_cone((0.0, arm_y + 0.025, -0.005), (SHOULDER - 0.02, arm_y - 0.005, -0.005), 0.085, 0.073)
    upper = rounded_cone((SHOULDER - 0.01, arm_y, 0), (ELBOW, arm_y, 0), 0.072, 0.058)
    fore = rounded_cone((ELBOW, arm_y, 0), (WRIST, arm_y, 0), 0.058, 0.047)
    collar = rounded_cone((0, neck - 0.06, 0), (0, neck + 0.03, 0.008), 0.085, 0.078)
    whole = union(0.05, torso, mirrored(union(0.03, yoke, upper, fore)), collar)

    def folds(p):
        x, y = abs(p[0]), p[1]
        f = 0.0035 * bell(x - ELBOW, 0.07) * math.sin(85 * x + 1.4 * math.sin(2 * math.atan2(p[2], y - arm_y)))
        f += 0.003 * bell(x - SHOULDER - 0.06, 0.06) * math.sin(70 * (x - 0.6 * (y - arm_y)))
        f += 0.004 * bell(y - HIP_Y - 0.17, 0.06) * math.sin(70 * y + 2 * math.sin(7 * p[0] + 3 * p[2]))
        return whole(p) - f
    hem = HIP_Y - 0.03
    return cut(cut(cut(folds, lambda p: hem - p[1]), lambda p: abs(p[0]) - WRIST), lambda p: p[1] - neck - 0.055)


def boot():
    """About the ankle's joint at (0, ANKLE_HEIGHT, 0): the left one; sole at y = 0."""
    upper = union(0.04, rounded_cone((0, 0.055, -0.032), (0.004, 0.046, 0.12), 0.046, 0.05),
                  rounded_cone((0.004, 0.046, 0.12), (-0.004, 0.04, 0.168), 0.05, 0.043),
                  rounded_cone((0, 0.095, -0.012), (0, 0.07, 0.07), 0.05, 0.043))
    shaft = rounded_cone((0, 0.09, -0.012), (0, 0.25, -0.018), 0.052, 0.062)
    whole = union(0.03, upper, shaft)

    def leather(p):
        x, y, z = p
        f = 0.0035 * smoothstep(z, 0.125, 0.132) * smoothstep(y, 0.02, 0.04)                          # toe cap
        f += 0.0035 * smoothstep(-z, 0.045, 0.052) * smoothstep(0.10 - y, 0.0, 0.006)                 # heel counter
        laced = smoothstep(0.030 - abs(x), 0.0, 0.010) * smoothstep(z + 0.4 * y, 0.072, 0.082)
        f += 0.0035 * laced * math.sin((y - 0.7 * z) * 2 * math.pi / 0.030) * smoothstep(0.22 - y, 0.0, 0.02) \
            * smoothstep(0.115 - z, 0.0, 0.02)
        return whole(p) - f

    def collar(p):
        around = math.hypot(p[0], p[2] + 0.0175) - 0.060
        return math.hypot(around, p[1] - BOOT_TOP + 0.012) - 0.0115
    body = union(0.006, cut(cut(leather, lambda p: p[1] - BOOT_TOP), lambda p: 0.02 - p[1]), collar)

    def outline(p):
        x, z = p[0], p[2]

        def hull(z0, x0, r0, z1, x1, r1):
            return rounded_cone((x0, 0, z0), (x1, 0, z1), r0, r1)((x, 0, z))
        heel = hull(-0.038, 0, 0.043, 0.05, 0.004, 0.039)
        rear = smooth_min(heel, hull(0.05, 0.004, 0.039, 0.122, 0.006, 0.053), 0.03)
        return smooth_min(rear, hull(0.122, 0.006, 0.053, 0.17, -0.003, 0.044), 0.02)

    def sole(p):
        lift = 0.014 * bell(p[2] - 0.045, 0.028)                    # the arch before the heel
        groove = 0.004 * max(0.0, math.sin(p[2] * 2 * math.pi / 0.022)) if p[1] < 0.012 else 0.0
        vertical = max(lift + groove - p[1], p[1] - 0.03)
        return -smooth_min(0.003 - outline(p), -vertical, 0.005)
    return union(0.006, body, sole)


def head():
    skull = union(0.03, rounded_cone((0, HEAD_Y + 0.045, 0.022), (0, HEAD_Y + 0.10, 0.0), 0.072, 0.092),
                  rounded_cone((0, HEAD_Y + 0.02, 0.05), (0, HEAD_Y + 0.055, 0.055), 0.032, 0.045))
    nose = rounded_cone((0, HEAD_Y + 0.075, 0.098), (0, HEAD_Y + 0.05, 0.113), 0.010, 0.014)
    neck = rounded_cone((0, HEAD_Y - 0.14, -0.01), (0, HEAD_Y + 0.03, 0.0), 0.06, 0.055)
    return union(0.03, union(0.02, squash(skull, 0, 0.86), nose), neck)


def hat():
    cap = rounded_cone((0, HEAD_Y + 0.10, -0.004), (0, HEAD_Y + 0.135, -0.012), 0.106, 0.097)

    def knit(p):
        around = math.atan2(p[0], p[2])
        return cap(p) - 0.0018 * math.sin(44 * around)

    def roll(p):
        r = math.hypot(p[0], (p[2] + 0.004)) - 0.102
        return math.hypot(r, 0.55 * (p[1] - HEAD_Y - 0.098)) - 0.017
    return squash(union(0.012, cut(knit, lambda p: HEAD_Y + 0.095 - p[1]), roll), 0, 0.9)


def glove():
    y = HIP_Y + 0.50
    palm = squash(rounded_cone((WRIST + 0.03, y, 0), (WRIST + 0.12, y, 0), 0.046, 0.04), 1, 0.62, y)
    fingers = squash(rounded_cone((WRIST + 0.10, y, 0), (WRIST + 0.17, y - 0.012, 0), 0.044, 0.03), 1, 0.6, y)
    thumb = rounded_cone((WRIST + 0.05, y - 0.005, 0.03), (WRIST + 0.10, y - 0.012, 0.062), 0.02, 0.016)
    cuff = rounded_cone((WRIST - 0.05, y, 0), (WRIST + 0.02, y, 0), 0.058, 0.05)
    return union(0.025, palm, fingers, thumb, cuff)


# ---- meshes ---------------------------------------------------------------------------------------------------------
CORNERS = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
EDGES = [(p, q) for p in CORNERS for q in CORNERS if p < q and sum(x != y for x, y in zip(p, q)) == 1]
BLOCK = 4


def sample(d, low, high, h):
    """The cells that may hold surface, and the values at their corners: blocks of cells far from it are left out."""
    cells, values = [], {}
    reach = 0.8 * BLOCK * h * math.sqrt(3) + 0.02      # folds and cuts make values smaller or larger than distances
    counts = [math.ceil((b - a) / h) + 1 for a, b in zip(low, high)]

    def at(i, j, k): return (low[0] + h * i, low[1] + h * j, low[2] + h * k)
    for i in range(0, counts[0], BLOCK):
        for j in range(0, counts[1], BLOCK):
            for k in range(0, counts[2], BLOCK):
                if abs(d(at(i + BLOCK / 2, j + BLOCK / 2, k + BLOCK / 2))) < reach:
                    cells += [(i + a, j + b, k + c) for a in range(BLOCK) for b in range(BLOCK) for c in range(BLOCK)]
    for cell in cells:
        for corner in CORNERS:
            node = w.add(cell, corner)
            if node not in values:
                values[node] = d(at(*node))
    return cells, values


def crossing(values, cell):
    """The mean of the places where the edges of a cell cross the surface, in cells; None without a crossing."""
    total, count = (0.0, 0.0, 0.0), 0
    for p, q in EDGES:
        a, b = values[w.add(cell, p)], values[w.add(cell, q)]
        if (a < 0) != (b < 0):
            total = w.add(total, w.add(p, w.scale(w.sub(q, p), a / (a - b))))
            count += 1
    return w.add(cell, w.scale(total, 1 / count)) if count else None


def onto_surface(d, p, h):
    """Moves a vertex towards the surface, by at most 0.3 cells."""
    e = 0.25 * h
    gradient = tuple((d(p[:x] + (p[x] + e,) + p[x + 1:]) - d(p[:x] + (p[x] - e,) + p[x + 1:])) / (2 * e)
                     for x in range(3))
    slope = math.sqrt(max(w.dot(gradient, gradient), 1e-6))
    return w.sub(p, w.scale(gradient, max(-0.3 * h, min(0.3 * h, d(p) / max(slope, 0.22))) / slope))


def surface_nets(d, low, high, h):
    """Vertices and quads (S. F. F. Gibson, Constrained elastic surface nets, 1998)."""
    cells, values = sample(d, low, high, h)
    number, vertices, quads = {}, [], []
    for cell in cells:
        place = crossing(values, cell)
        if place:
            number[cell] = len(vertices)
            vertices.append(onto_surface(d, w.add(low, w.scale(place, h)), h))
    for node, value in values.items():
        for axis in range(3):
            other = values.get(node[:axis] + (node[axis] + 1,) + node[axis + 1:])
            if other is None or (value < 0) == (other < 0):
                continue
            ring = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):    # the cells around the edge
                cell = list(node)
                cell[(axis + 1) % 3] += du
                cell[(axis + 2) % 3] += dv
                ring.append(number[tuple(cell)])
            quads.append(tuple(ring if value < 0 else reversed(ring)))
    return vertices, quads


def manifold(d, low, high, h):
    """Surface nets with two quads on each edge. Where a place of the grid puts four on one, another place is tried."""
    for attempt in range(20):
        vertices, quads = surface_nets(d, tuple(x - 0.05 * attempt * h for x in low), high, h)
        count = {}
        for quad in quads:
            for edge in zip(quad, quad[1:] + quad[:1]):
                edge = tuple(sorted(edge))
                count[edge] = count.get(edge, 0) + 1
        if all(n == 2 for n in count.values()):
            return [tuple(round(x, 5) + 0.0 for x in v) for v in vertices], quads
    raise RuntimeError('no place of the grid gives a closed surface')


def triangles_of(quads, vertices):
    """Each quad is cut along its shorter diagonal; equal ones are told apart by more than rounding."""
    def square(a, b): return sum((x - y)**2 for x, y in zip(vertices[a], vertices[b]))
    result = []
    for a, b, c, d in quads:
        along = square(a, c) <= square(b, d) + 1e-11
        result += [(a, b, c), (a, c, d)] if along else [(a, b, d), (b, c, d)]
    return result


PARTS = {  # name: (shape, low, high, cell)
    'trousers': (trousers, (-0.30, 0.12, -0.22), (0.30, 1.09, 0.22), 0.018),
    'jacket': (jacket, (-0.86, 0.80, -0.22), (0.86, 1.56, 0.22), 0.02),
    'boot': (boot, (-0.09, -0.02, -0.12), (0.09, 0.27, 0.24), 0.0075),
    'head': (head, (-0.13, 1.33, -0.14), (0.13, 1.80, 0.16), 0.012),
    'hat': (hat, (-0.15, 1.60, -0.16), (0.15, 1.85, 0.16), 0.0125),
    'glove': (glove, (0.68, 1.34, -0.1), (1.06, 1.52, 0.1), 0.011),
}

# ---- skeleton and skin ----------------------------------------------------------------------------------------------
def joints():
    """(name, parent, offset, place at rest), in the order of the BVH, without its end sites."""
    stack, result = [], []
    for depth, name, offset in w.skeleton():
        if name is None:
            continue
        del stack[depth:]
        parent = stack[-1] if stack else -1
        stack.append(len(result))
        result.append((name, parent, offset, w.add(result[parent][3], offset) if parent >= 0 else (0.0, HIP_Y, 0.0)))
    return result


JOINTS = joints()
INDEX = {j[0]: i for i, j in enumerate(JOINTS)}


def smoothstep(x, a, b):
    t = max(0.0, min(1.0, (x - a) / (b - a)))
    return t * t * (3 - 2 * t)


def trouser_weights(p):
    """The crotch and the seat follow the pelvis; the outer thigh turns with the leg."""
    s = 'Left' if p[0] > 0 else 'Right'
    knee_y = HIP_Y - w.THIGH
    knee = 1 - smoothstep(p[1], knee_y - 0.07, knee_y + 0.07)
    leg = 1 - smoothstep(p[1] - 0.25 * (abs(p[0]) - w.HIP_HALF), HIP_Y - 0.12, HIP_Y + 0.08)
    outer = smoothstep(abs(p[0]), 0.0, 0.05)
    leg *= outer + (1 - outer) * (1 - smoothstep(p[1], HIP_Y - 0.25, HIP_Y - 0.12))
    return {'Hips': 1 - leg, s + 'UpLeg': leg * (1 - knee), s + 'Leg': leg * knee}


def jacket_weights(p):
    """Below the hips, the jacket goes with the thighs."""
    s = 'Left' if p[0] > 0 else 'Right'
    x, y = abs(p[0]), p[1] - HIP_Y
    result, left = {}, 1.0
    # Each joint takes its share of what those before it have left.
    for name, share in ((s + 'ForeArm', smoothstep(x, ELBOW - 0.05, ELBOW + 0.05)),
                        (s + 'Arm', smoothstep(x, SHOULDER - 0.075, SHOULDER + 0.055) * smoothstep(y, 0.32, 0.42)),
                        (s + 'Shoulder', smoothstep(x, 0.03, 0.13) * smoothstep(y, 0.36, 0.46)),
                        ('Neck', smoothstep(y, 0.55, 0.63)), ('Chest', smoothstep(y, 0.15, 0.34)),
                        ('Spine', smoothstep(y, 0.06, 0.18)),
                        (s + 'UpLeg', smoothstep(x, 0.0, 0.07) * (1 - smoothstep(y, -0.10, 0.12))), ('Hips', 1.0)):
        result[name] = left * share
        left -= result[name]
    return result


def boot_weights(p, s):
    """The toes bend; the shaft goes with the shin."""
    ball = w.TOE_JOINT[2]
    toe = smoothstep(p[2], ball - 0.025, ball + 0.025) * (1 - smoothstep(p[1], 0.09, 0.12))
    leg = smoothstep(p[1], 0.10, 0.23)
    return {s + 'Toe': toe, s + 'Foot': (1 - toe) * (1 - leg), s + 'Leg': (1 - toe) * leg}


def weights(part, p, s):
    """Joint name -> weight of a vertex. The weights sum to one. s is the side of boots and gloves."""
    if part == 'trousers':
        return trouser_weights(p)
    if part == 'jacket':
        return jacket_weights(p)
    if part == 'boot':
        return boot_weights(p, s)
    if part == 'head':
        head = smoothstep(p[1], HIP_Y + 0.52, HIP_Y + 0.64)
        return {'Head': head, 'Neck': 1 - head}
    if part == 'hat':
        return {'Head': 1.0}
    hand = smoothstep(p[0], WRIST - 0.05, WRIST + 0.03)
    return {s + 'Hand': hand, s + 'ForeArm': 1 - hand}


def skinned(part, vertices, s):
    """Joints and weights of each vertex. Weights are multiples of 1/255."""
    numbers, shares = [], []
    for p in vertices:
        best = sorted(weights(part, p, s).items(), key=lambda e: -e[1])[:4]
        total = sum(v for _, v in best)
        bytes_ = [round(255 * v / total) for _, v in best]
        bytes_[0] += 255 - sum(bytes_)
        ids = [INDEX[n] if v else 0 for (n, _), v in zip(best, bytes_)]
        numbers.append(tuple((ids + [0] * 4)[:4]))
        shares.append(tuple(v / 255 for v in (bytes_ + [0] * 4)[:4]))
    return numbers, shares


# ---- the file -------------------------------------------------------------------------------------------------------
def quaternion(m):
    """x, y, z, w of a rotation given by rows."""
    t = m[0][0] + m[1][1] + m[2][2]
    if t > 0:
        s = 2 * math.sqrt(1 + t)
        return ((m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s, s / 4)
    i = max(range(3), key=lambda k: m[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    s = 2 * math.sqrt(max(0.0, 1 + m[i][i] - m[j][j] - m[k][k]))
    q = [0.0] * 4
    q[i], q[j], q[k], q[3] = s / 4, (m[j][i] + m[i][j]) / s, (m[k][i] + m[i][k]) / s, (m[k][j] - m[j][k]) / s
    return tuple(q)


def add_skeleton(glb):
    for name, parent, offset, place in JOINTS:
        glb.append('nodes', {'name': name, 'translation': list(offset if parent >= 0 else place)})
    for i, (_, parent, _, _) in enumerate(JOINTS):
        if parent >= 0:
            glb.document['nodes'][parent].setdefault('children', []).append(i)
    glb.document['scenes'][0]['nodes'].append(0)
    binds = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p[0], -p[1], -p[2], 1) for _, _, _, p in JOINTS]
    glb.append('skins', {'joints': list(range(len(JOINTS))), 'skeleton': 0,
                         'inverseBindMatrices': glb.accessor('MAT4', 'f', binds)})


def name_of(part, corners):
    """The material of a triangle."""
    y = sum(c[1] for c in corners) / 3
    if part == 'boot' and y < 0.031:
        return 'sole'
    return 'collar' if part == 'boot' and y > BOOT_TOP - 0.026 else part


def add_mesh(glb, part, vertices, quads, materials, side):
    """One piece of clothing; the right boot and glove are mirror images of the left ones."""
    x = -1 if side == 'Right' else 1
    shift = w.HIP_HALF if part == 'boot' else 0.0
    placed = [(x * (v[0] + shift), v[1], v[2]) for v in vertices]
    numbers, shares = skinned(part, vertices, side)
    triangles = triangles_of([q[::x] for q in quads], placed)
    attributes = {'POSITION': glb.accessor('VEC3', 'f', placed, bounds=True),
                  'JOINTS_0': glb.accessor('VEC4', 'B', numbers), 'WEIGHTS_0': glb.accessor('VEC4', 'f', shares)}
    primitives = []
    for name, material in materials.items():
        chosen = [(i,) for t in triangles if name == name_of(part, [placed[i] for i in t]) for i in t]
        if chosen:
            primitives.append({'attributes': attributes, 'indices': glb.accessor('SCALAR', 'H', chosen),
                               'material': material})
    mesh = glb.append('meshes', {'name': part + side, 'primitives': primitives})
    glb.document['scenes'][0]['nodes'].append(glb.append('nodes', {'name': part + side, 'mesh': mesh, 'skin': 0}))


def add_materials(glb, names):
    """By name, their numbers in the document."""
    return {name: glb.append('materials', {'name': name, 'pbrMetallicRoughness': {
        'baseColorFactor': [*COLORS[name], 1.0], 'metallicFactor': 0.0, 'roughnessFactor': 0.9}}) for name in names}


def add_clothes(glb):
    materials = add_materials(glb, COLORS)
    for part, (make, low, high, h) in PARTS.items():
        vertices, quads = manifold(make(), low, high, h)
        for side in ('Left', 'Right') if part in ('boot', 'glove') else ('',):
            add_mesh(glb, part, vertices, quads, materials, side)


def add_walk(glb):
    height = w.solveHeight()
    foot = w.Foot(height)
    frames = round(w.STRIDES * w.STRIDE_S * w.FPS) + 1
    poses = [w.pose(k / (w.FPS * w.STRIDE_S), height, foot) for k in range(frames)]
    times = glb.accessor('SCALAR', 'f', [(k / w.FPS,) for k in range(frames)], bounds=True)
    channels, samplers = [], []

    def add(node, path, kind, rows):
        rows = [tuple(round(v, 6) + 0.0 for v in row) for row in rows]     # no -0
        samplers.append({'input': times, 'output': glb.accessor(kind, 'f', rows), 'interpolation': 'LINEAR'})
        channels.append({'sampler': len(samplers) - 1, 'target': {'node': node, 'path': path}})
    add(0, 'translation', 'VEC3', [place for place, _ in poses])
    for i, (name, *_) in enumerate(JOINTS):
        add(i, 'rotation', 'VEC4', [quaternion(local[name]) for _, local in poses])
    glb.append('animations', {'name': 'walk', 'channels': channels, 'samplers': samplers})


def main():
    glb = Glb('walker.py')
    add_skeleton(glb)
    add_clothes(glb)
    add_walk(glb)
    save({Path(__file__).with_suffix('.glb'): glb.bytes()})


if __name__ == '__main__':
    main()
