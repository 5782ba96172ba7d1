"""cv2.multimatch, made by the generator of OpenCV, and cv2_multimatch have the same names, arguments, defaults and results.
PYTHONPATH selects the cv2 that was built for this test."""

import re
import sys

import cv2
import numpy as np
import pytest

import cv2_multimatch

GENERATED = cv2.multimatch
# Additional names of the generator: HiPPI_create for HiPPI.create, MATCH_ALS_MAX_POINTS for MatchALS_MAX_POINTS.
ALIASES = re.compile(r"(\w+)_(create|load)$|MATCH_ALS_MAX_POINTS$")
# Not supported by the generator.
ADDITIONS = {
    "Progress",
    "matchPairs",
    "MultiMatcher.setProgressCallback",
    "MatchALS.MAX_POINTS",
    "shapes",
}


def names(module):
    for name in dir(module):
        if name.startswith("_") or ALIASES.match(name):
            continue
        yield name
        value = getattr(module, name)
        if isinstance(value, type):
            for member in vars(value):
                if not member.startswith("_"):
                    yield name + "." + member


def test_names():
    generated = set(names(GENERATED))
    native = {name for name in names(cv2_multimatch) if name.split(".")[0] not in ADDITIONS}
    assert "HiPPI.setParams" in generated and "scoreTracks" in generated
    # cv2.Algorithm has these.
    native -= {"MultiMatcher.getDefaultName", "MultiMatcher.save"}
    assert generated == native - ADDITIONS


def arguments(text, name):
    """Names of the arguments in a signature of cv2 or pybind11."""
    for signature in re.findall(r"^(?:\d+\. )?" + name + r"\((.*)\) -> ", text, re.M):
        signature = re.sub(r"<.*?>|\[\]", "", signature)
        if "*args" not in signature:
            yield [a for a in re.findall(r"(\w+)(?=\]?:|,|\[|\]|$)", re.sub(r": [^,]*(?=,|$)", "", signature))
                   if a != "self"]


@pytest.mark.parametrize("name", sorted(n for n in names(GENERATED) if callable(getattr(GENERATED, n, None))
                                        and not isinstance(getattr(GENERATED, n), type)))
def test_arguments_of_functions(name):
    generated = list(arguments(getattr(GENERATED, name).__doc__, name))
    native = list(arguments(getattr(cv2_multimatch, name).__doc__, name))
    assert generated
    assert [len(a) for a in generated] == [len(a) for a in native]
    assert generated[0] == native[0]


def assert_same_fields(generated, native):
    fields = [n for n in dir(native) if not n.startswith("_")]
    assert fields
    for field in fields:
        value, other = getattr(generated, field), getattr(native, field)
        if type(other).__name__.endswith("Params"):
            assert_same_fields(value, other)
        else:
            assert value == other, field


@pytest.mark.parametrize("name", [n for n in names(GENERATED) if n.endswith("Params") and "." not in n])
def test_defaults_of_parameters(name):
    assert_same_fields(getattr(GENERATED, name)(), getattr(cv2_multimatch, name)())


def test_tracks():
    random = np.random.RandomState(7)
    true = random.rand(150, 32).astype(np.float32)
    places = random.rand(150, 2).astype(np.float32) * 300
    orders = [random.permutation(150)[:120] for _ in range(4)]
    points = [places[o] for o in orders]
    descriptors = [true[o] + 0.05 * random.randn(120, 32).astype(np.float32) for o in orders]
    results = [module.HiPPI.create().matchPoints(points, descriptors) for module in (GENERATED, cv2_multimatch)]
    assert results[0].size() > 50
    for view in range(4):
        np.testing.assert_array_equal(results[0].trackIds(view), results[1].trackIds(view))
        np.testing.assert_array_equal(results[0].confidence(view), results[1].confidence(view))


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
