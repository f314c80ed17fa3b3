#!/usr/bin/env python3
"""Reports files over 300 lines and functions over 40 lines under src/ and cuda/. Never fails: size is judged by
reading, and a thought is not cut in two to please a script.

Functions are found by their braces: a block whose head holds an argument list and starts no control statement.
usage: check_sizes.py [REPOSITORY]
"""

import pathlib
import re
import sys

FILE_LIMIT, FUNCTION_LIMIT = 300, 40
SOURCE_SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh"}
CONTROL = re.compile(r"^\s*(?:\}\s*)?(if|for|while|switch|catch|do|else|try|namespace|struct|class|enum|union|extern)\b")
TEXT = re.compile(r'^[ \t]*#[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|//[^\n]*|/\*.*?\*/', re.S | re.M)


def without_text(source):
    """The source with comments, literals and directives blanked, line breaks kept, so that braces can be counted."""
    return TEXT.sub(lambda match: "\n" * match.group(0).count("\n"), source)


def functions_of(source):
    """(line of the head, lines) of every outermost function."""
    stack, head, line, head_line = [], "", 1, 1
    for character in without_text(source):
        if character == "{":
            is_function = "(" in head and not CONTROL.match(head) and not any(kind for kind, _ in stack)
            stack.append((is_function, head_line))
            head = ""
        elif character == "}":
            if stack:
                is_function, start = stack.pop()
                if is_function:
                    yield start, line - start + 1
            head = ""
        elif character == ";":
            head = ""
        else:
            if not head.strip():
                head, head_line = "", line
            head += character
        if character == "\n":
            line += 1


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    files = functions = long_files = long_functions = total_lines = 0
    for folder in ("src", "cuda"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCE_SUFFIXES:
                continue
            source = path.read_text(encoding="utf-8")
            lines = source.count("\n")
            files, total_lines = files + 1, total_lines + lines
            if lines > FILE_LIMIT:
                long_files += 1
                print(f"{path.relative_to(root)}: {lines} lines (limit {FILE_LIMIT})")
            for start, length in functions_of(source):
                functions += 1
                if length > FUNCTION_LIMIT:
                    long_functions += 1
                    print(f"{path.relative_to(root)}:{start}: function of {length} lines (limit {FUNCTION_LIMIT})")
    print(
        f"check_sizes: {files} files of {total_lines / max(files, 1):.0f} lines on average, {long_files} over {FILE_LIMIT};"
        f" {functions} functions, {long_functions} over {FUNCTION_LIMIT}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
