"""Matches of any matcher through cv2_multimatch: coordinates, callables, hloc, .npz and AliceVision."""

import ast
import importlib
import inspect
import json
import pathlib
import zipfile

import cv2
import numpy as np
import pytest

import cv2_multimatch as multimatch
from cv2_multimatch import exchange

POINTS = 60


def places(view):
    grid = np.stack(np.meshgrid(np.arange(10) * 20.0, np.arange(6) * 20.0), -1).reshape(-1, 2)
    return (grid + [5 + 4 * view, 9 + 2 * view]).astype(np.float32)


def dense_matches(views=4, noise=0.1, seed=3):
    random = np.random.RandomState(seed)
    matches = []
    for i in range(views):
        for j in range(i + 1, views):
            order = random.permutation(POINTS)
            mkpts0, mkpts1 = (places(v)[order] + noise * random.randn(POINTS, 2).astype(np.float32) for v in (i, j))
            mconf = random.uniform(0.5, 1, POINTS).astype(np.float32)
            matches.append(multimatch.CoordinateMatches(i, j, mkpts0, mkpts1, mconf))
    return matches


def pair(first, second, matches):
    result = multimatch.PairMatches()
    result.first, result.second = first, second
    result.matches = [cv2.DMatch(p, q, s) for p, q, s in matches]
    return result


def listed(pairs):
    return [(p.first, p.second, [(m.queryIdx, m.trainIdx, round(m.distance, 3)) for m in p.matches]) for p in pairs]


def test_arrays_of_a_dense_matcher_become_tracks():
    matches = dense_matches()
    assert matches[0].points.shape == (POINTS, 4)
    assert multimatch.clusterRadius(matches) == pytest.approx(4, abs=0.2)
    clustered = multimatch.clusterMatches(matches)
    assert [len(k) for k in clustered.keypoints] == [POINTS] * 4
    tracks = multimatch.HiPPI.create().synchronize(clustered.keypoints, clustered.matches, multimatch.WEIGHTS_FROM_SCORES)
    assert tracks.size() == POINTS and tracks.statistics().meanLength == 4 and tracks.statistics().twoViewShare == 0
    refined = multimatch.refineKeyPoints(clustered, tracks)
    found = np.array([k.pt for k in refined[2]])
    distances = np.linalg.norm(found[:, None] - places(2)[None], axis=2)
    assert distances.min(1).max() < 0.3
    rows = clustered.pointsOfRows[0]
    assert rows.shape == (POINTS, 2) and rows.dtype == np.int32
    own = clustered.places[0]
    assert own.shape == (len(clustered.matches[0].matches), 4)


def test_scores_and_views_are_optional():
    matches = multimatch.CoordinateMatches(0, 2, np.float64([[1, 2], [50, 60]]), np.float64([[3, 4], [70, 80]]))
    clustered = multimatch.clusterMatches([matches], 5, 2.0)
    assert [len(k) for k in clustered.keypoints] == [2, 0, 2, 0, 0]
    assert clustered.radius == 2
    assert multimatch.clusterMatches([]).keypoints == ()
    empty = multimatch.CoordinateMatches(0, 1, np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32))
    assert [len(k) for k in multimatch.clusterMatches([empty]).keypoints] == [0, 0]
    with pytest.raises(cv2.error, match="points1 has 1"):
        multimatch.CoordinateMatches(0, 1, np.zeros((2, 2)), np.zeros((1, 2)))


def test_reports():
    clustered = multimatch.clusterMatches(dense_matches())
    matches = list(clustered.matches) + [clustered.matches[0]]
    tracks = multimatch.HiPPI.create().synchronize(clustered.keypoints, matches, multimatch.WEIGHTS_FROM_SCORES)
    assert tracks.report().duplicateMatches == POINTS
    counted = multimatch.inspectMatches(clustered.keypoints, matches, [(150, 110)] * 4)
    assert counted.duplicateMatches == POINTS and counted.coincidentPoints == 0 and counted.outsidePoints > 0
    reports = multimatch.reportPairs(matches, tracks)
    assert [(r.first, r.second) for r in reports] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert all(r.given == r.kept == POINTS and r.contradicted == 0 and r.score > 0.9 for r in reports)
    labels = [tracks.trackIds(v) for v in range(4)]
    assert multimatch.splitRate(tracks, labels) == 0


