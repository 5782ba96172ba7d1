"""Databases and lists of images that were made to do damage."""
import pathlib
import shutil
import sqlite3

import pytest

from program import DONE, FAILED, PICTURES, SMALL, run

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def matched(tmp_path_factory):
    """A database as multimatch_tracks writes it."""
    name = tmp_path_factory.mktemp("matched") / "matched.db"
    result = run(f"--images={PICTURES}", *SMALL, f"--colmap={name}")
    if "no SQLite" in result.errors:
        pytest.skip("this build has no SQLite")
    result.expect(DONE)
    return name


@pytest.fixture
def database(matched, tmp_path):
    """A copy of it, which a test changes."""
    return pathlib.Path(shutil.copy(matched, tmp_path / "untrusted.db"))


def execute(database, script):
    connection = sqlite3.connect(database)
    connection.executescript(script)
    connection.commit()
    connection.close()


def rows(database, query):
    connection = sqlite3.connect(database)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_triggers_have_no_effect_on_what_we_write(database):
    before = rows(database, "SELECT image_id, rows, cols, data FROM keypoints ORDER BY image_id")
    execute(database, """
        DELETE FROM keypoints; DELETE FROM matches; DELETE FROM two_view_geometries;
        CREATE TRIGGER a AFTER INSERT ON keypoints BEGIN UPDATE images SET name = 'stolen' || image_id; END;
        CREATE TRIGGER b AFTER INSERT ON matches BEGIN DELETE FROM keypoints; END;""")
    names = rows(database, "SELECT name FROM images ORDER BY image_id")
    run(f"--images={PICTURES}", *SMALL, f"--colmap={database}", "--colmap-fill").expect(DONE)
    assert rows(database, "SELECT name FROM images ORDER BY image_id") == names
    assert rows(database, "SELECT image_id, rows, cols, data FROM keypoints ORDER BY image_id") == before


@pytest.mark.parametrize("table", ["cameras", "images", "keypoints", "two_view_geometries"])
def test_views_and_virtual_tables_are_refused(database, table, tmp_path):
    for made in (f"CREATE VIEW {table} AS SELECT * FROM real", f"CREATE VIRTUAL TABLE {table} USING fts4(a)"):
        copy = pathlib.Path(shutil.copy(database, tmp_path / "copy.db"))
        execute(copy, f"ALTER TABLE {table} RENAME TO real; {made}")
        result = run(f"--matches-from={copy}", "--quiet", f"--output={tmp_path}/t.csv").expect(FAILED)
        assert f'"{table}" is not an ordinary table' in result.errors
        result = run(f"--images={PICTURES}", *SMALL, f"--colmap={copy}", "--colmap-fill").expect(FAILED)
        assert f'"{table}" is not an ordinary table' in result.errors


def test_values_larger_than_the_file_are_refused(database, tmp_path):
    # The file stores an expression; its value would take 800 MB.
    execute(database, """
        DROP TABLE keypoints;
        CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER,
          data BLOB AS (zeroblob(800000000)));
        INSERT INTO keypoints (image_id, rows, cols) SELECT image_id, 100000000, 2 FROM images;""")
    usual = run("--version").expect(DONE).peak_bytes
    result = run(f"--matches-from={database}", "--quiet", f"--output={tmp_path}/t.csv").expect(FAILED)
    assert "too big" in result.errors
    assert result.peak_bytes < usual + 100 * MEGABYTE


@pytest.mark.parametrize("rows, complaint", [(-1, "have -1 rows"), (2000000000, "1600 bytes, expected 8000000000 numbers")])
def test_counts_that_no_data_backs_are_refused(database, tmp_path, rows, complaint):
    usual = run("--version").expect(DONE).peak_bytes
    execute(database, f"UPDATE keypoints SET rows = {rows} WHERE image_id = 1")
    result = run(f"--matches-from={database}", "--quiet", f"--output={tmp_path}/t.csv").expect(FAILED)
    assert complaint in result.errors and str(database) in result.errors
    assert result.peak_bytes < usual + 100 * MEGABYTE
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.parametrize("name", ["../escaped.jpg", "a/../../escaped.jpg", "{top}/escaped.jpg", "..\\\\escaped.jpg"])
def test_names_in_a_database_do_not_leave_the_folder(database, tmp_path, name):
    name = name.format(top=tmp_path)
    execute(database, f"UPDATE images SET name = '{name}' WHERE image_id = 1")
    folder = tmp_path / "out" / "text"
    folder.mkdir(parents=True)
    before = files_below(tmp_path)
    result = run(f"--matches-from={database}", "--quiet", f"--colmap-text={folder}").expect(FAILED)
    assert "outside of the folder" in result.errors
    assert files_below(tmp_path) == before
    run(f"--matches-from={database}", "--quiet", f"--openmvg={folder}").expect(DONE)
    assert [path for path in files_below(tmp_path) if path not in before and not path.startswith("out/text/")] == []


def test_names_in_a_list_do_not_leave_the_folder(tmp_path):
    pictures = sorted(PICTURES.glob("*.png"))
    inside, outside = tmp_path / "work" / "inside", tmp_path / "outside"
    for folder, picture in (inside, pictures[0]), (outside, pictures[1]):
        folder.mkdir(parents=True)
        shutil.copy(picture, folder / "picture.png")
    names = tmp_path / "work" / "list.txt"
    names.write_text("inside/picture.png\ninside/../../outside/picture.png\n")
    before = files_below(tmp_path)
    result = run(f"--images={names}", *SMALL, f"--colmap-text={tmp_path}/work/out/text").expect(FAILED)
    assert "outside of the folder" in result.errors
    assert files_below(tmp_path) == before
