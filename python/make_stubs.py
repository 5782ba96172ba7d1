#!/usr/bin/env python3
"""Usage: make_stubs.py FOLDER_OF_THE_PACKAGE

Writes __init__.pyi and, where there is the submodule shapes, shapes.pyi, the type stubs of cv2_multimatch, from the signatures in the docstrings of pybind11."""

import importlib
import inspect
import pathlib
import re
import sys

HEADER = '''"""Type stubs of cv2_multimatch."""

from typing import Callable, Optional, Sequence, Tuple, overload

import cv2
import numpy as np

__version__: str
'''
SHAPES_HEADER = '''"""Type stubs of cv2_multimatch.shapes."""

from typing import Callable, Optional, Sequence, Tuple

import numpy as np

from . import Progress, Tracks
'''
# Callers can pass more types than pybind11 documents.
ARGUMENT_TYPES = {
    "List[List[cv2.KeyPoint]]": "Sequence[Sequence[cv2.KeyPoint]]",
    "List[numpy.ndarray]": "Sequence[Optional[np.ndarray]]",
    "List[List[int]]": "Sequence[Sequence[int]]",
    "List[List[float]]": "Sequence[Sequence[float]]",
    "List[float]": "Sequence[float]",
    "List[int]": "Sequence[int]",
    "List[PairMatches]": "Sequence[PairMatches]",
    "List[CoordinateMatches]": "Sequence[CoordinateMatches]",
    "List[Size]": "Sequence[Tuple[int, int]]",
    "function": "Callable[[int, int], object]",
    "List[Tuple[numpy.ndarray, numpy.ndarray]]": "Sequence[Tuple[np.ndarray, np.ndarray]]",
    "numpy.ndarray": "np.ndarray",
}
# pybind11 does not document the types in a tuple.
RESULT_TYPES = {
    "track": "Tuple[Observation, ...]",
    "matches": "Tuple[cv2.DMatch, ...]",
    "points2d": "Tuple[np.ndarray, ...]",
    "matchPairs": "Tuple[PairMatches, ...]",
    "matchPointPairs": "Tuple[PairMatches, ...]",
    "matchImages": "Tuple[Tracks, Tuple[Tuple[cv2.KeyPoint, ...], ...]]",
    "refineKeyPoints": "Tuple[Tuple[cv2.KeyPoint, ...], ...]",
    "reportPairs": "Tuple[PairReport, ...]",
    "readMesh": "Tuple[np.ndarray, np.ndarray]",
    "exampleShape": "Tuple[np.ndarray, np.ndarray]",
    "laplaceSpectrum": "Tuple[np.ndarray, np.ndarray, np.ndarray]",
    "matchShapes": "Tuple[Tracks, Tuple[np.ndarray, ...]]",
}
ARGUMENTS_BY_NAME = {
    "features": "object",
    "masks": "Optional[Sequence[Optional[np.ndarray]]]",
    "scores": "Optional[np.ndarray]",
}
ATTRIBUTE_TYPES = {
    "ClusteredMatches.keypoints": "Tuple[Tuple[cv2.KeyPoint, ...], ...]",
    "ClusteredMatches.matches": "Tuple[PairMatches, ...]",
    "ClusteredMatches.places": "Tuple[np.ndarray, ...]",
    "ClusteredMatches.pointsOfRows": "Tuple[np.ndarray, ...]",
}
CALLBACK = "Optional[Callable[[Progress], Optional[bool]]]"


def argument_type(name, text):
    if name == "callback":
        return CALLBACK
    if name in ARGUMENTS_BY_NAME and text in ("object", "numpy.ndarray"):
        return ARGUMENTS_BY_NAME[name]
    if text == "object":
        return "Optional[np.ndarray]"
    text = text.replace("cv2_multimatch._native.", "").replace("shapes.", "")
    return ARGUMENT_TYPES.get(text, text)


