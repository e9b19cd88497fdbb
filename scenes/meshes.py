"""Closed meshes for the scripts that write the bodies of scenes, and the noise that varies them. Metres, y up."""
import math


class Mesh:
    """Vertices and faces of several closed parts. A file has so many digits behind the point of a coordinate."""

    def __init__(self, digits=4):
        self.vertices, self.faces, self.digits = [], [], digits

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

    def bytes(self, title):
        """An .obj file."""
        lines = [f"# {title}"]
        lines += ["v " + " ".join(f"{x:.{self.digits}f}" for x in v) for v in self.vertices]
        lines += ["f " + " ".join(str(i) for i in face) for face in self.faces]
        return ("\n".join(lines) + "\n").encode()


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def subtract(a, b):
    return tuple(p - q for p, q in zip(a, b))


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


def disc(mesh, middle, radius, depth):
    """A round lamp that faces forward."""
    x, y, z = middle
    profile = [(-depth, 0), (-depth, radius), (0.0, radius), (0.02, 0.86 * radius), (0.035, 0.5 * radius), (0.038, 0)]
    mesh.turn(profile, 24, lambda ahead, r, a: (x + r * math.cos(a), y + r * math.sin(a), z + ahead))


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


def noise3(point, size, seed):
    """Smooth noise of a point in space from 0 to 1, of lumps of this size."""
    cell = [math.floor(x / size) for x in point]
    share = [x / size - i for x, i in zip(point, cell)]
    share = [t * t * (3 - 2 * t) for t in share]
    total = 0
    for corner in range(8):
        step = [corner >> axis & 1 for axis in range(3)]
        weight = math.prod(t if on else 1 - t for t, on in zip(share, step))
        total += weight * random(*[i + on for i, on in zip(cell, step)], seed)
    return total
