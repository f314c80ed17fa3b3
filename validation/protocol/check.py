#!/usr/bin/env python3
"""Searches every run of the protocol models (ring.pml, tokens.pml) with the model checker spin.

Each model as it stands must have no run that breaks an assertion or gets stuck. Each fault of its list, put in on purpose,
must be found: so a search that looks at nothing fails. "seen" does that for the cases a search shall come by.

usage: check.py
exit:  0 all as it should be, 1 not, 2 spin or the C compiler failed, 77 one of them is not installed
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
COMPILER = os.environ.get("CC", "cc")
SKIPPED = 77
MEMORY_MIB = 2000
SECONDS = 300

SOUND = [
    ("ring.pml", ""),
    ("tokens.pml", ""),
    ("tokens.pml", "STALENESS=0"),
    ("tokens.pml", "SYNC STEPS=6"),
]
FAULTY = [
    ("ring.pml", "SEEN"),
    ("ring.pml", "NO_FLUSH"),
    ("ring.pml", "EARLY_CREDIT"),
    ("ring.pml", "ROOM_OFF_BY_ONE"),
    ("ring.pml", "READER_SKIPS_NOTHING"),
    ("ring.pml", "STINGY_CREDIT"),
    ("tokens.pml", "SEEN"),
    ("tokens.pml", "SEEN SYNC"),
    ("tokens.pml", "BLOCKING_SEND STALENESS=2"),
    ("tokens.pml", "PUSH_AND_CANCEL"),
    ("tokens.pml", "NO_BOUND"),
    ("tokens.pml", "FINAL_EARLY"),
    ("tokens.pml", "LOST_TOKEN"),
    ("tokens.pml", "SYNC NO_GATE"),
    ("tokens.pml", "SYNC LOST_TOKEN"),
]


class ToolFailed(Exception):
    """spin, the compiler or the search did not do its work."""


def call(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    if result.returncode != 0 and "errors:" not in result.stdout:
        raise ToolFailed(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def search(model, definitions):
    """(states, what was found first or an empty text) of a search over every run."""
    with tempfile.TemporaryDirectory() as folder:
        flags = [f"-D{word}" for word in definitions.split()]
        call(["spin", "-a", *flags, str(FOLDER / model)], folder)
        call([COMPILER, "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", f"-DMEMLIM={MEMORY_MIB}", "-o", "pan", "pan.c"], folder)
        report = call(["./pan", "-m100000"], folder)
    # A search cut short has an answer too: it is none.
    if "max search depth too small" in report or "reached -DMEMLIM" in report or "Search not completed" in report and "pan:1:" not in report:
        raise ToolFailed(f"the search of {model} {definitions} was cut short:\n{report}")
    states = int(re.search(r"(\d+) states, stored", report).group(1))
    found = re.search(r"^pan:1: (.*?) \(at depth", report, re.MULTILINE)
    return states, found.group(1) if found else ""


def judge(case):
    model, definitions = case
    states, found = search(model, definitions)
    right = bool(found) == (case in FAULTY)
    words = f"found: {found}" if found else "nothing found"
    return right, f"{'ok    ' if right else 'WRONG '} {model:<10} {definitions:<26} {states:>8} states, {words}"


def main():
    if len(sys.argv) > 1:
        print(__doc__)
        return 2
    for tool in ("spin", COMPILER):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed (validation/install_dependencies.sh --tests)")
            return SKIPPED
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            for right, line in pool.map(judge, SOUND + FAULTY):
                print(line, flush=True)
                wrong += not right
        except (ToolFailed, subprocess.TimeoutExpired) as failure:
            print(failure)
            return 2
    print(f"check: {len(SOUND)} models searched, {len(FAULTY)} faults put in, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