def test_match_pairs_by_a_callable():
    called = []

    def matcher(first, second):
        called.append((first, second))
        return np.array([[n, n] for n in range(5)]) if second < 3 else [cv2.DMatch(1, 2, 0.5)]

    pairs = multimatch.matchPairs(4, None, matcher)
    assert called == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert [len(p.matches) for p in pairs] == [5, 5, 1, 5, 1, 1]
    assert len(multimatch.matchPairs(4, np.array([[2, 0]]), matcher)) == 1
    stages = []
    assert multimatch.matchPairs(4, None, matcher, lambda p: stages.append(p.stage) or False) == ()
    assert stages == ["pairs"]
    with pytest.raises(TypeError, match="N x 2"):
        multimatch.matchPairs(2, None, lambda i, j: np.zeros(3))

    def broken(first, second):
        raise RuntimeError("no model")

    with pytest.raises(RuntimeError, match="no model"):
        multimatch.matchPairs(2, None, broken)


def test_match_images():
    random = np.random.RandomState(2)
    picture = cv2.resize(random.randint(0, 255, (90, 120), np.uint8), (480, 360), interpolation=cv2.INTER_CUBIC)
    images = [picture[6 * v:6 * v + 320, 10 * v:10 * v + 400] for v in range(3)]
    orb = cv2.ORB_create(300)
    matcher = multimatch.HiPPI.create()
    tracks, keypoints = matcher.matchImages(images, orb)
    assert [len(k) for k in keypoints] == [tracks.pointCount(v) for v in range(3)]
    assert tracks.size() > 100 and matcher.getNormType() == 0
    descriptors = [orb.compute(i, k)[1] for i, k in zip(images, keypoints)]
    again = matcher.match(keypoints, descriptors)
    np.testing.assert_array_equal(again.trackIds(1), tracks.trackIds(1))
    _, masked = matcher.matchImages(images, orb, [None, np.zeros_like(images[1]), None])
    assert len(masked[1]) == 0 and len(masked[0]) > 0
    with pytest.raises(cv2.error, match="masks has 1"):
        matcher.matchImages(images, orb, [None])


def some_problem():
    keypoints = [tuple(cv2.KeyPoint(float(x), float(y), 3.0, 30.0) for x, y in places(v)) for v in range(3)]
    matches = [pair(0, 1, [(n, n, 0.75) for n in range(40)]), pair(2, 1, [(n, n, 0.5) for n in range(20)]), pair(0, 2, [])]
    return keypoints, matches


def test_npz_round_trip(tmp_path):
    keypoints, matches = some_problem()
    descriptors = [np.random.RandomState(v).rand(POINTS, 8).astype(np.float32) for v in range(2)] + [None]
    tracks = multimatch.HiPPI.create().synchronize(keypoints, matches, multimatch.WEIGHTS_FROM_SCORES)
    file = tmp_path / "a.npz"
    exchange.writeNpz(file, keypoints, matches, descriptors, ["a", "b", "c"], tracks)
    assert [f.name for f in tmp_path.iterdir()] == ["a.npz"]
    problem = exchange.readNpz(file)
    assert problem.names == ["a", "b", "c"]
    assert [[k.pt for k in view] for view in problem.keypoints] == [[k.pt for k in view] for view in keypoints]
    assert problem.keypoints[0][0].angle == 30
    assert listed(problem.matches) == listed(matches)
    np.testing.assert_array_equal(problem.descriptors[1], descriptors[1])
    assert problem.descriptors[2] is None
    for view in range(3):
        np.testing.assert_array_equal(problem.tracks.trackIds(view), tracks.trackIds(view))


