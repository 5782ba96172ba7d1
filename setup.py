"""Builds cv2_multimatch for pip: `pip install .` and `python3 -m build --wheel --no-isolation`.

CMake compiles the library and the Python module against the installed OpenCV; nothing is downloaded. There is no pyproject.toml, because pip would
then want setuptools from the network. The environment variable MULTIMATCH_BUILD_DIR names a folder where CMake has built the project already;
otherwise everything is compiled. CMAKE_ARGS has more options for CMake."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
PACKAGE = "cv2_multimatch"
FILES = ("__init__.py", "__init__.pyi", "_files.py", "hloc.py", "exchange.py", "py.typed")


def version():
    header = (ROOT / "modules/multimatch/include/opencv2/multimatch/version.hpp").read_text()
    return ".".join(re.search(r"#define CV_MULTIMATCH_VERSION_%s (\d+)" % part, header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


class CMakeBuild(build_ext):
    """Runs CMake and copies the extension and the library that it needs into the package."""

    def run(self):
        build = os.environ.get("MULTIMATCH_BUILD_DIR")
        if not build:
            build = str(pathlib.Path(self.build_temp).resolve() / "cmake")
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DMULTIMATCH_BUILD_TESTS=OFF", "-DMULTIMATCH_BUILD_SAMPLES=OFF",
                       "-DMULTIMATCH_BUILD_BENCHMARKS=OFF", "-DPython_EXECUTABLE=" + sys.executable]
            subprocess.run(["cmake", "-S", str(ROOT), "-B", build, *options, *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
            subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count() or 1), "--target", "multimatch_python"], check=True)
        stage = pathlib.Path(self.build_temp).resolve() / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        for component in ("python", "library"):
            subprocess.run(["cmake", "--install", build, "--prefix", str(stage), "--component", component], check=True)
        target = (ROOT if self.inplace else pathlib.Path(self.build_lib)) / PACKAGE
        target.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy2(next(stage.rglob(name)), target / name)
        for pattern in ("_native*.so", "libopencv_multimatch.so.*"):
            # Of the library the name that the extension asks for, not the link to it.
            found = sorted(path for path in stage.rglob(pattern) if path.is_file())
            if not found:
                sys.exit("setup.py: %s has no %s" % (build, pattern))
            shutil.copyfile(found[0], target / found[0].name)
            (target / found[0].name).chmod(0o755)


# Beside the folders of CMake, and ignored by git like them.
WORK = ROOT / "build-pip"
WORK.mkdir(exist_ok=True)
setup(
    name="cv2-multimatch",
    version=version(),
    description="Multi-image matching for OpenCV: cycle-consistent tracks over many views",
    license="Apache-2.0",
    python_requires=">=3.7",
    packages=[],
    # An extension makes the wheel one for this platform; the sources are CMake's.
    ext_modules=[Extension(PACKAGE + "._native", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}, "bdist_wheel": {"bdist_dir": str(WORK / "wheel")}},
    zip_safe=False,
)
