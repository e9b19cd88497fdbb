"""Includes follow the layers of docs/overview.md: no folder includes a higher one, and no two components (a header with
its source) include each other, directly or over others.

    include_graph_test.py SOURCE_FOLDER
"""

import pathlib
import re
import sys

BASE = ["common", "common/io"]
FOR_SIMULATION = BASE + ["common/cache", "common/scene", "common/body", "common/snow"]
FOR_RENDERING = FOR_SIMULATION + ["common/image"]
FOR_PROGRAMS = FOR_RENDERING + ["common/page", "common/compare", "common/cli"]

# What the files of a folder may include beside those of their own folder.
MAY_INCLUDE = {
    "common": [],
    "common/io": ["common"],
    "common/simd": ["common"],
    "common/cache": BASE,
    "common/scene": BASE + ["common/cache"],
    "common/body": BASE + ["common/scene", "common/image"],
    "common/snow": BASE + ["common/image", "common/scene", "common/body"],
    "common/image": BASE,
    "common/page": BASE,
    "common/compare": BASE + ["common/image", "common/page"],
    "common/cli": BASE + ["common/scene"],
    "sim/simd": ["common", "common/simd"],
    "sim/material": ["common", "common/scene", "common/simd", "sim/simd"],
    "sim": FOR_SIMULATION + ["common/simd", "sim/simd", "sim/material"],
    "sim/cli": FOR_PROGRAMS + ["sim"],
    "render/sky": ["common", "common/image"],
    "render": FOR_RENDERING + ["common/simd", "render/sky"],
    "render/denoise": ["common", "common/io", "common/image"],
    "render/export": FOR_RENDERING + ["common/cache", "render"],
    "render/playblast": FOR_RENDERING + ["render"],
    "render/cli": FOR_PROGRAMS + ["render", "render/denoise", "render/export", "render/playblast"],
}
MAINS = {"sim/main.cpp": ["common", "common/io", "common/cli", "sim/cli"],
         "render/main.cpp": ["common", "common/io", "common/cli", "render/cli"]}

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def folder_of(file):
    return file.rsplit("/", 1)[0]


def component_of(file):
    """A header and the source of the same name."""
    return file.rsplit(".", 1)[0]


def includes_of(root):
    """{file: [included file]} of all sources of the programs, by paths from `root`."""
    graph = {}
    for top in ("common", "sim", "render"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                graph[path.relative_to(root).as_posix()] = INCLUDE.findall(path.read_text())
    return graph


def forbidden(graph):
    """Lines about includes that the layers do not allow."""
    for file, includes in graph.items():
        folder = folder_of(file)
        if folder not in MAY_INCLUDE:
            yield f"{file}: its folder has no entry in MAY_INCLUDE"
            continue
        allowed = MAINS.get(file, MAY_INCLUDE[folder] + [folder])
        for include in includes:
            if include not in graph:
                yield f'{file}: #include "{include}": no such file; expected a path from the top folder'
            elif folder_of(include) not in allowed:
                yield f'{file}: #include "{include}": {folder} must not include {folder_of(include)}'


def cycles(graph):
    """Lines about components that include each other."""
    edges = {}
    for file, includes in graph.items():
        targets = edges.setdefault(component_of(file), set())
        targets.update(component_of(include) for include in includes if include in graph)
        targets.discard(component_of(file))
    done, path = set(), []

    def visit(component):
        if component in path:
            yield "a cycle: " + " -> ".join(path[path.index(component):] + [component])
            return
        if component in done:
            return
        path.append(component)
        for target in sorted(edges.get(component, ())):
            yield from visit(target)
        path.pop()
        done.add(component)

    for component in sorted(edges):
        yield from visit(component)


def finds_faults():
    """The test itself: a wrong layer, an unknown file and a cycle are found."""
    wrong = {"common/io/a.h": ["sim/b.h", "common/io/none.h"], "sim/b.h": ["sim/c.h"], "sim/c.cpp": ["sim/b.h"],
             "sim/c.h": []}
    return len(list(forbidden(wrong))) == 2 and len(list(cycles(wrong))) == 1


def main():
    assert finds_faults()
    graph = includes_of(pathlib.Path(sys.argv[1]))
    faults = list(forbidden(graph)) + list(cycles(graph))
    for fault in faults:
        print(fault)
    print(f"{len(graph)} files, {sum(map(len, graph.values()))} includes, {len(faults)} faults")
    return 1 if faults or len(graph) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
