#!/usr/bin/env python3
"""Writes boot.glb: the left boot of walker.py with a part of the leg, as one rigid body.

    python3 scenes/boot.py            writes boot.glb beside this file, the same bytes every time
    python3 scenes/boot.py --check    writes nothing; fails if boot.glb differs

The origin is below the ankle, at the height of the sole's lowest point; the toe points along z. Metres.
"""
from pathlib import Path

import walker as body
from glb_file import Glb
from script_files import save

CELL = 0.006                        # finer than the walker's, because this boot is seen from near
LEG_LOW, LEG_HIGH = 0.17, 0.62      # heights where the trouser leg begins and ends


def leg():
    shape = body.union(0.02, body.rounded_cone((0, LEG_LOW, -0.014), (0, 0.33, -0.022), 0.078, 0.070),
                       body.rounded_cone((0, 0.33, -0.022), (0, LEG_HIGH, -0.012), 0.070, 0.076))

    def folds(p):
        wave = body.math.sin(95 * p[1] + 1.4 * body.math.sin(2 * body.math.atan2(p[0], p[2] + 0.015) + 0.5))
        return shape(p) - 0.004 * body.bell(p[1] - 0.22, 0.09) * wave
    return body.cut(body.cut(folds, lambda p: LEG_LOW + 0.012 - p[1] + 0.01 * body.math.sin(11 * p[2])),
                    lambda p: p[1] - LEG_HIGH)


PARTS = {'boot': (body.boot, *body.PARTS['boot'][1:3], CELL),
         'trousers': (leg, (-0.12, 0.14, -0.14), (0.12, 0.66, 0.12), 0.012)}


def add_part(glb, part, materials):
    make, low, high, cell = PARTS[part]
    vertices, quads = body.manifold(make(), low, high, cell)
    attributes = {'POSITION': glb.accessor('VEC3', 'f', vertices, bounds=True)}
    triangles = body.triangles_of(quads, vertices)
    primitives = []
    for name, material in materials.items():
        chosen = [(i,) for t in triangles if name == body.name_of(part, [vertices[i] for i in t]) for i in t]
        if chosen:
            primitives.append({'attributes': attributes, 'indices': glb.accessor('SCALAR', 'H', chosen),
                               'material': material})
    mesh = glb.append('meshes', {'name': part, 'primitives': primitives})
    glb.document['scenes'][0]['nodes'].append(glb.append('nodes', {'name': part, 'mesh': mesh}))


def main():
    glb = Glb('walker.py')
    del glb.document['skins'], glb.document['animations']
    materials = body.add_materials(glb, ('boot', 'sole', 'collar', 'trousers'))
    for part in PARTS:
        add_part(glb, part, materials)
    save({Path(__file__).with_suffix('.glb'): glb.bytes()})


if __name__ == '__main__':
    main()
