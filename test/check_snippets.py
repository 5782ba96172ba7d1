#!/usr/bin/env python3
"""Usage: check_snippets.py ROOT

All C++ and Python code in README.md, CONTRIBUTING.md and the other pages must be part of a program that the tests compile or run. Each
block between two blank lines is searched in samples/ and test/, ignoring indentation. Code that pages include with @snippet needs no
check."""

import pathlib
import re
import sys

CODE_BLOCK = re.compile(r"```(?:cpp|python)\n(.*?)```|@code(?:\{\.\w+\})?\n(.*?)@endcode", re.S)


def lines(text):
    """Lines without indentation, blank lines, snippet markers and trailing comments."""
    stripped = [line.strip() for line in text.splitlines() if not re.match(r"\s*(//!|##) \[", line)]
    return [re.sub(r"\s+(//|#) .*$", "", line) for line in stripped if line]


def contains(program, wanted):
    return any(program[at:at + len(wanted)] == wanted for at in range(len(program) - len(wanted) + 1))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    programs = [lines(path.read_text()) for folder in ("samples", "test", "modules/multimatch/test", "python/test")
                for path in sorted((root / folder).rglob("*")) if path.suffix in (".cpp", ".py")]
    pages = sorted(root.glob("*.md")) + sorted(root.glob("doc/*.m*")) + \
        sorted(root.glob("modules/multimatch/*.md")) + sorted(root.glob("modules/multimatch/tutorials/*.markdown")) + \
        sorted(root.glob("modules/multimatch_shapes/*.md")) + sorted(root.glob("modules/multimatch_shapes/tutorials/*.markdown")) + \
        sorted(root.glob("modules/*/include/opencv2/**/*.hpp"))
    checked, missing = 0, []
    for page in pages:
        for block in CODE_BLOCK.findall(page.read_text()):
            for piece in re.split(r"\n\s*\n", block[0] or block[1]):
                checked += 1
                if not any(contains(program, lines(piece)) for program in programs):
                    missing.append("%s: not found in any program:\n%s" % (page.relative_to(root), piece))
    print("%d pieces of code in %d pages" % (checked, len(pages)))
    if missing:
        sys.exit("\n\n".join(missing))


if __name__ == "__main__":
    main()
