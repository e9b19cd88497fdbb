"""Snow that lies on edges and clings to surfaces, as meshes."""
import math

from meshes import cross, noise, noise3, random, subtract

FINEST_LUMP, LARGEST_LUMP = 0.004, 0.05  # radius, m
PROFILE = 7                              # points across a bank


def add_bank(mesh, points, width, height, seed, step=0.04, gaps=0.25):
    """A bank of snow that lies along a line of points on an edge. Its width and height vary, and it is missing where
    noise is below `gaps`."""
    stations = [bank_station(*place, width, height, seed, gaps) for place in along_line(points, step)]
    run = []
    for station in stations + [None]:
        if station:
            run.append(station)
        else:
            add_run(mesh, run)
            run = []


def along_line(points, step):
    """Places on a line of points: the distance from its start, that to the nearer end, the point, and the horizontal
    direction across the line."""
    lengths = [math.dist(a, b) for a, b in zip(points, points[1:])]
    total = sum(lengths)
    count = max(4, round(total / step))
    for k in range(count + 1):
        s = total * k / count
        piece = start = 0
        while piece < len(lengths) - 1 and s > start + lengths[piece]:
            start += lengths[piece]
            piece += 1
        a, b = points[piece], points[piece + 1]
        share = (s - start) / lengths[piece]
        ahead = subtract(b, a)
        flat = math.hypot(ahead[0], ahead[2])
        across = (ahead[2] / flat, 0, -ahead[0] / flat) if flat > 1e-9 else (1, 0, 0)
        yield s, max(min(s, total - s), 0), tuple(p + share * v for p, v in zip(a, ahead)), across


def bank_station(s, to_end, middle, across, width, height, seed, gaps):
    """The points of a bank across its line, or nothing where there is no snow."""
    full = min((noise(s / (1.5 * width + 0.15), seed) - gaps) / 0.15, 1)
    end = min(to_end / width, 1)
    full *= math.sqrt(1 - (1 - end) ** 2)
    if full < 0.08:
        return None
    half = 0.5 * width * (0.75 + 0.4 * noise(s / (1.1 * width), seed + 1)) * math.sqrt(full)
    top = height * (0.45 + 0.75 * noise(s / (1.3 * width), seed + 2)) * full
    shift = 0.2 * width * (noise(s / (1.7 * width), seed + 3) - 0.5)
    station = []
    for k in range(PROFILE):
        angle = math.pi * k / (PROFILE - 1)
        out, up = math.cos(angle) * half + shift, math.sin(angle) ** 0.8 * top - 0.004
        station.append((middle[0] + out * across[0], middle[1] + up, middle[2] + out * across[2]))
    return station


def add_run(mesh, run):
    """The stations of a bank without a gap; both ends close at a point."""
    if len(run) < 3:
        return
    rows = mesh.grid(run)
    for row, station in ((rows[0], run[0]), (rows[-1], run[-1])):
        middle = mesh.vertex(*[sum(p[i] for p in station) / PROFILE for i in range(3)])
        for a, b in zip(row, row[1:]):
            mesh.faces.append((a, b, middle))


def add_lumps(mesh, faces, per_m2, seed):
    """Lumps on triangles with normals and areas. `per_m2(point, normal)` is their number where they lie thickest; they
    lie in patches. Small ones are many, and large ones lie only where there are many."""
    for k, ((a, b, c), normal, area) in enumerate(faces):
        most = max(per_m2(p, normal) for p in (a, b, c))
        for lump in range(int(most * area + random(k, seed, 31))):
            u, v = random(k, lump, seed, 32), random(k, lump, seed, 33)
            if u + v > 1:
                u, v = 1 - u, 1 - v
            point = tuple(p + u * (q - p) + v * (r - p) for p, q, r in zip(a, b, c))
            patch = min(max((noise3(point, 0.13, seed) - 0.35) / 0.25, 0.04), 1)
            thick = per_m2(point, normal) * patch / 1000
            if random(k, lump, seed, 34) * most > 1000 * thick:
                continue
            largest = FINEST_LUMP + (LARGEST_LUMP - FINEST_LUMP) * min(thick, 1)
            radius = min(FINEST_LUMP * (1 - random(k, lump, seed, 35)) ** -0.7, largest)
            add_lump(mesh, point, normal, radius, (k, lump, seed))


def add_lump(mesh, middle, normal, radius, seed):
    """A flat dome on a surface. Small ones have fewer faces."""
    sides, rings = (5, 1) if radius < 0.012 else (7, 2) if radius < 0.03 else (9, 3)
    other = (1, 0, 0) if abs(normal[0]) < 0.7 else (0, 1, 0)
    u = cross(normal, other)
    length = math.sqrt(sum(x * x for x in u))
    u = tuple(x / length for x in u)
    v = cross(normal, u)
    reaches = [radius * (0.7 + 0.6 * random(*seed, 36, side)) for side in range(sides)]
    before = None
    for ring in range(rings):
        slope = 0.5 * math.pi * ring / rings
        row = []
        for side, reach in enumerate(reaches):
            angle, out = 2 * math.pi * side / sides, reach * math.cos(slope)
            up = 0.5 * radius * math.sin(slope) - 0.003
            row.append(mesh.vertex(*(m + out * (math.cos(angle) * a + math.sin(angle) * b) + up * n
                                     for m, a, b, n in zip(middle, u, v, normal))))
        row.append(row[0])
        if before:
            mesh.strip(before, row)
        before = row
    tip = mesh.vertex(*(m + (0.5 * radius - 0.003) * n for m, n in zip(middle, normal)))
    for a, b in zip(before, before[1:]):
        mesh.faces.append((a, b, tip))