def test_npz_made_by_hand(tmp_path):
    file = tmp_path / "a.npz"
    np.savez(file, keypoints_0=np.array([[1, 2], [3, 4]]), keypoints_1=np.zeros((0, 2)), keypoints_2=np.array([[5, 6, 7]]), matches_2_0=np.array([[0, 1]]))
    problem = exchange.readNpz(file)
    assert [len(k) for k in problem.keypoints] == [2, 0, 1]
    assert listed(problem.matches) == [(2, 0, [(0, 1, 1.0)])] and problem.keypoints[2][0].size == 7
    for arrays, message in (({"keypoints_1": np.zeros((1, 2))}, "expected 0, 1"),
                            ({"keypoints_0": np.zeros((1, 5))}, "N x 2"),
                            ({"keypoints_0": np.zeros((1, 2)), "matches_0_1": np.zeros((1, 2))}, "M x 2 integers"),
                            ({"keypoints_0": np.zeros((2, 2)), "descriptors_0": np.zeros((1, 2))}, "1 rows")):
        np.savez(file, **arrays)
        with pytest.raises(ValueError, match=message):
            exchange.readNpz(file)


def test_alicevision_round_trip(tmp_path):
    keypoints, matches = some_problem()
    tracks = multimatch.HiPPI.create().synchronize(keypoints, matches, multimatch.WEIGHTS_FROM_SCORES)
    file = tmp_path / "tracks.json"
    exchange.writeAliceVision(file, [1000, 12, 5000000000], keypoints, tracks)
    read = exchange.readAliceVision(file)
    assert read.viewIds == [12, 1000, 5000000000]
    assert read.tracks.size() == tracks.size()
    assert sorted(read.tracks.length(t) for t in range(40)) == sorted(tracks.length(t) for t in range(40))
    for mine, theirs in ((0, 1), (1, 0), (2, 2)):
        seen = np.flatnonzero(tracks.trackIds(mine) >= 0)
        np.testing.assert_array_equal(np.flatnonzero(read.tracks.trackIds(theirs) >= 0), seen)
        assert all(read.keypoints[theirs][p].pt == keypoints[mine][p].pt for p in seen)


def test_alicevision_made_by_hand(tmp_path):
    file = tmp_path / "tracks.json"
    old = [[7, {"descType": "dspsift", "featPerView": [[44, {"featureId": 2, "coords": [1.5, 2.5], "scale": 3}],
                                                       [33, {"featureId": 0, "coords": [4, 5], "scale": 1}]]}]]
    file.write_text(json.dumps(old))
    read = exchange.readAliceVision(file)
    assert read.viewIds == [33, 44] and [len(k) for k in read.keypoints] == [1, 3]
    assert read.keypoints[1][2].pt == (1.5, 2.5) and read.keypoints[1][0].pt == (-1, -1)
    assert listed(read.matches) == [(0, 1, [(0, 2, 1.0)])]
    file.write_text('[[1, {"descType": "sift"}]]')
    with pytest.raises(ValueError, match="featPerView"):
        exchange.readAliceVision(file)
    file.write_text(json.dumps(old + [[8, old[0][1]]]))
    with pytest.raises(ValueError, match="two tracks"):
        exchange.readAliceVision(file)


# hloc -------------------------------------------------------------------------------------------------------------------------------

NAMES = ["day/a.jpg", "day/b.jpg", "night/c.jpg"]


@pytest.fixture
def hloc_files(tmp_path):
    """Files as hloc writes them, made without cv2_multimatch."""
    h5py = pytest.importorskip("h5py")
    random = np.random.RandomState(1)
    with h5py.File(tmp_path / "features.h5", "w") as file:
        for view, name in enumerate(NAMES):
            group = file.create_group(name)
            group["keypoints"] = places(view).astype(np.float16 if view == 2 else np.float32)
            group["keypoints"].attrs["uncertainty"] = 1.0
            group["descriptors"] = random.rand(16, POINTS).astype(np.float16)
            group["scores"] = random.rand(POINTS).astype(np.float32)
            group["image_size"] = np.array([640, 480])
    with h5py.File(tmp_path / "matches.h5", "w") as file:
        for first, second in ((0, 1), (0, 2), (2, 1)):
            group = file.create_group(NAMES[first].replace("/", "-") + "/" + NAMES[second].replace("/", "-"))
            partner = np.arange(POINTS, dtype=np.int16)
            partner[50:] = -1
            if (first, second) == (0, 2):
                partner[3] = 17  # wrong, as 0 - 1 - 2 says
                partner[17] = -1
            group["matches0"] = partner
            group["matching_scores0"] = np.where(partner < 0, 0, 0.9).astype(np.float16)
    (tmp_path / "pairs.txt").write_text("%s %s\n\n%s %s\n" % (NAMES[0], NAMES[1], NAMES[1], NAMES[2]))
    return tmp_path


