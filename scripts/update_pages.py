#!/usr/bin/env python3
"""Runs the programs whose output README.md and the tutorials quote, and writes this output and their pictures to the pages.

    scripts/update_pages.py            builds the programs and updates the pages
    scripts/update_pages.py --check    changes nothing; prints the differences and ends with 1 if there are any

Seconds are not compared. Exit code 77: the photograph that the quoted numbers belong to is missing; scripts/install_packages.sh installs it."""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TUTORIALS = ROOT / "modules/multimatch/tutorials"
SHAPES = ROOT / "modules/multimatch_shapes/tutorials"
PHOTOGRAPH = pathlib.Path("/usr/share/doc/opencv-doc/examples/data/home.jpg")
# Python's cv2 belongs to the system's Python.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
DEMO_BLOCK = re.compile(r"(<!-- demo -->\n```\n).*?(```\n<!-- end of demo -->)", re.S)


class Programs:
    """Runs the programs of a folder and returns their output."""

    def __init__(self, folder, work):
        self.folder = folder
        self.work = work

    def run(self, name, *arguments):
        command = [str(self.folder / name), *map(str, arguments)]
        return subprocess.run(command, cwd=self.work, stdout=subprocess.PIPE, check=True).stdout.decode()


def build():
    targets = ("multimatch_demo tutorial_ten_lines tutorial_matrices tutorial_confidence tutorial_own_start "
               "tutorial_video")
    if os.path.exists("/usr/include/Spectra"):
        targets += " tutorial_shapes match_shapes"
    subprocess.run([str(ROOT / "scripts/build.sh")], env=dict(os.environ, TARGETS=targets), check=True)


def readme_page(programs):
    """README.md with the output of the demo, and its picture."""
    printed = programs.run("multimatch_demo")
    programs.run("multimatch_demo", "--picture=tracks.jpg")
    text, count = DEMO_BLOCK.subn(lambda found: found.group(1) + printed + found.group(2), README.read_text())
    if count != 1:
        sys.exit("update_pages.py: README.md has %d blocks <!-- demo -->, expected 1" % count)
    return {README: text}, {ROOT / "doc/tracks.jpg": programs.work / "out/tracks.jpg"}


def tutorial_pages(programs):
    """The output of the programs of the tutorials, and their pictures."""
    work = programs.work
    programs.run("multimatch_demo", "--views=5", "--points=120", "--output=views_out", "--write-views=views")
    subprocess.run([PYTHON, str(ROOT / "samples/python/camera_flight.py"), str(PHOTOGRAPH), str(work / "flight")],
                   stdout=subprocess.DEVNULL, check=True)
    printed = {
        "ten_lines": programs.run("tutorial_ten_lines", "ten_lines.jpg", *sorted((work / "views").glob("*.png"))),
        "matrices": programs.run("tutorial_matrices", "matrices.png"),
        "confidence": programs.run("tutorial_confidence", PHOTOGRAPH),
        "own_start": programs.run("tutorial_own_start", PHOTOGRAPH),
        "video": programs.run("tutorial_video", "video.jpg", work / "flight/frame_%02d.png", 1),
    }
    pictures = ("ten_lines.jpg", "matrices.png", "video.jpg")
    return ({TUTORIALS / "output" / (name + ".txt"): text for name, text in printed.items()},
            {TUTORIALS / "images" / name: work / name for name in pictures})


def shapes_page(programs):
    """The same for the tutorial of shapes; nothing where the programs were built without Spectra."""
    if not (programs.folder / "tutorial_shapes").exists():
        return {}, {}
    programs.run("match_shapes", "--example=5", "--draw=shapes.jpg", "--quiet")
    return ({SHAPES / "output/shapes.txt": programs.run("tutorial_shapes")},
            {SHAPES / "images/shapes.jpg": programs.work / "shapes.jpg"})


def without_seconds(text):
    """The text without the last column of tables whose header ends with "seconds"."""
    lines, in_table = [], False
    for line in text.splitlines():
        if in_table:
            line = re.sub(r"\s+\S+$", " *", line)
        in_table = bool(line) and (in_table or line.endswith("seconds"))
        lines.append(line)
    return lines


def differences(texts):
    """A unified diff of the pages and the current output."""
    lines = []
    for page, text in texts.items():
        quoted = page.read_text() if page.exists() else ""
        name = str(page.relative_to(ROOT))
        lines += difflib.unified_diff(without_seconds(quoted), without_seconds(text), name, "printed now", lineterm="")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--programs", metavar="DIR", type=pathlib.Path, help="folder of built programs (default: build them)")
    arguments = parser.parse_args()
    if not PHOTOGRAPH.exists():
        print("update_pages.py: there is no %s; scripts/install_packages.sh installs it" % PHOTOGRAPH, file=sys.stderr)
        sys.exit(77)
    if arguments.programs is None:
        build()
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs((arguments.programs or ROOT / "build/bin").resolve(), pathlib.Path(folder))
        texts, pictures = readme_page(programs)
        for pages in (tutorial_pages, shapes_page):
            for target, part in zip((texts, pictures), pages(programs)):
                target.update(part)
        if arguments.check:
            found = differences(texts)
            print("\n".join(found))
            sys.exit("scripts/update_pages.py updates these pages." if found else 0)
        for page, text in texts.items():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text)
        for page, picture in pictures.items():
            page.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, page)


if __name__ == "__main__":
    main()
