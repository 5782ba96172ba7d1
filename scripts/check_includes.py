#!/usr/bin/env python3
"""Checks the include graph between the folders of modules/multimatch/src.

Fails where folders include each other in a cycle, where a file outside io includes io, where a header that is included
does not exist, and where doc/design.md names a source that does not exist. With --graph it prints which folder includes
which.
"""
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SOURCE = os.path.join(ROOT, "modules", "multimatch", "src")
DESIGN = os.path.join(ROOT, "doc", "design.md")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def sources():
    for folder, _, names in os.walk(SOURCE):
        for name in sorted(names):
            if name.endswith((".cpp", ".hpp")):
                yield os.path.join(folder, name)


def folder_of(path):
    return os.path.dirname(os.path.relpath(path, SOURCE)) or "."


def include_graph(faults):
    """Per folder the other folders that it includes, each with one example."""
    graph = {}
    for path in sources():
        edges = graph.setdefault(folder_of(path), {})
        with open(path, encoding="utf-8") as text:
            names = INCLUDE.findall(text.read())
        for name in names:
            if name.startswith("opencv2/") or name.endswith(".simd_declarations.hpp"):  # the build writes the latter
                continue
            header = os.path.normpath(os.path.join(os.path.dirname(path), name))
            example = "%s includes %s" % (os.path.relpath(path, SOURCE), name)
            if not os.path.isfile(header):
                faults.append(example + ", which does not exist")
            elif folder_of(header) != folder_of(path):
                edges.setdefault(folder_of(header), example)
    return graph


def find_cycle(graph):
    """The folders of one cycle, the first repeated at the end; empty where there is none."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return []
        path.append(folder)
        for other in sorted(graph.get(folder, {})):
            cycle = visit(other)
            if cycle:
                return cycle
        done.add(path.pop())
        return []

    for folder in sorted(graph):
        cycle = visit(folder)
        if cycle:
            return cycle
    return []


def missing_sources():
    """The sources that the description of the design names with their folder and that do not exist."""
    with open(DESIGN, encoding="utf-8") as text:
        names = re.findall(r"`(\w+/[\w*]+\.[ch]pp)`", text.read())
    return [name for name in names if not glob.glob(os.path.join(SOURCE, name))]


def main():
    faults = ["doc/design.md names %s, which does not exist" % name for name in missing_sources()]
    graph = include_graph(faults)
    if "--graph" in sys.argv[1:]:
        for folder in sorted(graph):
            print("%s: %s" % (folder, " ".join(sorted(set(graph[folder]) - {"."}))))
    for folder, edges in sorted(graph.items()):
        if "io" in edges:
            faults.append(edges["io"] + ": io must stay a part that a build can leave out")
    cycle = find_cycle(graph)
    for folder, other in zip(cycle, cycle[1:]):
        faults.append("cycle %s: %s" % (" -> ".join(cycle), graph[folder][other]))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