def test_hloc_reads(hloc_files):
    from cv2_multimatch import hloc
    features = hloc.readFeatures(hloc_files / "features.h5")
    assert features.names == NAMES and features.sizes == [(640, 480)] * 3
    np.testing.assert_allclose([k.pt for k in features.keypoints[1]], places(1))
    assert features.descriptors[0].shape == (POINTS, 16) and features.descriptors[0].dtype == np.float32
    matches = hloc.readMatches(hloc_files / "matches.h5", NAMES)
    assert sorted((p.first, p.second) for p in matches) == [(0, 1), (0, 2), (2, 1)]
    assert all(len(p.matches) in (49, 50) for p in matches)
    assert matches[0].matches[0].distance == pytest.approx(0.9, abs=1e-3)
    # The pairs file chooses pairs; the stored order of a pair counts.
    chosen = hloc.readMatches(hloc_files / "matches.h5", NAMES, hloc.readPairs(hloc_files / "pairs.txt"))
    assert [(p.first, p.second) for p in chosen] == [(0, 1), (2, 1)]


def test_hloc_synchronizes_in_the_same_form(hloc_files):
    import h5py
    from cv2_multimatch import hloc
    output = hloc_files / "consistent.h5"
    tracks, features = hloc.synchronize(hloc_files / "features.h5", hloc_files / "matches.h5", output)
    assert tracks.size() == 50 and len(features.names) == 3
    with h5py.File(output, "r") as file:
        group = file["day-a.jpg/night-c.jpg"]
        assert group["matches0"].dtype == np.int16 and group["matching_scores0"].dtype == np.float16
        np.testing.assert_array_equal(group["matches0"][:50], np.arange(50))
        assert (group["matches0"][50:] == -1).all() and group["matching_scores0"][3] > 0.5
        assert sorted(file) == ["day-a.jpg", "night-c.jpg"] and list(file["night-c.jpg"]) == ["day-b.jpg"]
    assert listed(hloc.readMatches(output, NAMES)) == listed(hloc.readMatches(output, NAMES))
    hloc.synchronize(hloc_files / "features.h5", hloc_files / "matches.h5", output, hloc_files / "pairs.txt")
    with h5py.File(output, "r") as file:
        assert list(file["day-a.jpg"]) == ["day-b.jpg"] and list(file["day-b.jpg"]) == ["night-c.jpg"]
    assert not [f.name for f in hloc_files.iterdir() if f.name.startswith("tmp")]


def test_hloc_round_trip(hloc_files):
    from cv2_multimatch import hloc
    features = hloc.readFeatures(hloc_files / "features.h5", NAMES[1:])
    hloc.writeFeatures(hloc_files / "again.h5", features)
    again = hloc.readFeatures(hloc_files / "again.h5")
    assert again.names == NAMES[1:] and again.sizes == features.sizes
    assert [[(k.pt, k.response) for k in v] for v in again.keypoints] == [[(k.pt, k.response) for k in v] for v in features.keypoints]
    np.testing.assert_array_equal(again.descriptors[1], features.descriptors[1])
    matches = hloc.readMatches(hloc_files / "matches.h5", NAMES)
    hloc.writeMatches(hloc_files / "again_matches.h5", NAMES, [POINTS] * 3, matches)
    assert listed(hloc.readMatches(hloc_files / "again_matches.h5", NAMES)) == listed(matches)


