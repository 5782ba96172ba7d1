#!/usr/bin/env bash
# Usage: scripts/make_contrib_patch.sh DIR
#
# Writes DIR/modules/multimatch as it would be sent to opencv_contrib: the module alone, with the part of CMakeLists.txt
# that OpenCV's build uses, sources, tests, performance tests, Python tests, documentation and tutorials, and as samples the
# programs that the tutorials quote. It needs no third-party code; Eigen and SQLite are used where OpenCV's build finds
# them. Nothing is compiled here; MODULES=DIR/modules scripts/build_in_opencv.sh does that.
set -euo pipefail

if [ $# -ne 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -eq 1 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source=$root/modules/multimatch
target=$1/modules/multimatch
if [ -e "$target" ] && [ ! -f "$target/CMakeLists.txt" ]; then
    echo "$target exists and is not a module; it stays as it is." >&2
    exit 1
fi
rm -rf "$target"
mkdir -p "$target/samples"

cp -r "$source"/{include,src,test,perf,misc,doc,tutorials} "$source/README.md" "$target"
find "$target" -name __pycache__ -prune -exec rm -rf {} +
cp "$root"/samples/tutorials/*.cpp "$root"/samples/python/{camera_flight,plot_tracks,essential_matrix,dense_tracks}.py "$target/samples"
# Documentation includes texts from samples and doc only.
mv "$target"/tutorials/output/*.txt "$target/doc"
rmdir "$target/tutorials/output"

python3 - "$root" "$source" "$target" <<'PYTHON'
import pathlib
import re
import sys
import textwrap

root, source, target = map(pathlib.Path, sys.argv[1:])

# The part for OpenCV's own build.
lines = (source / "CMakeLists.txt").read_text()
inside = re.search(r"^if\(DEFINED OPENCV_INITIAL_PASS\)\n(.*?)^  return\(\)\nendif\(\)\n", lines, re.S | re.M)
(target / "CMakeLists.txt").write_text(textwrap.dedent(inside.group(1)))

# Pages: no sections on programs that are not part of the module, and samples where contrib has them.
for page in target.glob("tutorials/*.markdown"):
    text = page.read_text()
    text = re.sub(r"<!-- program -->\n.*?<!-- end of program -->\n\n?", "", text, flags=re.S)
    text = re.sub(r"@snippet (?:tutorials|python)/", "@snippet multimatch/samples/", text)
    text = text.replace("@verbinclude ", "@verbinclude multimatch/doc/")
    text = re.sub(r"`samples/(?:tutorials|python)/", "`samples/", text)
    page.write_text(text)

# OpenCV builds every file of samples as a program of its own, so the views that two of them match are made by a header.
common = root / "samples/common"
header, source_text = ((common / name).read_text() for name in ("photo_sequence.hpp", "photo_sequence.cpp"))
body = source_text[source_text.index("#include"):].replace('#include "photo_sequence.hpp"\n', "", 1)
body = re.sub(r"^(?=[\w:<>]+(?: [\w:<>]+)* (?:makePhotoSequence|examplePhotographs|renderedPhotograph)\()", "inline ", body, flags=re.M)
(target / "samples/photo_sequence.hpp").write_text(header[:header.rindex("#endif")] + body.strip() + "\n\n#endif\n")

# Nothing may refer to what stays behind.
faults = []
for path in sorted(target.glob("samples/*.?pp")):
    for name in re.findall(r'^#include "((?!opencv2/)[^"]+)"', path.read_text(), re.M):
        if not (path.parent / name).is_file():
            faults.append("%s includes %s, which is not there" % (path.name, name))
absent = re.compile(r"multimatch_tracks|multimatch_bench|scripts/|samples/(?:common|bench|tutorials|python)/|doc/benchmarks")
for path in sorted(p for p in target.rglob("*") if p.suffix in (".markdown", ".md", ".hpp", ".cpp", ".txt")):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if absent.search(line):
            faults.append("%s:%d: %s" % (path.relative_to(target), number, line.strip()))
for page in target.glob("tutorials/*.markdown"):
    for name in re.findall(r"(?:@snippet|@verbinclude) multimatch/(\S+)|`(samples/\S+)`", page.read_text()):
        if not (target / (name[0] or name[1])).is_file():
            faults.append("%s refers to %s, which is not there" % (page.name, name[0] or name[1]))
if faults:
    sys.exit("What stays behind is referred to:\n" + "\n".join(faults))

# OpenCV's style guide: the license header, lower-case names, no tabs.
for path in sorted(p for p in target.rglob("*") if p.is_file()):
    name = str(path.relative_to(target))
    if name != name.lower() and path.name not in ("README.md", "CMakeLists.txt"):
        faults.append("%s has upper-case letters in its name" % name)
    if path.suffix in (".cpp", ".hpp"):
        text = path.read_text()
        if not text.startswith("// This file is part of OpenCV project.\n"):
            faults.append("%s has no license header" % name)
        if "\t" in text:
            faults.append("%s has tabs" % name)
if faults:
    sys.exit("\n".join(faults))
PYTHON

# Line ends and white space as opencv_contrib's checks ask for.
if grep -rnI -E '[[:space:]]+$' "$target" --include='*.?pp' --include='*.py' --include='*.txt' --include='*.m*' | grep -v '/doc/.*\.txt:'; then
    echo "White space at the end of lines." >&2
    exit 1
fi
echo "wrote $target: $(find "$target" -type f | wc -l) files"
