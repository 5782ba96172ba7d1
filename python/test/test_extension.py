"""Features of cv2_multimatch that cv2.multimatch lacks: progress, interruption, the GIL, type stubs. The common features are tested
by modules/multimatch/misc/python/test, which runs from here too."""

import ast
import inspect
import os
import pathlib
import re
import signal
import sys
import threading

import cv2
import numpy as np
import pytest

import cv2_multimatch as multimatch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "modules/multimatch/misc/python/test"))
from test_multimatch import *  # noqa: E402,F401,F403


def random_problem(views=6, points=400, seed=5):
    random = np.random.RandomState(seed)
    true = random.rand(points, 64).astype(np.float32)
    places = random.rand(points, 2).astype(np.float32) * 500
    orders = [random.permutation(points) for _ in range(views)]
    descriptors = [true[o] + 0.02 * random.randn(points, 64).astype(np.float32) for o in orders]
    return [places[o] for o in orders], descriptors


def test_progress_callback_gets_all_stages():
    seen = []
    matcher = multimatch.HiPPI.create()
    matcher.setProgressCallback(lambda progress: seen.append((progress.stage, progress.fraction)))
    report = matcher.matchPoints(*random_problem()).report()
    assert not report.cancelled
    assert {stage for stage, _ in seen} == set(report.stages)
    assert all(0 <= fraction <= 1 for _, fraction in seen)


def test_callback_returning_false_stops_a_run_and_keeps_its_result():
    matcher = multimatch.HiPPI.create()
    matcher.setProgressCallback(lambda progress: progress.stage != "iterations")
    tracks = matcher.matchPoints(*random_problem())
    assert tracks.report().cancelled
    assert tracks.viewCount() == 6
    matcher.setProgressCallback(None)
    assert not matcher.matchPoints(*random_problem()).report().cancelled


def test_an_exception_of_the_callback_is_raised_by_match():
    def broken(progress):
        raise RuntimeError("in stage " + progress.stage)

    matcher = multimatch.UnionFind.create()
    matcher.setProgressCallback(broken)
    with pytest.raises(RuntimeError, match="in stage neighbors"):
        matcher.matchPoints(*random_problem())


def test_keyboard_interrupt_during_a_callback():
    matcher = multimatch.HiPPI.create()
    matcher.setProgressCallback(lambda progress: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        matcher.matchPoints(*random_problem())


def test_keyboard_interrupt_without_a_callback():
    # Enough work for a run that lasts much longer than the delay of the interrupt.
    problem = random_problem(views=30, points=1500)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        multimatch.HiPPI.create().matchPoints(*problem)


def test_other_threads_run_during_match():
    matcher = multimatch.HiPPI.create()
    problem = random_problem(views=12, points=800)
    inside = threading.Event()
    finished = threading.Event()
    steps = []

    def count():
        inside.wait()
        while not finished.is_set():
            steps.append(None)
            finished.wait(0.001)

    matcher.setProgressCallback(lambda progress: inside.set())
    thread = threading.Thread(target=count)
    thread.start()
    matcher.matchPoints(*problem)
    finished.set()
    thread.join()
    assert len(steps) > 10


def test_runs_in_two_threads_do_not_disturb_each_other():
    problem = random_problem()
    expected = multimatch.HiPPI.create().matchPoints(*problem)
    results = [None, None]

    def run(slot):
        results[slot] = multimatch.HiPPI.create().matchPoints(*problem)

    threads = [threading.Thread(target=run, args=(slot,)) for slot in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for tracks in results:
        for view in range(6):
            np.testing.assert_array_equal(tracks.trackIds(view), expected.trackIds(view))


@pytest.mark.parametrize("kind", [np.complex64, np.uint64, object])
def test_unsupported_arrays_are_type_errors(kind):
    points, descriptors = random_problem(2, 5)
    with pytest.raises(TypeError):
        multimatch.HiPPI.create().matchPoints(points, [d.astype(kind) for d in descriptors])


def test_strided_arrays():
    points, descriptors = random_problem(3, 50)
    expected = multimatch.UnionFind.create().matchPoints(points, descriptors)
    turned = [np.asfortranarray(d) for d in descriptors]
    tracks = multimatch.UnionFind.create().matchPoints(points, turned)
    np.testing.assert_array_equal(tracks.trackIds(2), expected.trackIds(2))


def test_integers_of_numpy_are_pairs():
    matcher = multimatch.UnionFind.create()
    matcher.setPairs(np.array([[0, 2], [1, 2]]))
    np.testing.assert_array_equal(matcher.getPairs(), [[0, 2], [1, 2]])
    assert matcher.getPairs().dtype == np.int32


def test_errors_have_the_members_of_cv2_error():
    with pytest.raises(cv2.error) as raised:
        multimatch.Tracks([[1, 1], [0]])
    assert raised.value.code == -5  # cv::Error::StsBadArg
    assert "1" in raised.value.err


def test_errors_may_contain_invalid_utf8(tmp_path):
    file = tmp_path / "tracks.csv"
    file.write_bytes(b"\xff\xfe\x00 no table")
    with pytest.raises(cv2.error, match="expected track,view"):
        multimatch.readTracks(str(file))
    # The name of a file need not be UTF-8 either.
    with pytest.raises(cv2.error, match=r"cannot read .*no\\xff.csv"):
        multimatch.readTracks(b"no\xff.csv")


def public_functions():
    for name in multimatch.__all__:
        value = getattr(multimatch, name)
        if isinstance(value, type):
            for member, function in vars(value).items():
                if callable(function) or isinstance(function, staticmethod):
                    if member == "__init__" or not member.startswith("_"):
                        yield name + "." + member, getattr(value, member)
        elif callable(value):
            yield name, value


def stub_tree():
    return ast.parse(pathlib.Path(multimatch.__file__).with_name("__init__.pyi").read_text())


def names_in(body):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def test_type_stubs_have_every_name():
    tree = stub_tree()
    modules = {name for name in multimatch.__all__ if inspect.ismodule(getattr(multimatch, name))}
    assert set(names_in(tree.body)) == (set(multimatch.__all__) - modules) | {"__version__"}
    for name in modules:  # each has a file of its own
        assert pathlib.Path(multimatch.__file__).with_name(name + ".pyi").exists(), name
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            native = {name for name in vars(getattr(multimatch, node.name)) if not name.startswith("_")}
            assert set(names_in(node.body)) - {"__init__"} == native, node.name


def test_type_stubs_use_existing_types():
    tree = stub_tree()
    known = {"typing": __import__("typing"), "cv2": cv2, "np": np, **vars(__import__("typing")), **vars(multimatch)}
    annotations = []
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            annotations.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            annotations.append(node.returns)
            annotations += [a.annotation for a in node.args.args if a.arg != "self"]
    assert len(annotations) > 100
    for annotation in annotations:
        eval(compile(ast.Expression(annotation), "stub", "eval"), known)


def test_everything_has_a_docstring():
    for name, function in public_functions():
        text = re.sub(r"^.*\(.*\) -> .*$|Overloaded function\.", "", function.__doc__ or "", flags=re.M)
        assert name.endswith("__init__") or text.strip(), name