def result_type(name, text):
    text = text.replace("cv2_multimatch._native.", "")
    text = re.sub(r"numpy.ndarray(\[.*\])?", "np.ndarray", text)
    return RESULT_TYPES.get(name, text)


def split(arguments):
    """Splits at commas outside of brackets."""
    depth = 0
    start = 0
    for position, letter in enumerate(arguments):
        depth += (letter in "[<(") - (letter in "]>)")
        if letter == "," and depth == 0:
            yield arguments[start:position].strip()
            start = position + 1
    if arguments:
        yield arguments[start:].strip()


def signatures(name, function):
    """Argument list and result type of every overload."""
    found = []
    for line in (function.__doc__ or "").splitlines():
        match = re.match(r"(?:\d+\. )?" + re.escape(name) + r"\((.*)\) -> (.*)$", line)
        if not match or "*args" in match.group(1):
            continue
        arguments = []
        for argument in split(match.group(1)):
            name_and_type, _, default = argument.partition(" = ")
            argument, _, kind = name_and_type.partition(": ")
            if argument == "self":
                arguments.append("self")
            else:
                arguments.append("%s: %s%s" % (argument, argument_type(argument, kind), " = ..." if default else ""))
        signature = "(%s) -> %s" % (", ".join(arguments), result_type(name, match.group(2)))
        if signature not in found:
            found.append(signature)
    return found


def function_stubs(name, function, indent="", static=False):
    found = signatures(name, function)
    for signature in found:
        if len(found) > 1:
            yield indent + "@overload"
        if static:
            yield indent + "@staticmethod"
        yield "%sdef %s%s: ..." % (indent, name, signature)


def attribute_type(cls, name, value):
    if isinstance(value, int):
        return "int"
    if "%s.%s" % (cls.__name__, name) in ATTRIBUTE_TYPES:
        return ATTRIBUTE_TYPES["%s.%s" % (cls.__name__, name)]
    if name == "stages":
        return "Tuple[str, ...]"
    if cls.__name__ == "Progress":
        return "str" if name == "stage" else "float"
    kind = type(getattr(cls(), name))
    return {"ndarray": "np.ndarray", "tuple": "Tuple[cv2.DMatch, ...]"}.get(kind.__name__, kind.__name__)


def class_stub(name, cls):
    bases = [base.__name__ for base in cls.__bases__ if base.__name__ != "pybind11_object"]
    yield "class %s%s:" % (name, "(%s)" % bases[0] if bases else "")
    yield '    """%s"""' % inspect.getdoc(cls).splitlines()[0]
    for member, value in vars(cls).items():
        if isinstance(value, property) or (isinstance(value, int) and not member.startswith("_")):
            yield "    %s: %s" % (member, attribute_type(cls, member, value))
    for member, value in vars(cls).items():
        if isinstance(value, (property, int)) or (member.startswith("_") and member != "__init__"):
            continue
        yield from function_stubs(member, getattr(cls, member), "    ", isinstance(value, staticmethod))


def stubs(module, names, header):
    yield header
    values = [(name, getattr(module, name)) for name in names]
    for name, value in values:
        if isinstance(value, int):
            yield "%s: int" % name
    for name, value in values:
        if isinstance(value, type):
            yield "\n"
            yield from class_stub(name, value)
    yield "\n"
    for name, value in values:
        if callable(value) and not isinstance(value, type):
            yield from function_stubs(name, value)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    package = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(package.parent))
    sys.dont_write_bytecode = True
    module = importlib.import_module(package.name)
    header = HEADER
    shapes = getattr(module, "shapes", None)
    if shapes:
        header += "\nfrom . import shapes as shapes\n"
        names = [name for name in dir(shapes) if not name.startswith("_")]
        (package / "shapes.pyi").write_text("\n".join(stubs(shapes, names, SHAPES_HEADER)) + "\n")
    (package / "__init__.pyi").write_text("\n".join(stubs(module, module.__all__, header)) + "\n")


if __name__ == "__main__":
    main()
