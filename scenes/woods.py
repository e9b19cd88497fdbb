"""The spruces behind scenes/snowplow.toml and roof.toml, with snow on their branches, as one glTF file: a few shapes,
and a node for each tree."""
import math

from glb_file import Glb
from land import HILL_DEGREES, HILL_FAR, HILL_NEAR, hill_height, on_land
from meshes import Mesh, noise, random

SHAPES = 7                   # of trees, of height 1
TIERS = 12                   # of branches
BRANCHES = 9                 # of the lowest tier; the highest has 5 fewer
SNOWY = 0.8                  # share of the branches that carry snow
COLORS = {"branches": (0.05, 0.062, 0.05), "snow": (0.88, 0.90, 0.94)}  # linear Rec. 709


def tree_places():
    """Spruces in groups on the hills: number, base and height of each."""
    for k in range(3600):
        degrees = HILL_DEGREES[0] + (HILL_DEGREES[1] - HILL_DEGREES[0] - 1) * random(k, 1)
        radius = HILL_NEAR + 60 + (HILL_FAR - HILL_NEAR - 80) * random(k, 2)
        if noise(degrees * 0.22, 11) * noise(radius * 0.012, 12) < 0.30:
            continue
        yield k, on_land(degrees, radius, hill_height(degrees, radius)), 7 + 9 * random(k, 3)


def spruce(shape):
    """The branches and the snow of a tree of height 1 on the origin."""
    branches, snow = Mesh(), Mesh()
    add_trunk(branches)
    for tier in range(TIERS):
        up = tier / (TIERS - 1)
        height, reach = 0.09 + 0.85 * up, 0.19 * (1 - up) ** 0.85 + 0.012
        top = (0, min(height + 0.10 - 0.03 * up, 1), 0)
        ring = tier_ring(shape, tier, height, reach)
        numbers = [branches.vertex(*p) for p in ring]
        tip = branches.vertex(*top)
        for a, b in zip(numbers, numbers[1:] + numbers[:1]):
            branches.faces.append((b, a, tip))
        for k in range(0, len(ring), 2):
            if random(shape, tier, k, 44) < SNOWY:
                add_pad(snow, top, ring[k], ring[k - 1], ring[(k + 1) % len(ring)])
    return branches, snow


def add_trunk(mesh):
    ring = [mesh.vertex(0.013 * x, y, 0.013 * z) for y in (-0.03, 0.2) for x, z in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    for k in range(4):
        mesh.faces.append((ring[k], ring[(k + 1) % 4], ring[4 + (k + 1) % 4], ring[4 + k]))


def tier_ring(shape, tier, height, reach):
    """Tips of branches, which hang down, and in turn the gaps between them."""
    count = BRANCHES - 5 * tier // (TIERS - 1)
    ring = []
    for k in range(count):
        angle = 2 * math.pi * (k + 0.6 * random(shape, tier, k, 41)) / count + 2.4 * tier
        length = reach * (0.62 + 0.55 * random(shape, tier, k, 42))
        droop = 0.28 * length + 0.02 * random(shape, tier, k, 43)
        ring.append((length * math.cos(angle), height - droop, length * math.sin(angle)))
        angle += math.pi / count
        gap = 0.42 * reach
        ring.append((gap * math.cos(angle), height + 0.012, gap * math.sin(angle)))
    return ring


def mix(a, b, share, lift=0.0):
    """A point between two, raised."""
    x, y, z = (p + share * (q - p) for p, q in zip(a, b))
    return (x, y + lift, z)


def add_pad(mesh, top, tip, left, right):
    """A cushion of snow on the branch to `tip`, between the gaps on its sides."""
    start, end = mix(top, tip, 0.16, 0.006), mix(top, tip, 0.99, 0.006)
    sides = [mix(top, mix(tip, gap, 0.55), 0.72, 0.006) for gap in (left, right)]
    middle = mesh.vertex(*mix(top, tip, 0.66, 0.030))
    ring = [mesh.vertex(*p) for p in (start, sides[0], end, sides[1])]
    for a, b in zip(ring, ring[1:] + ring[:1]):
        mesh.faces.append((a, b, middle))


def add_shape(glb, number):
    primitives = []
    for material, mesh in enumerate(spruce(number)):
        corners = [(face[k] - 1,) for face in mesh.faces for i in range(1, len(face) - 1) for k in (0, i, i + 1)]
        primitives.append({"attributes": {"POSITION": glb.accessor("VEC3", "f", mesh.vertices, bounds=True)},
                           "indices": glb.accessor("SCALAR", "H", corners), "material": material})
    return glb.append("meshes", {"name": f"spruce{number}", "primitives": primitives})


def woods():
    """The bytes of the file."""
    glb = Glb("woods.py")
    del glb.document["skins"], glb.document["animations"]
    for name, color in COLORS.items():
        glb.append("materials", {"name": name, "pbrMetallicRoughness": {
            "baseColorFactor": [*color, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9}})
    shapes = [add_shape(glb, number) for number in range(SHAPES)]
    for k, place, height in tree_places():
        turn, width = math.pi * random(k, 45), height * (0.85 + 0.4 * random(k, 46))
        node = {"mesh": shapes[k % SHAPES], "translation": [round(x, 2) for x in place],
                "rotation": [0, round(math.sin(turn), 4), 0, round(math.cos(turn), 4)],
                "scale": [round(x, 2) for x in (width, height, width)]}
        glb.document["scenes"][0]["nodes"].append(glb.append("nodes", node))
    return glb.bytes()