def test_hloc_dense_and_old_files(hloc_files):
    import h5py
    from cv2_multimatch import hloc
    with h5py.File(hloc_files / "dense.h5", "w") as file:
        group = file.create_group("day-b.jpg/day-a.jpg")
        group["keypoints0"], group["keypoints1"], group["scores"] = places(1), places(0), np.ones(POINTS, np.float16)
    dense = hloc.readDenseMatches(hloc_files / "dense.h5", NAMES, [(NAMES[0], NAMES[1])])
    assert (dense[0].first, dense[0].second) == (1, 0)
    assert [len(k) for k in multimatch.clusterMatches(dense, 3).keypoints] == [POINTS, POINTS, 0]
    with h5py.File(hloc_files / "old.h5", "w") as file:
        file.create_group("day-a.jpg_night-c.jpg")["matches0"] = np.arange(POINTS)
    old = hloc.readMatches(hloc_files / "old.h5", NAMES)
    assert [(p.first, p.second, len(p.matches)) for p in old] == [(0, 2, POINTS)]


def test_hloc_as_a_program(hloc_files, capsys):
    from cv2_multimatch import hloc
    files = [str(hloc_files / name) for name in ("features.h5", "matches.h5", "out.h5")]
    hloc.main(files + ["--pairs", str(hloc_files / "pairs.txt")])
    assert "50 tracks of 3 images" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="no.h5"):
        hloc.main([files[0], str(hloc_files / "no.h5"), files[2]])


def test_hloc_errors_name_what_is_missing(hloc_files):
    from cv2_multimatch import hloc
    with pytest.raises(ValueError, match="no key points of other.jpg"):
        hloc.readFeatures(hloc_files / "features.h5", ["other.jpg"])
    with pytest.raises(ValueError, match="no matches0 of day/a.jpg"):
        hloc.readMatches(hloc_files / "features.h5", NAMES, [(NAMES[0], NAMES[1])])
    with pytest.raises(ValueError, match="night-c.jpg"):
        hloc.readMatches(hloc_files / "matches.h5", NAMES[:2])
    (hloc_files / "pairs.txt").write_text("one\n")
    with pytest.raises(ValueError, match="pairs.txt:1: expected two names"):
        hloc.readPairs(hloc_files / "pairs.txt")


