"""scripts/paper_table.py and the arguments of scripts/reproduce_paper.sh."""

import os
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "scripts"
HEADER = "suite,set,method,metric,value\n"
PAGE = "before\n<!-- %s -->\nold\n<!-- end of %s -->\nafter\n"


def rows(*values):
    return HEADER + "".join("suite,%s,%s,%s,%s\n" % value for value in values)


def make(folder, experiment, text, page=PAGE, output="first line\nsecond\n"):
    (folder / "table.csv").write_text(text)
    (folder / "output.txt").write_text(output)
    (folder / "page.md").write_text(page.replace("%s", experiment))
    result = subprocess.run([sys.executable, str(SCRIPTS / "paper_table.py"), experiment, str(folder / "table.csv"),
                             str(folder / "output.txt"), str(folder / "page.md")],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    return result, (folder / "page.md").read_text()


def test_willow_stands_beside_the_paper(tmp_path):
    result, page = make(tmp_path, "willow", rows(
        ("willow/car", "hippi", "fscore", 1), ("willow/car", "hippi", "seconds", 0.5),
        ("willow/car", "cao", "fscore", 0.75), ("willow/car", "cao", "seconds", 2)))
    assert result.returncode == 0, result.stderr
    assert "| ours, default | 1.000 (0.50) |  | 1.000 |  |" in page
    assert "| cao (Yan et al. 2016) | 0.750 (2.00) | .57 (21.5) | 0.750 | +0.250 |" in page
    assert page.startswith("before\n") and page.endswith("after\n") and "old" not in page
    assert result.stdout.strip() in page


def test_scaling_is_relative_to_ours(tmp_path):
    result, page = make(tmp_path, "scaling", rows(
        ("100", "hippi", "seconds", 0.1), ("100", "hippi", "fscore", 1), ("1000", "hippi", "seconds", 0.2),
        ("1000", "hippi", "fscore", 1), ("100", "cao", "seconds", 0.3), ("100", "cao", "fscore", 1),
        ("1000", "cao", "seconds", 5), ("1000", "cao", "fscore", 0.9)))
    assert result.returncode == 0, result.stderr
    assert "| cao (Yan et al. 2016) | 0.3000 | 5.0000 | 25.0 | 0.900 |" in page


def test_images_quote_the_size(tmp_path):
    values = [("images", "QuickMatch", metric, value)
              for metric, value in [("precision", 0.9), ("recall", 0.8), ("fscore", 0.85), ("fscore-deviation", 0.01),
                                    ("cycle-error", 0), ("seconds", 1)]]
    result, page = make(tmp_path, "images", rows(*values))
    assert result.returncode == 0, result.stderr
    assert "first line\n\n|" in page
    assert "| QuickMatch | 0.900 | 0.800 | 0.850 +- 0.010 | 0.000 | 1.00 | .71 +- .03 |" in page


def test_shapes_have_the_tracks_of_the_paper(tmp_path):
    values = [("centaur/independent", "sparse", metric, value)
              for metric, value in [("mean-error", 0.1), ("pck-0.050", 0.5), ("mean-error-up-to-symmetry", 0.05),
                                    ("tracks", 40), ("tracks-in-all", 2), ("seconds", 3)]]
    result, page = make(tmp_path, "shapes", rows(*values))
    assert result.returncode == 0, result.stderr
    assert "| centaur/independent | sparse (Cosmo et al. 2017) | 0.1000 | 0.500 | 0.0500 | 40 | 2 | 3.0 | 51 |" in page


def test_a_page_without_the_block_is_an_error(tmp_path):
    result, page = make(tmp_path, "willow", rows(("willow/car", "hippi", "fscore", 1), ("willow/car", "hippi", "seconds", 1)),
                        page="nothing\n")
    assert result.returncode == 1
    assert "has 0 blocks <!-- willow -->" in result.stderr
    assert page == "nothing\n"


@pytest.mark.parametrize("arguments, message", [([], "Usage: "), (["cars"], "Usage: "), (["willow"], "needs a folder of data"),
                                                (["shapes", "/nonexistent"], "needs a folder of data")])
def test_wrong_arguments(arguments, message):
    environment = {name: value for name, value in os.environ.items() if name != "MULTIMATCH_TEST_DATA"}
    result = subprocess.run([str(SCRIPTS / "reproduce_paper.sh"), *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True, env=environment)
    assert result.returncode == 1
    assert message in result.stderr
