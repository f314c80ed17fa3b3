#!/usr/bin/env python3
"""Every header under src/ compiles alone, and says that it is to be read once.

A header that a source file of the build includes before all others is compiled alone there: the build checks it.
Each other one becomes a source file of one line, compiled with the flags of a configured build folder
(compile_commands.json); ccache, where installed, makes an unchanged header free.

usage: check_headers.py BUILD_FOLDER [REPOSITORY]
exit:  0 clean, 1 a header fails (the compiler's words are shown), 2 the build folder is not configured
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

FLAGS_WITH_VALUE = ("-I", "-isystem", "-D")


def flags_of(entries):
    """Include paths, definitions, language flags and switched-off warnings of all sources, each once, in order."""
    flags = ["-std=c++20"]
    for entry in entries:
        if entry["file"].endswith(".cu"):
            continue
        words = iter(shlex.split(entry["command"]))
        for word in words:
            if word in FLAGS_WITH_VALUE:
                pair = (word, next(words))
            elif word.startswith(("-I", "-D", "-fopenmp", "-Wno-")):
                pair = (word,)
            else:
                continue
            if not any(tuple(flags[i : i + len(pair)]) == pair for i in range(len(flags))):
                flags.extend(pair)
    return flags


def checked_by_build(build, entries, source_root):
    """The headers that come first in a source file which the build compiles."""
    first = re.compile(r'^#include (\S+)', re.MULTILINE)
    checked = set()
    for entry in entries:
        source = build / entry["file"]
        if source.is_relative_to(source_root) and (found := first.search(source.read_text())):
            checked.add(source_root / found.group(1).strip('"'))
    return checked


def compile_alone(header, flags, folder, source_root):
    """Compiler output if the header does not compile alone, otherwise an empty text."""
    name = str(header.relative_to(source_root)).replace("/", "_")
    source = folder / f"{name}.cpp"
    include = f'#include "{header.relative_to(source_root)}"\n'
    if not source.exists() or source.read_text() != include:
        source.write_text(include)
    launcher = ["ccache"] if shutil.which("ccache") else []
    command = [*launcher, os.environ.get("CXX", "c++"), "-Wall", "-Wextra", "-Wshadow", "-Werror", *flags]
    command += ["-O0", "-c", str(source), "-o", str(source.with_suffix(".o"))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode != 0 else ""


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    build = pathlib.Path(sys.argv[1])
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    if not (build / "compile_commands.json").exists():
        print(f"check_headers: {build} is not configured; run cmake --preset ci")
        return 2
    headers = sorted((root / "src").rglob("*.hpp"))
    entries = json.loads((build / "compile_commands.json").read_text())
    flags = flags_of(entries)
    folder = build / "headers"
    folder.mkdir(exist_ok=True)
    unguarded = [header for header in headers if "\n#pragma once\n" not in header.read_text()]
    checked = checked_by_build(build, entries, root / "src")
    others = [header for header in headers if header not in checked]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = pool.map(lambda header: compile_alone(header, flags, folder, root / "src"), others)
        failed = [(header, output) for header, output in zip(others, outputs) if output]
    for header in unguarded:
        print(f"{header.relative_to(root)} has no #pragma once")
    for header, output in failed:
        print(f"{header.relative_to(root)} does not compile alone:\n{output}")
    faults = len(unguarded) + len(failed)
    print(f"check_headers: {len(headers)} headers, {len(headers) - len(others)} of them left to the build, {faults} faults")
    return 1 if faults or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
