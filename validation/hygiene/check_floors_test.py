#!/usr/bin/env python3
"""The floors check finds each kind of fault it promises to find, and nothing in a clean tree."""

import pathlib
import sys
import tempfile

import check_floors

TABLE = """
| floor | room | may include | what lives there |
|---|---|---|---|
| 0 | base | standard library | |
| 1 | config | base | |
| 2 | sys | base | |
| 3 | train | all above | |
"""

# (file, its text, a word that the fault must hold; None: clean)
CASES = [
    ("src/config/a.hpp", '#include "base/b.hpp"\n#include <vector>\n', None),
    ("src/train/a.hpp", '#include "sys/b.hpp"\n#include "train/c.hpp"\n', None),
    ("src/sys/a.cpp", "#include <mpi.h>\n", None),
    ("src/main.cpp", '#include "train/a.hpp"\n', None),
    ("cuda/a.cpp", '#include "sys/a.hpp"\n#include <cuda_runtime_api.h>\n', None),
    ("src/base/a.hpp", '#include "config/b.hpp"\n', "base may not include config"),
    ("src/sys/a.hpp", '#include "config/b.hpp"\n', "sys may not include config"),
    ("src/config/a.hpp", "#include <mpi.h>\n", "outside of sys/"),
    ("src/config/a.hpp", '#include "b.hpp"\n', "names no room"),
    ("src/config/a.hpp", '#include "nowhere/b.hpp"\n', "nowhere is no room"),
    ("src/config/a.hpp", '#include "cuda/b.hpp"\n', "nothing outside of cuda/"),
    ("src/attic/a.hpp", "#include <vector>\n", "has no row"),
    ("cuda/a.cpp", '#include "train/a.hpp"\n', "cuda may not include train"),
]


def faults_of(name, text, table=TABLE):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, content in (("src/README.md", table), (name, text)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content)
        return check_floors.check(root)[0]


def main():
    wrong = []
    for name, text, word in CASES:
        faults = faults_of(name, text)
        if bool(faults) != (word is not None) or (word and word not in faults[0]):
            wrong.append(f"{name} with {text!r}: expected {word!r}, found {faults}")
    if not faults_of("src/base/a.hpp", "", TABLE.replace("| 1 | config | base |", "| 1 | config | train |")):
        wrong.append("a row that names a room of a higher floor is not found")
    if not faults_of("src/base/a.hpp", "", "no table\n"):
        wrong.append("a missing table is not found")
    for line in wrong:
        print(line)
    print(f"check_floors_test: {len(CASES) + 2} cases, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
