#!/usr/bin/env python3
"""Every include under src/ and cuda/ goes to the file's own room or to a room that its row allows.

The table is read from src/README.md, so that the document cannot drift from the check. Also checked: floors
are numbered upwards, a row names only rooms of lower floors, every folder has a row, headers of outside systems
(MPI, HDF5, NCCL, CUDA) appear in sys/ and cuda/ only, and nothing includes cuda/.

usage: check_floors.py [REPOSITORY]      exit: 0 clean, 1 with one line per fault
"""

import pathlib
import re
import sys

CUDA_MAY_INCLUDE = ("base", "config", "sys", "model")
SYSTEM_HEADERS = re.compile(r"^(mpi\.h|hdf5\w*\.h|H5\w+\.h|nccl\.h|cuda\w*\.h|cublas\w*\.h)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCE_SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h"}
NOT_ROOMS = {"cmake"}


def read_rooms(text):
    """The table of src/README.md as {room: set of rooms it may include}; faults as text."""
    rooms, faults, last_floor = {}, [], -1
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 4 or not cells[0].isdigit():
            continue
        floor, room, allowed = int(cells[0]), cells[1], cells[2]
        if floor <= last_floor:
            faults.append(f"src/README.md: floor {floor} of {room} does not come after floor {last_floor}")
        last_floor = floor
        if allowed == "all above":
            rooms[room] = set(rooms)
        elif floor == 0:
            rooms[room] = set()  # libraries only
        else:
            named = {name.strip() for name in allowed.split(",")}
            for name in sorted(named - set(rooms)):
                faults.append(f"src/README.md: {room} lists {name}, which is no room of a lower floor")
            rooms[room] = named & set(rooms)
    if not rooms:
        faults.append("src/README.md: no table of rooms (| floor | room | may include | what lives there |)")
    return rooms, faults


def includes_of(path):
    """(line number, quoted, target) of every include directive of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def faults_of_file(path, place, room, rooms):
    allowed = set(CUDA_MAY_INCLUDE) if room == "cuda" else rooms[room] | {room}
    for number, quoted, target in includes_of(path):
        where = f"{place}:{number}"
        if SYSTEM_HEADERS.match(target) and room not in ("sys", "cuda"):
            yield f"{where}: {target} is included outside of sys/ and cuda/"
        if not quoted:
            continue
        first, _, rest = target.partition("/")
        if first == "cuda":
            if room != "cuda":
                yield f"{where}: nothing outside of cuda/ includes it"
        elif not rest:
            if room == "cuda" and (path.parent / target).exists():
                continue  # cuda/ is one flat folder and no include path: its files name their neighbours
            yield f'{where}: "{target}" names no room; write "room/{target}"'
        elif first not in rooms:
            yield f'{where}: "{target}": {first} is no room'
        elif first not in allowed:
            yield f"{where}: {room} may not include {first} (src/README.md)"


def room_of(relative):
    """The room of a path below the repository: src/<room>/... or cuda/...; None for src/main.cpp."""
    parts = relative.parts
    if parts[0] == "cuda":
        return "cuda"
    return parts[1] if len(parts) > 2 else None


def check(repository):
    rooms, faults = read_rooms((repository / "src" / "README.md").read_text(encoding="utf-8"))
    files = 0
    for folder in ("src", "cuda"):
        for path in sorted((repository / folder).rglob("*")):
            relative = path.relative_to(repository)
            if path.suffix not in SOURCE_SUFFIXES:
                continue
            room = room_of(relative)
            files += 1
            if room is None:
                rooms_and_main = {**rooms, "main": set(rooms)}
                faults.extend(faults_of_file(path, relative, "main", rooms_and_main))
            elif room != "cuda" and room not in rooms:
                faults.append(f"{relative}: {room} has no row in src/README.md")
            else:
                faults.extend(faults_of_file(path, relative, room, rooms))
    if files == 0:
        faults.append(f"{repository}: no source file found")
    return faults, files


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    faults, files = check(root)
    for fault in faults:
        print(fault)
    print(f"check_floors: {files} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
