"""Renders the scene that `cycles_scene scene FOLDER` wrote with Blender Cycles, on one thread of the CPU:

    blender -b -noaudio -P render.py -- FOLDER --albedo .9 .95 .99 --spp 16 --seeds 1 2 --step-rate .25

Writes FOLDER/NAME-SEED.exr and prints a line of JSON: CPU seconds of the renders, without and with preparation. Cycles
keeps its prepared scene from picture to picture, so the first picture of 1 sample pays for the preparation.

Everything that biases Cycles is off or at its limit: clamping, denoising, adaptive sampling; 1024 bounces are the most
that it allows. What remains is its ray marching, in steps of `--step-rate` voxels.
"""
import argparse
import json
import pathlib
import resource
import sys

import bpy
import mathutils


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--name", default="cycles")
    parser.add_argument("--albedo", type=float, nargs=3, required=True)
    parser.add_argument("--spp", type=int, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--step-rate", type=float, required=True)
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1:])


def set_renderer(scene, size, step_rate):
    render, cycles = scene.render, scene.cycles
    render.engine = "CYCLES"
    render.resolution_x = render.resolution_y = size
    render.resolution_percentage = 100
    render.threads_mode, render.threads = "FIXED", 1
    render.use_persistent_data = True
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_depth = "32"
    cycles.device = "CPU"
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 0.01  # samples at the centre of the pixel
    cycles.max_bounces = cycles.volume_bounces = cycles.transparent_max_bounces = 1024
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.volume_step_rate, cycles.volume_max_steps = step_rate, 65536


def snow(albedo, g):
    """A material whose extinction is the grid's value in every channel."""
    material = bpy.data.materials.new("snow")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    new, link = tree.nodes.new, tree.links.new
    extinction, both, output = new("ShaderNodeAttribute"), new("ShaderNodeAddShader"), new("ShaderNodeOutputMaterial")
    scatter, absorb = new("ShaderNodeVolumeScatter"), new("ShaderNodeVolumeAbsorption")
    extinction.attribute_name = "density"
    scatter.inputs["Anisotropy"].default_value = g
    for number, node in enumerate((scatter, absorb)):  # coefficients: colour * density, (1 - colour) * density
        node.inputs["Color"].default_value = (*albedo, 1)
        link(extinction.outputs["Fac"], node.inputs["Density"])
        link(node.outputs["Volume"], both.inputs[number])
    link(both.outputs["Shader"], output.inputs["Volume"])
    return material


def add_snow(grid, albedo, about):
    bpy.ops.object.volume_import(filepath=str(grid))
    volume = bpy.context.object
    volume.rotation_euler = (0, 0, 0)
    # OpenVDB has the value of voxel i at i, Cycles 3.4 at i + 1/2: without this shift the ball is a pixel off.
    volume.location = [-0.5 * about["voxel_m"]] * 3
    volume.data.render.precision = "FULL"
    volume.data.render.clipping = 0
    volume.data.materials.append(snow(albedo, about["g"]))


def add_camera(scene, about):
    camera = bpy.data.cameras.new("camera")
    camera.lens = about["focal_length_mm"]
    camera.sensor_width, camera.sensor_fit = about["sensor_width_mm"], "HORIZONTAL"
    camera.clip_start = 0.001
    scene.camera = bpy.data.objects.new("camera", camera)
    rows = [about["world_to_camera"][4 * row:4 * row + 4] for row in range(4)]
    scene.camera.matrix_world = mathutils.Matrix(rows).inverted()
    scene.collection.objects.link(scene.camera)


def add_lights(scene, about):
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy = about["sun_irradiance"]
    sun.angle = about["sun_diameter_deg"] * 3.14159265358979 / 180
    lamp = bpy.data.objects.new("sun", sun)
    lamp.rotation_mode = "QUATERNION"
    lamp.rotation_quaternion = mathutils.Vector(about["toward_sun"]).to_track_quat("Z", "Y")  # it shines along -z
    scene.collection.objects.link(lamp)
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (1, 1, 1, 1)
    background.inputs["Strength"].default_value = about["sky_radiance"]


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def picture(scene, path, spp, seed):
    """CPU seconds of rendering it."""
    scene.cycles.samples, scene.cycles.seed = spp, seed
    scene.render.filepath = str(path)
    before = user_seconds()
    bpy.ops.render.render(write_still=True)
    return user_seconds() - before


def main():
    asked = parse()
    folder = asked.folder.resolve()
    about = json.loads((folder / "scene.json").read_text())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    set_renderer(scene, about["picture_px"], asked.step_rate)
    add_snow(folder / "density.vdb", asked.albedo, about)
    add_camera(scene, about)
    add_lights(scene, about)

    trial = folder / f"{asked.name}-trial.exr"
    first, again = picture(scene, trial, 1, 0), picture(scene, trial, 1, 1)
    trial.unlink()
    files = [folder / f"{asked.name}-{seed}.exr" for seed in asked.seeds]
    seconds = [picture(scene, file, asked.spp, seed) for file, seed in zip(files, asked.seeds)]
    print("JSON " + json.dumps({"preparation": max(0, first - again), "render": seconds,
                                "blender": bpy.app.version_string}))


main()
