"""Files of hloc through multimatch_tracks: right ones, chosen pairs, and damaged ones."""
import csv
import os
import pathlib
import subprocess

import pytest

from program import BAD_ARGUMENTS, DONE, FAILED, PROGRAM, run

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")

NAMES = ["day/a.jpg", "day/b.jpg", "night/c.jpg"]
POINTS = 60
MATCHED = 50


@pytest.fixture
def files(tmp_path):
    """Files as hloc writes them: half precision, nested groups, and in one pair a wrong match."""
    random = np.random.RandomState(1)
    places = 600 * random.rand(POINTS, 2)
    with h5py.File(tmp_path / "features.h5", "w") as file:
        for view, name in enumerate(NAMES):
            group = file.create_group(name)
            group.create_dataset("keypoints", data=(places + 3 * view).astype(np.float16 if view == 2 else np.float32),
                                 compression="gzip")
            group["scores"] = random.rand(POINTS).astype(np.float32)
            group["descriptors"] = random.rand(16, POINTS).astype(np.float16)
            group["image_size"] = np.array([640, 480])
    with h5py.File(tmp_path / "matches.h5", "w") as file:
        for first, second in ((0, 1), (0, 2), (2, 1)):
            partner = np.arange(POINTS, dtype=np.int16)
            partner[MATCHED:] = -1
            if (first, second) == (0, 2):
                partner[3], partner[17] = 17, -1  # wrong, as 0 - 1 - 2 says
            group = file.create_group(NAMES[first].replace("/", "-") + "/" + NAMES[second].replace("/", "-"))
            group["matches0"] = partner
            group["matching_scores0"] = np.where(partner < 0, 0, 0.9).astype(np.float16)
    (tmp_path / "pairs.txt").write_text("%s %s\n" % (NAMES[1], NAMES[2]))
    if "(not in this build)" in subprocess.run([PROGRAM, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode():
        without_hdf5(tmp_path)
        pytest.skip("this build has no HDF5")
    return tmp_path


def without_hdf5(folder):
    assert "libhdf5-dev" in run(f"--matches-from={folder}/matches.h5").expect(BAD_ARGUMENTS).errors


def tracks_of(path):
    """Sets of (image, point) from a .csv file of tracks."""
    tracks = {}
    with open(path, newline="") as lines:
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            tracks.setdefault(row["track"], set()).add((row["image"], int(row["point"])))
    return sorted(map(sorted, tracks.values()))


def test_matches_become_consistent_tracks(files):
    run(f"--matches-from={files}/matches.h5", f"--output={files}/t.csv").expect(DONE)
    assert tracks_of(files / "t.csv") == sorted([(name, point) for name in NAMES] for point in range(MATCHED))


def test_the_pairs_file_chooses_pairs(files):
    os.rename(files / "features.h5", files / "other.h5")
    run(f"--matches-from={files}/matches.h5", f"--features-from={files}/other.h5", f"--pairs={files}/pairs.txt",
        f"--output={files}/t.csv").expect(DONE)
    assert tracks_of(files / "t.csv") == sorted([(name, point) for name in NAMES[1:]] for point in range(MATCHED))


def test_same_tracks_as_in_python(files):
    multimatch = pytest.importorskip("cv2_multimatch")
    from cv2_multimatch import hloc
    tracks, features = hloc.synchronize(files / "features.h5", files / "matches.h5", files / "consistent.h5")
    run(f"--matches-from={files}/matches.h5", f"--output={files}/t.yml").expect(DONE)
    read, views = multimatch.readTracks(str(files / "t.yml"))
    assert [view.name for view in views] == features.names
    for view in range(3):
        np.testing.assert_array_equal(read.trackIds(view), tracks.trackIds(view))
        np.testing.assert_allclose([k.pt for k in views[view].keypoints], [k.pt for k in features.keypoints[view]])


def test_what_is_missing_is_named(files):
    assert "--features-from" in run(f"--matches-from={files}/matches.h5", f"--features-from={files}/no.h5").expect(BAD_ARGUMENTS).errors
    assert "belongs to" in run(f"--images={files}", f"--features-from={files}/features.h5").expect(BAD_ARGUMENTS).errors
    assert "retrieval" in run(f"--matches-from={files}/matches.h5", "--pairs=retrieval:3").expect(BAD_ARGUMENTS).errors
    with h5py.File(files / "features.h5", "r+") as file:
        del file[NAMES[2]]
    assert "night-c.jpg" in run(f"--matches-from={files}/matches.h5", f"--output={files}/t.csv").expect(FAILED).errors
    with h5py.File(files / "dense.h5", "w") as file:
        file["day-a.jpg/day-b.jpg/keypoints0"] = np.zeros((4, 2))
    assert "dense matcher" in run(f"--matches-from={files}/dense.h5", f"--features-from={files}/features.h5").expect(FAILED).errors


@pytest.mark.parametrize("change, message", [
    (lambda group: group.__setitem__("matches0", np.full(POINTS, POINTS)), "has 60 key points"),
    (lambda group: group.__setitem__("matches0", np.zeros(3, int)), "expected 60"),
    (lambda group: group.__setitem__("matches0", np.zeros((2, 2, 2))), "dimensions"),
    (lambda group: group.create_dataset("matches0", (2 ** 31 - 1,), np.int64, chunks=(1000,)), "more than the file can have"),
    (lambda group: group.__setitem__("matches0", h5py.ExternalLink("/etc/passwd", "/")), "no matches0"),
])
def test_matches_that_do_not_fit(files, change, message):
    with h5py.File(files / "matches.h5", "r+") as file:
        group = file["day-a.jpg/day-b.jpg"]
        del group["matches0"]
        change(group)
    assert message in run(f"--matches-from={files}/matches.h5", f"--output={files}/t.csv").expect(FAILED).errors
    assert not (files / "t.csv").exists()


def test_damaged_files(files):
    whole = (files / "matches.h5").read_bytes()
    random = np.random.RandomState(1)
    for n in range(20):
        damaged = bytearray(whole if n % 2 else whole[:random.randint(8, len(whole))])
        for place in random.randint(8, len(damaged), 20):
            damaged[place] = random.randint(256)
        (files / "damaged.h5").write_bytes(damaged)
        run(f"--matches-from={files}/damaged.h5", f"--features-from={files}/features.h5", "--quiet",
            f"--output={files}/t.csv").expect(DONE, BAD_ARGUMENTS, FAILED)
