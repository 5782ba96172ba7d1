"""scripts/plot_benchmark.py on small CSV files."""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("matplotlib")

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "scripts/plot_benchmark.py"
HEADER = "suite,set,method,metric,value\n"

ACCURACY = HEADER + """accuracy,photos/home,hippi,fscore,0.98
accuracy,photos/home,unionfind,fscore,0.84
accuracy,photos/board,hippi,fscore,0.97
accuracy,oxford/boat,hippi,curve-correct-pairs-0.00,900
accuracy,oxford/boat,hippi,curve-precision-0.00,0.8
accuracy,oxford/boat,hippi,curve-correct-pairs-0.50,700
accuracy,oxford/boat,hippi,curve-precision-0.50,0.95
accuracy,oxford/boat,unionfind,correct-pairs,650
accuracy,oxford/boat,unionfind,pair-precision,0.9
accuracy,photos,hippi,reliability-count-0.9,100
accuracy,photos,hippi,reliability-confidence-0.9,0.96
accuracy,photos,hippi,reliability-correct-0.9,0.97
"""
SCALE = HEADER + """scale,10000,hippi,seconds,0.8
scale,10000,hippi,peak-rss-bytes,300000000
scale,30000,hippi,seconds,2.5
scale,30000,hippi,peak-rss-bytes,700000000
scale,all,hippi,exponent,1.03
"""


def plot(folder, text, *options):
    table = folder / "table.csv"
    table.write_text(text)
    return subprocess.run([sys.executable, str(SCRIPT), str(table), str(folder / "plots"), *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def names(folder):
    return sorted(path.name for path in (folder / "plots").iterdir())


def test_accuracy_gives_one_plot_for_each_family_and_curve(tmp_path):
    result = plot(tmp_path, ACCURACY)
    assert result.returncode == 0, result.stderr
    assert names(tmp_path) == ["fscore-photos.png", "precision-oxford-boat.png", "reliability.png"]
    for path in (tmp_path / "plots").iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_text_of_a_plot(tmp_path):
    # Text stays text in SVG only if matplotlib does not turn it into paths; titles remain as comments.
    result = plot(tmp_path, ACCURACY, "--format=svg")
    assert result.returncode == 0, result.stderr
    bars = (tmp_path / "plots/fscore-photos.svg").read_text()
    for text in ("F-score, photos", "home", "board", "hippi", "unionfind"):
        assert "<!-- %s -->" % text in bars
    curve = (tmp_path / "plots/precision-oxford-boat.svg").read_text()
    for text in ("correct pairs", "precision", "unionfind"):
        assert "<!-- %s -->" % text in curve


def test_scale(tmp_path):
    result = plot(tmp_path, SCALE)
    assert result.returncode == 0, result.stderr
    assert names(tmp_path) == ["scale.png"]


def test_objects(tmp_path):
    rows = "".join("objects,%d,%s,seconds,%s\n" % (points, method, seconds)
                   for points, method, seconds in [(100, "hippi", 0.01), (200, "hippi", 0.02), (100, "cao", 0.1)])
    result = plot(tmp_path, HEADER + rows, "--format=svg")
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "plots/objects.svg").read_text()
    for word in ("points of all objects", "hippi", "cao"):
        assert "<!-- %s -->" % word in text


def test_shapes(tmp_path):
    rows = "".join("shapes,wolf/shuffled,%s,%spck-%s,%s\n" % (method, kind, limit, share)
                   for method, kind, limit, share in [("ours", "", "0.050", 0.9), ("ours", "", "0.025", 0.5),
                                                      ("ours", "symmetric-", "0.025", 0.6), ("paper", "", "0.025", 0.1)])
    result = plot(tmp_path, HEADER + rows, "--format=svg")
    assert result.returncode == 0, result.stderr
    assert names(tmp_path) == ["pck-wolf-shuffled.svg"]
    curve = (tmp_path / "plots/pck-wolf-shuffled.svg").read_text()
    for text in ("direct", "up to symmetry", "ours", "paper"):
        assert "<!-- %s -->" % text in curve


@pytest.mark.parametrize("text, message", [
    ("", "line 1: expected suite,set,method,metric,value"),
    ("a,b\n", "line 1: expected suite,set,method,metric,value, found a,b"),
    (HEADER, "has no rows"),
    (HEADER + "accuracy,photos/home,hippi,fscore\n", "line 2: expected 5 columns, found 4"),
    (HEADER + "accuracy,photos/home,hippi,fscore,high\n", "line 2: expected a number as value, found high"),
    (HEADER + "speed,photos,hippi,seconds,1\n", "no rows to plot; expected the suite accuracy, objects, scale or shapes, found speed"),
])
def test_errors_name_the_place(tmp_path, text, message):
    result = plot(tmp_path, text)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_file(tmp_path):
    result = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path / "absent.csv"), str(tmp_path)],
                            stderr=subprocess.PIPE, universal_newlines=True)
    assert result.returncode == 1
    assert "absent.csv" in result.stderr and "Traceback" not in result.stderr
