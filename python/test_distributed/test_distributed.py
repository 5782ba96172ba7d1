"""cv2_multimatch.distributed with real workers: one scheduler and two worker processes for all tests, as a user would start them."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import cv2
import numpy as np
import pytest

import cv2_multimatch as multimatch

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
from cv2_multimatch.distributed import __main__ as program  # noqa: E402
from cv2_multimatch.distributed import costs, features, tasks  # noqa: E402
from cv2_multimatch.distributed.clusters import (Capacity, Node, TooSmall, cluster_views, merge_order,  # noqa: E402
                                                 neighbor_lists, pairs_within)
from cv2_multimatch.distributed.state import StateError, Store, key_of  # noqa: E402

VIEWS, VIEW_POINTS, WINDOW = 50, 1000, 10
COMMAND = [sys.executable, "-m", "cv2_multimatch.distributed"]
MATCHING = ["--pairs=sequential:%d" % WINDOW, "--cluster-points=20000"]


# -- clusters ------------------------------------------------------------------------------------------------------------------


def random_pairs(views, count, seed=3):
    random = np.random.RandomState(seed)
    pairs = np.sort(random.randint(0, views, (count, 2)), 1)
    return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)


def test_every_new_pair_is_in_a_cluster_and_no_cluster_is_too_large():
    sizes = np.random.RandomState(1).randint(50, 500, 200).tolist()
    pairs = random_pairs(200, 1500)
    new = pairs[pairs[:, 1] >= 150]
    capacity = Capacity(1e9, 6000)
    for wanted in (pairs, new):
        clusters = cluster_views(sizes, pairs, wanted, capacity)
        found = {(views[i], views[j]) for views in clusters for i, j in pairs_within(views, neighbor_lists(200, pairs))}
        assert found >= {tuple(pair) for pair in wanted.tolist()}
        assert found <= {tuple(pair) for pair in pairs.tolist()}
        assert max(sum(sizes[view] for view in views) for views in clusters) <= 6000


def test_memory_limits_clusters():
    pairs = random_pairs(60, 300)
    usable = 20 * 100 * costs.POINT_BYTES
    clusters = cluster_views([100] * 60, pairs, pairs, Capacity(usable, 10**9))
    for views in clusters:
        links = len(pairs_within(views, neighbor_lists(60, pairs)))
        assert len(views) * 100 * costs.POINT_BYTES + links * 200 * costs.LINK_BYTES <= usable


def test_clusters_of_a_walk_overlap_by_the_window():
    pairs = np.array([(i, j) for i in range(100) for j in range(i + 1, min(100, i + 6))])
    clusters = cluster_views([10] * 100, pairs, pairs, Capacity(1e9, 300))
    assert clusters == [list(range(start, min(start + 30, 100))) for start in (0, 25, 50, 75)]


def test_a_pair_that_does_not_fit_is_an_error():
    pairs = np.array([(0, 1)])
    with pytest.raises(TooSmall, match="two views with 900 and 800 key points need .* workers with more memory"):
        cluster_views([900, 800], pairs, pairs, Capacity(1e9, 1000))
    with pytest.raises(TooSmall):
        cluster_views([900, 800], pairs, pairs, Capacity(1e5, 10000))


def test_merge_order_has_every_cluster_once_and_closes_all_views():
    leaves = [Node.leaf(range(start, start + 8)) for start in range(0, 50, 5)]
    root = merge_order(leaves, [1] * 60)
    nodes = list(root)
    assert [node for node in nodes if not node.parts] == leaves
    assert len(nodes) == 2 * len(leaves) - 1
    assert not any(root.open_views(root.counts))
    seen = set()
    for node in nodes:
        assert all(id(part) in seen for part in node.parts)
        seen.add(id(node))
    # Views 5 to 7 are also in the second cluster.
    assert leaves[0].open_views(root.counts) == [0] * 5 + [1] * 3


def test_a_merge_of_tables_is_that_of_the_tracks():
    random = np.random.RandomState(4)
    truth = [np.where(random.rand(30) < 0.8, random.permutation(40)[:30], -1) for _ in range(6)]
    views = [[0, 1, 2, 3], [2, 3, 4, 5]]
    parts = [multimatch.Tracks([truth[v] for v in own], [], 2) for own in views]
    expected = multimatch.mergeTracks(parts, views, [30] * 6)
    tables = []
    for part, own in zip(parts, views):
        table = tasks.table_of(part)
        table["view"] = np.array(own)[table["view"]]
        tables.append(table)
    opened = np.isin(np.arange(6), [2, 3])
    divided = [tasks.divide(table, opened) for table in tables]
    merged = tasks.merge_tables([table[0] for table in divided], views, 6)
    whole = {tuple(sorted((o.view, o.point) for o in expected.track(t))) for t in range(expected.size())}
    found = set()
    for table in [merged, divided[0][1], divided[1][1]]:
        for track in np.unique(table["track"]):
            found.add(tuple(sorted(zip(*(table[field][table["track"] == track].tolist() for field in ("view", "point"))))))
    assert found == whole and len(whole) > 30


# -- state ---------------------------------------------------------------------------------------------------------------------


def test_results_are_whole_or_missing(tmp_path):
    store = Store(tmp_path / "work")
    store.create()
    key = key_of("kind", 1, "a")
    assert key != key_of("kind", 1, "b") and not store.has_array("kind", key)
    store.write_array("kind", key, np.arange(5))
    assert store.read_array("kind", key).tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="stop"):
        class Broken:
            dtype = np.dtype("f8")

            def __array__(self, *_):
                raise RuntimeError("stop")
        store.write_array("kind", "b" * 32, Broken())
    assert [name.name for name in (tmp_path / "work/kind").rglob("*") if name.is_file()] == [key + ".npy"]
    name = store.path("kind", key, ".npy")
    name.write_bytes(name.read_bytes()[:-3])
    with pytest.raises(StateError, match=key + ".npy is damaged .*remove it"):
        store.read_array("kind", key)


def test_a_folder_with_other_files_is_no_work_folder(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StateError, match="neither empty nor a folder of an earlier run"):
        Store(tmp_path).create()


def test_given_features_are_checked():
    with pytest.raises(features.UnreadableImage, match="no fields"):
        features.given_features(array_bytes(np.zeros(4)))
    wrong = np.zeros(4, features.record_type(8, np.int32))
    with pytest.raises(features.UnreadableImage, match="expected a row of bytes or of float32"):
        features.given_features(array_bytes(wrong))


def array_bytes(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


# -- workers -------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def scheduler(tmp_path_factory):
    """Address of a scheduler with two workers of 1 GB, which run in another folder than the tests."""
    folder = tmp_path_factory.mktemp("cluster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = "tcp://127.0.0.1:%d" % port
    environment = dict(os.environ, PYTHONPATH=os.path.abspath(os.environ.get("PYTHONPATH", "")))
    programs = [["dask_scheduler", "--host=127.0.0.1", "--port=%d" % port, "--no-dashboard", "--no-show"]]
    programs += [["dask_worker", address, "--nthreads=1", "--memory-limit=1GB", "--no-dashboard",
                  "--local-directory=%s" % folder]] * 2
    running = [subprocess.Popen([sys.executable, "-m", "distributed.cli." + program[0], *program[1:]], cwd=folder,
                                env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for program in programs]
    try:
        with distributed.Client(address, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
    finally:
        for process in reversed(running):
            process.terminate()
        for process in reversed(running):
            process.wait(30)


@pytest.fixture(scope="session")
def walk(tmp_path_factory):
    """A folder with the views of a walk along a scene, 50,000 key points."""
    bench = os.environ.get("MULTIMATCH_BENCH", "")
    if not os.path.exists(bench):
        pytest.skip("multimatch_bench is not built")
    folder = tmp_path_factory.mktemp("walk")
    subprocess.run([bench, "scale", "--points=%d" % (VIEWS * VIEW_POINTS), "--write=%s" % folder], check=True)
    return folder


def run(scheduler, images, work, *options):
    """Exit code, output and errors of the program, in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
        code = program.main(["--scheduler=" + scheduler, "--images=%s" % images, "--work=%s" % work, *options])
    return code, output.getvalue(), errors.getvalue()


