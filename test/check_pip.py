#!/usr/bin/env python3
"""Usage: check_pip.py ROOT BUILD WORK

In a copy of the sources `pip install .` gives cv2_multimatch in a virtual environment that sees the system's packages, and
`python3 -m build --wheel --no-isolation` a wheel; without a network, with the library that CMake has built in BUILD. Prints SKIPPED where
pip, venv, setuptools, wheel or build are missing."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

PROGRAM = """
import pathlib, sys
import cv2, numpy as np
import cv2_multimatch as multimatch
from cv2_multimatch import exchange
assert pathlib.Path(multimatch.__file__).resolve().is_relative_to(sys.prefix), multimatch.__file__
maps = pathlib.Path("/proc/self/maps").read_text()
assert str(pathlib.Path(multimatch.__file__).resolve().parent / "libopencv_multimatch") in maps, "another library was loaded"
package = pathlib.Path(multimatch.__file__).parent
for name in ("__init__.pyi", "hloc.py", "hloc.pyi", "exchange.pyi", "py.typed", "distributed/__main__.py", "distributed/graph.py"):
    assert (package / name).exists(), name
points = [np.float32([[x, y] for x in range(5) for y in range(5)]) * 10 + v for v in range(3)]
matches = [multimatch.CoordinateMatches(i, j, points[i], points[j]) for i in range(3) for j in range(i + 1, 3)]
clustered = multimatch.clusterMatches(matches)
tracks = multimatch.HiPPI.create().synchronize(clustered.keypoints, clustered.matches, multimatch.WEIGHTS_FROM_SCORES)
print(tracks.size(), "tracks", multimatch.__version__)
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def main():
    root, build, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    for module in ("pip", "venv", "ensurepip", "setuptools", "wheel", "build"):
        if importlib.util.find_spec(module) is None:
            sys.exit("SKIPPED: there is no %s; scripts/install_packages.sh installs it" % module)
    shutil.rmtree(work, ignore_errors=True)
    clone = work / "clone"
    clone.mkdir(parents=True)
    for name in ("setup.py", "CMakeLists.txt", "LICENSE", "README.md"):
        shutil.copy2(root / name, clone / name)
    for name in ("cmake", "modules", "python"):
        shutil.copytree(root / name, clone / name, ignore=shutil.ignore_patterns("__pycache__", "images", "test"))
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    environment.update(MULTIMATCH_BUILD_DIR=str(build), PIP_NO_INDEX="1", PIP_NO_CACHE_DIR="1", PIP_DISABLE_PIP_VERSION_CHECK="1")

    venv = work / "venv"
    run(sys.executable, "-m", "venv", "--system-site-packages", venv)
    python = venv / "bin/python"
    for name, wheel in (("source", False), ("wheel", True)):
        what = "."
        if wheel:
            run(python, "-m", "pip", "uninstall", "--yes", "cv2-multimatch", env=environment)
            run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", work / "dist", cwd=clone, env=environment)
            wheels = list((work / "dist").glob("*.whl"))
            assert len(wheels) == 1 and "linux" in wheels[0].name, wheels
            what = wheels[0]
        run(python, "-m", "pip", "install", what, cwd=clone, env=environment)
        shown = run(python, "-c", PROGRAM, cwd=work, env=environment, stdout=subprocess.PIPE).stdout.decode()
        print(name, shown, end="")
        assert shown.startswith("25 tracks"), shown
    print("DONE")


if __name__ == "__main__":
    main()
