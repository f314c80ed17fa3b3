#!/usr/bin/env python3
"""Counts what ctest wrote with --output-junit. Prints "passed failed skipped" as three numbers.

A test that could not even start (its program is missing) counts as failed; only one that said it skips is skipped.
usage: count_results.py FILE.xml
"""

import sys
import xml.etree.ElementTree


def count(path):
    passed = failed = skipped = 0
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        note = case.find("skipped")
        if case.get("status") == "run":
            passed += 1
        elif case.get("status") == "disabled" or (note is not None and note.get("message", "").startswith("SKIP_")):
            skipped += 1
        else:
            failed += 1
    return passed, failed, skipped


if __name__ == "__main__":
    print(*count(sys.argv[1]))