def started(scheduler, images, work, *options):
    return subprocess.Popen([*COMMAND, "--scheduler=" + scheduler, "--images=%s" % images, "--work=%s" % work, *options],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def finished(process):
    output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def computed(work, kind=None):
    """Keys of computations in the order of their ends, and numbers of begins."""
    lines = Store(work).journal()
    ends = [line[3] for line in lines if line[1] == "end" and kind in (None, line[2])]
    begins = [line[3] for line in lines if line[1] == "begin" and kind in (None, line[2])]
    return ends, begins


def wait_for(work, kind):
    """Process that computes a result of this kind now."""
    for _ in range(3000):
        lines = Store(work).journal()
        ended = {line[3] for line in lines if line[1] == "end"}
        for process, event, what, key, *_ in lines:
            if event == "begin" and what == kind and key not in ended:
                return process
        time.sleep(0.02)
    raise AssertionError("no %s was computed" % kind)


def same(first, second):
    assert_same(*(multimatch.Tracks.load(str(name)) for name in (first, second)))


def assert_same(one, other):
    assert one.size() == other.size() > 0
    for view in range(one.viewCount()):
        np.testing.assert_array_equal(one.trackIds(view), other.trackIds(view))
        np.testing.assert_array_equal(one.confidence(view), other.confidence(view))


@pytest.fixture(scope="session")
def whole(scheduler, walk, tmp_path_factory):
    """Folder of a run without disturbance, and its tracks."""
    folder = tmp_path_factory.mktemp("whole")
    code, output, errors = run(scheduler, walk, folder / "work", "--output=%s" % (folder / "tracks.yml"), *MATCHING)
    assert code == 0, errors
    assert "50 views, 50000 key points" in output
    return folder


def test_parts_are_as_good_as_one_piece(whole, walk):
    views = [np.load(name) for name in sorted(walk.glob("*.npy"))]
    labels = [view["label"] for view in views]
    matcher = multimatch.HiPPI.create()
    matcher.setNormType(cv2.NORM_L2)
    matcher.setWindow(WINDOW)
    piece = matcher.match([features.keypoints_of(view) for view in views], [features.descriptors_of(view) for view in views])
    parts = multimatch.Tracks.load(str(whole / "tracks.yml"))
    assert len(computed(whole / "work", "cluster")[0]) == 4
    scores = [multimatch.scoreTracks(tracks, labels).fscore() for tracks in (piece, parts)]
    print("fscore in one piece %.4f, in parts %.4f" % tuple(scores))
    assert scores[1] > 0.98 and scores[1] > scores[0] - 0.002, scores


def test_a_killed_worker_changes_nothing_and_only_its_task_is_repeated(scheduler, walk, whole, tmp_path):
    process = started(scheduler, walk, tmp_path / "work", "--output=%s" % (tmp_path / "tracks.yml"), *MATCHING)
    os.kill(wait_for(tmp_path / "work", "cluster"), signal.SIGKILL)
    code, _, errors = finished(process)
    assert code == 0, errors
    same(tmp_path / "tracks.yml", whole / "tracks.yml")
    ends, begins = computed(tmp_path / "work")
    assert len(ends) == len(set(ends)) and len(begins) == len(ends) + 1
    repeated = {key for key in begins if begins.count(key) == 2}
    assert len(repeated) == 1 and repeated <= set(computed(tmp_path / "work", "cluster")[0])


def test_ctrl_c_and_the_next_run_continues(scheduler, walk, tmp_path):
    images = tmp_path / "images"
    images.mkdir()
    for name in sorted(walk.glob("*.npy"))[:16]:
        shutil.copy2(name, images)
    options = ["--output=%s" % (tmp_path / "tracks.yml"), "--pairs=sequential:4", "--cluster-points=8000"]
    process = started(scheduler, images, tmp_path / "work", *options)
    wait_for(tmp_path / "work", "cluster")
    process.send_signal(signal.SIGINT)
    code, _, errors = finished(process)
    assert code == 130 and "stopped; the next run continues" in errors
    assert not (tmp_path / "tracks.yml").exists()
    code, _, errors = run(scheduler, images, tmp_path / "work", *options)
    assert code == 0 and "16 of 16, 16 of them from the work folder" in errors, errors
    assert len(set(computed(tmp_path / "work", "cluster")[0])) == 3
    (tmp_path / "work" / "notes.txt").write_text("mine")
    code, _, errors = run(scheduler, images, tmp_path / "work", "--no-resume", *options)
    assert code == 0 and "from the work folder" not in errors, errors
    assert (tmp_path / "work" / "notes.txt").exists()
    options[0] = "--output=%s" % (tmp_path / "again.yml")
    assert run(scheduler, images, tmp_path / "other", *options)[0] == 0
    same(tmp_path / "tracks.yml", tmp_path / "again.yml")


def test_new_views_are_all_that_is_computed(scheduler, walk, whole, tmp_path):
    images = tmp_path / "images"
    images.mkdir()
    names = sorted(walk.glob("*.npy"))
    for name in names[:45]:
        shutil.copy2(name, images)
    work = tmp_path / "work"
    shutil.copytree(whole / "work", work)  # features are known by their content
    shutil.rmtree(work / "journal")
    shutil.rmtree(work / "plans")
    code, output, errors = run(scheduler, images, work, *MATCHING)
    assert code == 0 and "45 views" in output, errors
    before = computed(work, "cluster")[0]
    assert len(before) == 1  # the other clusters are those of the whole
    for name in names[45:]:
        shutil.copy2(name, images)
    code, output, errors = run(scheduler, images, work, "--output=%s" % (tmp_path / "tracks.yml"), *MATCHING)
    assert code == 0 and "50 views" in output, errors
    assert len(computed(work, "image")[0]) == 50  # not 45 + 50
    assert len(computed(work, "cluster")[0]) == 2
    labels = [np.load(name)["label"] for name in names]
    scores = [multimatch.scoreTracks(multimatch.Tracks.load(str(name)), labels).fscore()
              for name in (tmp_path / "tracks.yml", whole / "tracks.yml")]
    assert scores[0] > scores[1] - 0.002, scores


@pytest.fixture(scope="session")
def photos(tmp_path_factory):
    """Folder with a folder photos: two scenes with four images each."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "photos").mkdir()
    random = np.random.RandomState(2)
    for scene in range(2):
        picture = cv2.GaussianBlur(random.randint(0, 256, (400, 700, 3)).astype(np.uint8), (0, 0), 2)
        picture = cv2.normalize(picture, None, 0, 255, cv2.NORM_MINMAX)
        for shift in range(4):
            cv2.imwrite(str(folder / "photos" / ("scene%d_%d.png" % (scene, shift))), picture[:, 40 * shift:40 * shift + 500])
    return folder


def test_retrieval_with_an_unreadable_image(scheduler, photos, tmp_path):
    """The pairs that retrieval chooses are inside of a scene."""
    images = tmp_path / "images"
    shutil.copytree(photos / "photos", images)
    (images / "broken.jpg").write_bytes(b"no image")
    colmap = ["--colmap=%s" % (tmp_path / "out.db")] if multimatch.haveColmapDatabase() else []
    code, output, errors = run(scheduler, images, tmp_path / "work", "--pairs=retrieval:3", "--max-features=300",
                               "--output=%s" % (tmp_path / "tracks.csv"), *colmap)
    assert code == 3 and "broken.jpg: not readable: OpenCV cannot read it as an image" in errors, errors
    assert "8 views" in output
    scenes = {}
    for row in (tmp_path / "tracks.csv").read_text().splitlines()[1:]:
        track, view = row.split(",")[:2]
        scenes.setdefault(track, set()).add(int(view) // 4)
    assert len(scenes) > 50 and all(len(found) == 1 for found in scenes.values())
    if colmap:
        views, matches = multimatch.readColmapDatabase(str(tmp_path / "out.db"))
        assert len(views) == 8 and len(matches) == 12


def test_commands_of_the_tutorial(scheduler, photos):
    """Those of the page, with the address of this scheduler. The workers of the page are those of the fixture."""
    page = (pathlib.Path(__file__).resolve().parents[2] / "doc/on_a_cluster.markdown").read_text()
    commands = re.findall(r"^    python3 -m cv2_multimatch.distributed (.*)$", page, re.M)
    assert len(commands) == 2
    assert "    dask-worker tcp://head:8786 --nthreads 1 --memory-limit 16GB\n" in page
    local = subprocess.run(COMMAND + commands[0].split(), cwd=photos, stdout=subprocess.PIPE, universal_newlines=True, check=True)
    assert "8 views" in local.stdout
    first = multimatch.Tracks.load(str(photos / "tracks.yml.gz"))
    shutil.rmtree(photos / "work")
    words = commands[1].replace("tcp://head:8786", scheduler).split()
    subprocess.run(COMMAND + words, cwd=photos, stdout=subprocess.DEVNULL, check=True)
    second = multimatch.Tracks.load(str(photos / "tracks.yml.gz"))
    assert_same(first, second)
    script = pathlib.Path(__file__).resolve().parents[2] / "samples/python/read_shards.py"
    printed = subprocess.run([sys.executable, str(script), str(photos / "work")], stdout=subprocess.PIPE,
                             universal_newlines=True, check=True).stdout
    statistics = second.statistics()
    assert printed == "8 views, %d tracks with %d observations\n" % (statistics.tracks, statistics.observations)


# -- errors --------------------------------------------------------------------------------------------------------------------


def test_a_folder_that_workers_do_not_see(scheduler, tmp_path, monkeypatch):
    # The workers run in another folder.
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("a.png", np.zeros((20, 20), np.uint8))
    code, _, errors = run(scheduler, "a.png", "/proc/self/cwd/work")
    assert code == 4 and re.search("workers do not see the work folder /proc/self/cwd/work: tcp://.*storage that all", errors), errors
    code, _, errors = run(scheduler, "/proc/self/cwd/a.png", tmp_path / "shared")
    assert code == 4 and "does not see the image /proc/self/cwd/a.png; images must be on storage" in errors


def test_a_worker_that_is_too_small(scheduler, walk, whole):
    code, _, errors = run(scheduler, walk, whole / "work", "--pairs=sequential:2", "--cluster-points=1500")
    assert code == 4 and "two views with 1000 and 1000 key points need 1.52 MB" in errors, errors


def test_a_worker_without_memory_for_a_task(walk, tmp_path, capsys):
    assert program.main(["--local=1", "--memory=200M", "--images=%s" % walk, "--work=%s" % (tmp_path / "work"), "--quiet"]) == 4
    assert "a task has 200 MB of memory, but a process alone needs 180 MB" in capsys.readouterr().err


@pytest.mark.parametrize("options, message", [
    (["--images=x"], "give --scheduler=ADDRESS or --local=N"),
    (["--images=/nowhere", "--local=1"], "--images=/nowhere: there are no images"),
    (["--images=x", "--local=1", "--pairs=some"], "--pairs=some: expected all, sequential:N or retrieval:N"),
    (["--images=x", "--local=1", "--memory=much"], "--memory: much is no number of bytes"),
    (["--images=x", "--local=1", "--output=a.txt"], "--output=a.txt: expected a name with .yml"),
    (["--images=x", "--local=1", "--features=SURF"], "--features=SURF: expected one of SIFT"),
])
def test_wrong_options(options, message, capsys):
    assert program.main(options) == 1
    assert message in capsys.readouterr().err


def test_a_scheduler_that_is_not_reachable(tmp_path, capsys):
    (tmp_path / "a.png").write_bytes(b"")
    assert program.main(["--scheduler=tcp://127.0.0.1:1", "--images=%s" % (tmp_path / "a.png"), "--work=%s" % (tmp_path / "work"),
                         "--timeout=0.5"]) == 4
    assert "the scheduler tcp://127.0.0.1:1 is not reachable" in capsys.readouterr().err


def test_simulation(tmp_path):
    result = subprocess.run([*COMMAND, "--simulate=200", "--local=1", "--simulate-slots=4", "--memory=2G", "--simulate-speed=1e6",
                             "--work=%s" % (tmp_path / "work")], stdout=subprocess.PIPE, universal_newlines=True, check=True)
    assert re.search(r"features +200 tasks", result.stdout) and re.search(r"clusters of at most \d+ key points", result.stdout)