# Type stubs ---------------------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["hloc", "exchange"])
def test_type_stubs_have_the_same_functions_and_arguments(name):
    if name == "hloc":
        pytest.importorskip("h5py")
    module = importlib.import_module("cv2_multimatch." + name)
    tree = ast.parse(pathlib.Path(module.__file__).with_suffix(".pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert set(stubs) == set(module.__all__)
    # Types are those that there are.
    known = {"np": np, "cv2": cv2, **vars(importlib.import_module("typing")), **vars(multimatch)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            known[node.targets[0].id] = eval(compile(ast.Expression(node.value), "stub", "eval"), known)
    for entry, node in stubs.items():
        if isinstance(node, ast.ClassDef):
            fields = {field.target.id for field in node.body if isinstance(field, ast.AnnAssign)}
            assert fields == set(vars(getattr(module, entry)())), entry
            annotations = [field.annotation for field in node.body if isinstance(field, ast.AnnAssign)]
        else:
            parameters = inspect.signature(getattr(module, entry)).parameters
            assert [argument.arg for argument in node.args.args] == list(parameters), entry
            defaults = [parameter.default for parameter in parameters.values() if parameter.default is not parameter.empty]
            assert [ast.literal_eval(default) for default in node.args.defaults] == defaults, entry
            annotations = [argument.annotation for argument in node.args.args] + [node.returns]
        for annotation in annotations:
            eval(compile(ast.Expression(annotation), "stub", "eval"), {**known, entry: getattr(module, entry)},
                 {other: getattr(module, other) for other in module.__all__})


# Damaged files ---------------------------------------------------------------------------------------------------------------------


def damaged(content, seed):
    """The content with some bytes changed, cut out or repeated."""
    random = np.random.RandomState(seed)
    content = bytearray(content)
    for _ in range(random.randint(1, 5)):
        at, kind = random.randint(len(content)), random.randint(4)
        if kind == 0:
            content[at] = random.randint(256)
        elif kind == 1:
            content[at] ^= 1 << random.randint(8)
        elif kind == 2:
            del content[at:at + random.randint(1, 40)]
        else:
            content[at:at] = content[at:at + random.randint(1, 40)]
        content = content or bytearray(1)
    return bytes(content[:random.randint(len(content)) + 1] if random.randint(4) == 0 else content)


def expect_named_errors(path, read, count=300):
    """Damaged files are read or refused with their name. Returns how many were refused."""
    good = path.read_bytes()
    refused = 0
    for seed in range(count):
        path.write_bytes(damaged(good, seed))
        try:
            read(path)
        except ValueError as error:
            assert str(path) in str(error)
            str(error).encode("utf-8")
            refused += 1
    path.write_bytes(good)
    read(path)
    return refused


def small_problem():
    keypoints = [tuple(cv2.KeyPoint(float(10 * p + v), 5.0, 1.0) for p in range(3)) for v in range(2)]
    tracks = multimatch.Tracks([np.array([0, 1, -1], np.int32), np.array([1, 0, -1], np.int32)])
    return keypoints, [pair(0, 1, [(0, 1, 0.5), (1, 0, 1.0)])], tracks


def test_damaged_npz_files_are_refused_by_name(tmp_path):
    keypoints, matches, tracks = small_problem()
    path = tmp_path / "m.npz"
    exchange.writeNpz(path, keypoints, matches, [np.zeros((3, 4), np.float32)] * 2, ["a", "b"], tracks)
    assert expect_named_errors(path, exchange.readNpz) > 100
    # Without compression no checksum of the content is met first.
    with np.load(path) as file:
        np.savez(tmp_path / "plain.npz", **dict(file))
    assert expect_named_errors(tmp_path / "plain.npz", exchange.readNpz) > 100


def test_damaged_alicevision_files_are_refused_by_name(tmp_path):
    keypoints, _, tracks = small_problem()
    path = tmp_path / "tracks.json"
    exchange.writeAliceVision(path, [7, 9], keypoints, tracks)
    assert expect_named_errors(path, exchange.readAliceVision) > 100


def test_damaged_hloc_files_are_refused_by_name(hloc_files):
    from cv2_multimatch import hloc
    names = hloc.readFeatures(hloc_files / "features.h5").names
    assert expect_named_errors(hloc_files / "features.h5", hloc.readFeatures, 60) > 5
    assert expect_named_errors(hloc_files / "matches.h5", lambda path: hloc.readMatches(path, names), 60) > 5
    assert expect_named_errors(hloc_files / "pairs.txt", hloc.readPairs, 100) > 5


def test_files_are_believed_as_far_as_their_size_allows(hloc_files):
    """Each of these needs gigabytes if what it announces is allocated."""
    import h5py
    from cv2_multimatch import hloc
    header = np.lib.format.header_data_from_array_1_0(np.zeros((1, 2)))
    header["shape"] = (1 << 40, 2)
    with zipfile.ZipFile(hloc_files / "large.npz", "w") as archive:
        with archive.open("keypoints_0.npy", "w") as member:
            np.lib.format.write_array_header_1_0(member, header)
    with pytest.raises(ValueError, match="large.npz: keypoints_0.npy is announced with 17592186044416 bytes"):
        exchange.readNpz(hloc_files / "large.npz")
    with h5py.File(hloc_files / "large.h5", "w") as file:
        file.create_group("a").create_dataset("keypoints", (1 << 40, 2), np.float32, chunks=(1 << 10, 2))
    with pytest.raises(ValueError, match="large.h5: /a/keypoints is announced with 8796093022208 bytes"):
        hloc.readFeatures(hloc_files / "large.h5")
    feature = {"coords": [1, 2], "scale": 1}
    content = [[0, {"featPerView": [[view, dict(feature, featureId=60000000)] for view in range(50)]}]]
    (hloc_files / "large.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="large.json: the largest featureIds of all views add up to 3000000050"):
        exchange.readAliceVision(hloc_files / "large.json")
