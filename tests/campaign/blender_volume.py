"""Runs in Blender: loads the exported volumes, checks their grids and places, and renders one with Cycles.

usage: blender --background --python blender_volume.py -- VOLUMES OUT
"""
import math
import sys
from pathlib import Path

import bpy
from mathutils import Vector

METRES_PER_KG = 5.45  # extinction_m2_per_kg of the shot's snow


def require(condition, text):
    if not condition:
        raise SystemExit(f"blender_volume.py: {text}")


def load(folder):
    """The volume object of the sequence in `folder`."""
    files = sorted(path.name for path in folder.glob("*.vdb"))
    require(len(files) == 2, f"{folder} has {files}; expected two volumes")
    bpy.ops.object.volume_import(
        filepath=str(folder / files[-1]), directory=str(folder) + "/", files=[{"name": files[-1]}], align="WORLD")
    volume = bpy.context.object
    require(volume is not None and volume.type == "VOLUME", "the file was not imported as a volume")
    require(volume.data.grids.load(), f"Blender cannot load it: {volume.data.grids.error_message}")
    return volume


def check_grids(volume):
    found = {grid.name: grid.data_type for grid in volume.data.grids}
    expected = {"density": "FLOAT", "vel": "VECTOR_FLOAT", "surface": "FLOAT"}
    require(found == expected, f"grids {found}; expected {expected}")
    for grid in volume.data.grids:
        require(grid.load() and grid.is_loaded, f"grid {grid.name} does not load")


def corners(volume):
    return [volume.matrix_world @ Vector(corner) for corner in volume.bound_box]


def check_place(volume):
    """The wall of the shot is vertical, the snow falls from it to the ground: it is wider than high, above z = 0."""
    low = [min(corner[axis] for corner in corners(volume)) for axis in range(3)]
    high = [max(corner[axis] for corner in corners(volume)) for axis in range(3)]
    print("bounds", [round(value, 3) for value in low], [round(value, 3) for value in high])
    require(-0.1 < low[2] < 0.1, f"the lowest snow is at z = {low[2]:.3f} m; expected the ground, z = 0")
    require(0.05 < high[2] - low[2] < 1, f"the snow is {high[2] - low[2]:.3f} m high")
    return Vector(low), Vector(high)


def use_snow(volume):
    material = bpy.data.materials.new("snow")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    scatter = nodes.new("ShaderNodeVolumePrincipled")
    scatter.inputs["Color"].default_value = (0.999, 0.9995, 0.9998, 1)
    scatter.inputs["Density"].default_value = METRES_PER_KG
    scatter.inputs["Anisotropy"].default_value = 0.5
    output = nodes.new("ShaderNodeOutputMaterial")
    material.node_tree.links.new(scatter.outputs["Volume"], output.inputs["Volume"])
    volume.data.materials.append(material)


def light_and_camera(low, high):
    for name in ("Cube", "Light", "Camera"):
        if name in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects[name])
    middle = (low + high) / 2
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 4
    sun.rotation_euler = (math.radians(50), 0, math.radians(-60))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + Vector((0.4, -1.1, 0.6)) * (high - low).length
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    for thing in (sun, camera):
        bpy.context.collection.objects.link(thing)
    scene = bpy.context.scene
    scene.camera = camera
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.1, 0.15, 0.3, 1)
    return scene


def render(scene, path):
    scene.render.engine = "CYCLES"
    scene.render.film_transparent = True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 480, 270, 100
    scene.cycles.samples = 16
    scene.cycles.volume_bounces = 64
    scene.cycles.max_bounces = 64
    scene.cycles.use_denoising = False
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(path))
    width, height = picture.size
    pixels = list(picture.pixels)
    opaque = [i for i in range(width * height) if pixels[4 * i + 3] > 0.5]
    share = len(opaque) / (width * height)
    bright = sum(pixels[4 * i + 1] for i in opaque) / max(1, len(opaque))
    print(f"snow covers {100 * share:.1f} % of the picture, mean {bright:.2f}")
    require(share > 0.02, "Cycles renders no snow")
    require(bright > 0.2, "the snow is dark")


def main():
    folder, out = (Path(argument).resolve() for argument in sys.argv[sys.argv.index("--") + 1:])
    volume = load(folder)
    check_grids(volume)
    low, high = check_place(volume)
    use_snow(volume)
    render(light_and_camera(low, high), out / "cycles.png")
    print("blender_volume.py: all is there")


main()
