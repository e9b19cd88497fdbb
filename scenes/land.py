"""The land behind scenes/snowplow.toml and roof.toml: hills, a fence, and the snow that lies on it."""
import math

from caked import add_bank, add_lump
from meshes import Mesh, along, noise, noise3, random

# Angles about y from x to z, and distances from the truck at the first frame.
HILL_DEGREES = (165, 316)
HILL_NEAR, HILL_FAR, HILL_TOP = 110.0, 640.0, 95.0
FENCE_X, POSTS = -9.9, 33
POST_HALF, SLAT_HALF = 0.055, 0.045


def hill_height(degrees, radius):
    """Of the land behind the road, m: flat near the road, then rising to ridges."""
    octaves = ((0.05, 0.55), (0.13, 0.3), (0.4, 0.1), (1.3, 0.05))  # per degree; share of the height
    ridge = sum(share * noise(degrees * per_degree, 7 + k) for k, (per_degree, share) in enumerate(octaves))
    rise = min(max((radius - HILL_NEAR) / (HILL_FAR - HILL_NEAR), 0), 1)
    x, _, z = on_land(degrees, radius, 0)
    folds = sum(0.13 * size * abs(2 * noise3((x, 0, z), size, 40 + k) - 1) for k, size in enumerate((110, 50, 23, 11)))
    return -0.5 + HILL_TOP * ridge * rise * rise * (3 - 2 * rise) + folds * rise**0.7


def on_land(degrees, radius, height):
    angle = math.radians(degrees)
    return radius * math.cos(angle), height, radius * math.sin(angle)


def hills():
    """Snow-covered land on the side to which the camera looks; an open surface."""
    mesh = Mesh(digits=1)
    radii = [HILL_NEAR + (HILL_FAR - HILL_NEAR) * k / 44 for k in range(45)]
    angles = [k / 2 for k in range(2 * HILL_DEGREES[0], 2 * HILL_DEGREES[1])]
    mesh.grid([[on_land(d, r, hill_height(d, r)) for d in angles] for r in radii])
    return mesh


def post_point(k, height):
    """A point of a post of the fence, which leans a little."""
    lean = 0.10 * (random(k, 22) - 0.5)
    return (FENCE_X + 0.12 * (random(k, 21) - 0.5) + lean * height, height, -21 + 2.5 * k)


def post_height(k):
    return 1.45 + 0.15 * random(k, 23)


def slats():
    """The ends of the slats between the posts; some are gone."""
    for k in range(POSTS - 1):
        for height in (0.55, 0.85, 1.15):
            if random(k, int(height * 100)) < 0.06:
                continue
            a, b = post_point(k, height + 0.05 * random(k, 24)), post_point(k + 1, height + 0.05 * random(k, 25))
            yield (a[0] + 0.06, a[1], a[2] - 0.1), (b[0] + 0.06, b[1], b[2] + 0.1)


def fence():
    """Posts and slats along the road, where the field of snow begins."""
    mesh = Mesh()
    for k in range(POSTS):
        mesh.add(along([post_point(k, 0.1), post_point(k, post_height(k))], POST_HALF))
    for ends in slats():
        mesh.add(along(ends, SLAT_HALF))
    return mesh


def fence_snow():
    """Snow on posts and slats of the fence."""
    mesh = Mesh(digits=3)
    for k in range(POSTS):
        x, y, z = post_point(k, post_height(k) + POST_HALF - 0.005)  # bars are longer than their lines by half a width
        add_lump(mesh, (x, y, z), (0, 1, 0), 0.075 + 0.03 * random(k, 26), (k, 27))
    for number, ends in enumerate(slats()):
        line = [(x, y + SLAT_HALF - 0.005, z) for x, y, z in ends]
        add_bank(mesh, line, 0.085, 0.06, 1000 + 10 * number, step=0.18, gaps=0.15)
    return mesh
