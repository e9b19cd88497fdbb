#!/usr/bin/env python3
"""Runs clang-tidy over sources. Prints the findings; exits with 1 if there is one.

usage: tests/campaign/tidy_sources.py BUILD_TREE [SOURCE ...]

The Clang Static Analyzer runs on each source alone. The other checks take about 40 seconds in the headers of libraries
each time that clang-tidy 14 runs. So they run on groups: a generated file includes up to 20 sources of one part of the
project that are compiled with the same options. A source that does not compile together with the others of its group
(two helpers of one name in anonymous namespaces) goes into a later group.

BUILD_TREE/clean has an empty file for each run without findings. Its name is a hash of everything that the run read, so
the run is not repeated until something changes.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys

SIZE = 20  # sources in a group, at most
ANALYZER = "-*,clang-analyzer-*,-clang-analyzer-optin.performance.Padding"
OTHERS = "-clang-analyzer-*"  # is added to the checks of .clang-tidy


def commandOf(entry):
    """The directory and the arguments to compile with, without source and output."""
    arguments = shlex.split(entry["command"])
    for option in ("-o", "-c"):
        at = arguments.index(option)
        del arguments[at : at + 2]
    return entry["directory"], tuple(arguments)


def pathOf(entry):
    return os.path.realpath(os.path.join(entry["directory"], entry["file"]))


def preprocessed(command, path):
    """What the compiler reads, with comments, but for the precompiled headers."""
    directory, arguments = command
    run = subprocess.run([*arguments, "-E", "-C", "-P", path], cwd=directory, capture_output=True)
    return run.stdout + run.stderr


def partOf(path):
    """The part of the project that a source belongs to: common, sim, render, or the folder of tests."""
    folders = os.path.relpath(path).split("/")
    return "/".join(folders[: 2 if folders[0] == "tests" else 1])


def divided(sources):
    count = -(-len(sources) // SIZE)
    return [sources[i * len(sources) // count : (i + 1) * len(sources) // count] for i in range(count)]


class Tidy:
    def __init__(self, tree):
        self.entries = json.load(open(f"{tree}/compile_commands.json"))
        self.groups, self.clean = os.path.abspath(f"{tree}/groups"), f"{tree}/clean"
        os.makedirs(self.groups, exist_ok=True)
        os.makedirs(self.clean, exist_ok=True)
        self.read_by_all = open(".clang-tidy", "rb").read()
        self.read_by_all += subprocess.run(["clang-tidy-14", "--version"], capture_output=True, check=True).stdout
        for entry in self.entries:
            if pathOf(entry).endswith("cmake_pch.hxx.cxx"):
                self.read_by_all += preprocessed(commandOf(entry), pathOf(entry))

    def commandsOf(self, sources):
        """The command of each source, by its path. Ends the program if one is not compiled at all."""
        wanted = {os.path.realpath(source) for source in sources}
        commands = {pathOf(entry): commandOf(entry) for entry in self.entries if pathOf(entry) in wanted}
        if wanted - commands.keys():
            sys.exit("tidy_sources.py: not compiled: " + ", ".join(sorted(wanted - commands.keys())))
        return commands

    def check(self, command, path, checks):
        """The findings in a file; "" if there are none."""
        directory, arguments = command
        key = hashlib.sha256(self.read_by_all + repr((arguments, path, checks)).encode())
        key.update(preprocessed(command, path))
        if os.path.exists(f"{self.clean}/{key.hexdigest()}"):
            return ""
        run = subprocess.run(
            ["clang-tidy-14", "--quiet", "--config-file=.clang-tidy", "--checks=" + checks,
             f"--header-filter=^{os.getcwd()}/(common|sim|render|tests)/", path, "--", *arguments[1:]],
            capture_output=True, text=True)
        if run.returncode == 0 and not run.stdout:
            open(f"{self.clean}/{key.hexdigest()}", "w").close()
            return ""
        return run.stdout or run.stderr or f"clang-tidy ended with {run.returncode} on {path}\n"

    def checkGroup(self, command, sources):
        """The findings in those sources that compile together, and the sources that are left."""
        path = f"{self.groups}/{hashlib.sha256(repr((command, sources)).encode()).hexdigest()[:16]}.cpp"
        command = command[0], (*command[1], "-Wno-shadow")  # names of one source hide those of another
        together, left = list(sources), []
        while (source := writeGroup(path, command, together)) is not None:
            together.remove(source)
            left.append(source)
        return self.check(command, path, OTHERS), left


def writeGroup(path, command, sources):
    """Writes the file that includes the sources. Returns the source that does not compile after those before it."""
    with open(path, "w") as file:
        file.writelines(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in sources)
    if len(sources) == 1:
        return None  # clang-tidy tells if it does not compile
    directory, arguments = command
    run = subprocess.run([*arguments, "-ferror-limit=1", "-fsyntax-only", path], cwd=directory, capture_output=True,
                         text=True)
    if run.returncode == 0:
        return None
    error = run.stderr[: run.stderr.find("error:")]
    return max(sources, key=lambda source: error.rfind(source + ":"))  # the one that was entered last


def main():
    tidy = Tidy(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "*.cpp"], capture_output=True, text=True, check=True).stdout.split()
    commands = tidy.commandsOf(sys.argv[2:] or listed)
    found = False

    def tell(report):
        nonlocal found
        found = found or bool(report)
        print(report, end="", flush=True)

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("FIRN_TIDY_JOBS", os.cpu_count()))) as pool:
        waiting = collections.defaultdict(list)
        for path, command in commands.items():
            waiting[command, partOf(path)].append(path)
        while waiting:
            groups = [(alike, group) for alike, sources in waiting.items() for group in divided(sources)]
            waiting = collections.defaultdict(list)
            results = pool.map(lambda group: tidy.checkGroup(group[0][0], group[1]), groups)
            for (alike, _), (report, left) in zip(groups, results):
                tell(report)
                if left:
                    waiting[alike] += left
        for report in pool.map(lambda path: tidy.check(commands[path], path, ANALYZER), commands):
            tell(report)
    print(f"clang-tidy: {len(commands)} sources, {'findings' if found else 'no findings'}")
    sys.exit(found)


main()
