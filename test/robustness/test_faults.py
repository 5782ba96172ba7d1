"""Runs that are killed, and runs without enough disk, memory or permission. After each every output is the old or the new
one as a whole, and a run that was not killed ends with a documented exit code and a sentence."""
import ctypes
import gzip
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from program import (BAD_ARGUMENTS, DONE, FAILED, PICTURES, PROGRAM, SMALL, SOME_UNREADABLE,
                     TOO_FEW_IMAGES, run)

KILLS = 100
MEMORY_STEPS = 30
# Output options by kind. A folder gets several files.
KINDS = {
    "yml": "--output=t.yml", "yml.gz": "--output=t.yml.gz", "json": "--output=t.json", "xml": "--output=t.xml",
    "csv": "--output=t.csv", "picture": "--draw=t.png", "report": "--report=t.html", "colmap text": "--colmap-text=text",
    "openmvg": "--openmvg=mvg", "opensfm": "--opensfm=opensfm.csv", "bal": "--bal=bal.txt",
}


def have_sqlite():
    connection_needed = run("--matches-from=/dev/null", "--colmap=/dev/null/x.db")
    return "no SQLite" not in connection_needed.errors


HAVE_SQLITE = have_sqlite()


def content(path):
    """What a file holds, less the stages of the run and their times: some outputs need a stage more. Fails where the
    file is not whole."""
    if path.suffix == ".db":
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        text = "\n".join(connection.iterdump())
        connection.close()
        return text
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.name.startswith("t."):
        data = re.sub(rb'stages:\s*\n(?:\s+- .*\n)*|"stages":\s*\[[^\[\]]*\],|<stages>[^<]*</stages>', b"", data)
        data = re.sub(rb'"?seconds"?:\s*\[[^]]*\]|<seconds>[^<]*</seconds>|"stages":\[\[.*\]\],', b"", data)
    return data.strip()


def outputs(folder):
    """Content by name of all files, without pictures that are read."""
    return {str(path.relative_to(folder)): content(path) for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".partial-") and not path.name.endswith("-journal")}


def litter(folder):
    return [str(path) for path in folder.rglob(".partial-*")]


def same_or_replaced(found, old, new):
    """Each file is the old or the new one; none is missing, none is a part."""
    assert found.keys() >= old.keys(), sorted(old.keys() - found.keys())
    for name, data in found.items():
        assert data == new.get(name) or data == old.get(name), f"{name} is neither the old nor the new file"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("input")
    for path in sorted(PICTURES.glob("*.png"))[:3]:
        shutil.copy(path, folder)
    return folder


class Work:
    """A folder with outputs of an earlier run, and what another run makes of it."""

    def __init__(self, pictures, folder, fill):
        self.folder = folder / "work"
        self.kept = folder / "kept"
        self.kept.mkdir()
        self.images = [f"--images={pictures}", *SMALL]
        self.kinds = dict(KINDS)
        if HAVE_SQLITE:
            self.kinds["database"] = "--colmap=t.db"
            self.images.append("--colmap-fill" if fill else "--force")
        self.arguments = [*self.images, *self.kinds.values()]
        # The pictures in another order have other tracks, and fewer key points.
        images = [f"--images={path}" for path in sorted(pictures.glob("*.png"), reverse=True)]
        run(*images, "--quiet", "--max-features=60", *self.kinds.values(), folder=self.kept).expect(DONE)
        if fill and HAVE_SQLITE:
            connection = sqlite3.connect(self.kept / "t.db")
            connection.executescript("DELETE FROM keypoints; DELETE FROM matches; DELETE FROM two_view_geometries;")
            connection.close()
        self.restore()
        self.old = outputs(self.folder)
        run(*self.arguments, folder=self.folder).expect(DONE)
        self.sizes = {str(path.relative_to(self.folder)): path.stat().st_size for path in self.folder.rglob("*")}
        self.new = outputs(self.folder)
        assert self.new.keys() == self.old.keys()
        assert all(self.new[name] != self.old[name] for name in self.new)

    def of_kind(self, kind):
        """Arguments of a run with this output alone."""
        images = [option for option in self.images if "database" in kind or option not in ("--colmap-fill", "--force")]
        return [*images, self.kinds[kind]]

    def restore(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)

    def check(self):
        same_or_replaced(outputs(self.folder), self.old, self.new)

    def check_next_run(self):
        """Nothing that a killed run left stops the next one, which removes it."""
        if "--colmap-fill" in self.arguments:
            shutil.copy(self.kept / "t.db", self.folder / "t.db")
        run(*self.arguments, folder=self.folder).expect(DONE)
        assert outputs(self.folder) == self.new
        assert litter(self.folder) == []

    def check_old(self):
        assert outputs(self.folder) == self.old
        assert litter(self.folder) == []


@pytest.fixture(scope="module", params=[True, False], ids=["fill", "replace"])
def work(request, pictures, tmp_path_factory):
    return Work(pictures, tmp_path_factory.mktemp("faults"), request.param)


@pytest.fixture(scope="module")
def filling(pictures, tmp_path_factory):
    return Work(pictures, tmp_path_factory.mktemp("filling"), True)


def files_changed(folder, before):
    return any(path not in before for path in os.listdir(folder))


def run_and_kill(work, seconds, from_first_file):
    """Starts a run and kills it after seconds, counted from the first new file where asked for. Returns how long it ran if
    it ended before, None if it was killed."""
    work.restore()
    before = set(os.listdir(work.folder))
    child = subprocess.Popen([PROGRAM, *work.arguments], cwd=work.folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    while from_first_file and child.poll() is None and not files_changed(work.folder, before):
        pass
    start = time.monotonic()
    try:
        code = child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        code = child.wait()
    if code == -signal.SIGKILL:
        return None
    assert code == DONE
    return time.monotonic() - start


def kill_while_incomplete(work):
    """Starts a run and kills it while a file is incomplete; the process is stopped first, so that the file stays so.
    False where the run was never seen with an incomplete file."""
    work.restore()
    child = subprocess.Popen([PROGRAM, *work.arguments], cwd=work.folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    while child.poll() is None:
        if not litter(work.folder):
            continue
        child.send_signal(signal.SIGSTOP)
        os.waitpid(child.pid, os.WUNTRACED)
        if litter(work.folder):
            child.kill()
            child.wait()
            return True
        child.send_signal(signal.SIGCONT)
    return False


def test_killed_at_any_moment(work):
    kills = KILLS if "--colmap-fill" in work.arguments else KILLS // 5
    # Of a whole run, and from its first file to its end. A machine may become faster or slower: measured again by every run
    # that ends before it is killed.
    durations = [run_and_kill(work, 600, False), run_and_kill(work, 600, True)]
    killed = 0
    for _ in range(5 * kills):
        if killed == kills:
            break
        # Every other one while files are written.
        during_writing = killed % 2 == 1
        duration = run_and_kill(work, durations[during_writing] * (killed + 0.5) / kills, during_writing)
        work.check()
        if duration is not None:
            durations[during_writing] = duration
            continue
        killed += 1
        if killed % 10 == 0:
            work.check_next_run()
    assert killed == kills


def test_killed_while_a_file_is_incomplete(work):
    killed = 0
    for _ in range(50):
        if killed == 3:
            break
        killed += kill_while_incomplete(work)
        work.check()
    assert killed == 3
    work.check_next_run()


def kinds_of(work):
    # The others do not depend on how a database is written.
    return list(work.kinds) if "--colmap-fill" in work.arguments else [kind for kind in work.kinds if kind == "database"]


def test_largest_file_size(work):
    for kind in kinds_of(work):
        name = re.sub("--[^=]*=", "", work.kinds[kind])
        size = max(bytes for path, bytes in work.sizes.items() if path == name or path.startswith(name + "/"))
        for limit in 0, size // 2, size - 1:
            work.restore()
            result = run(*work.of_kind(kind), folder=work.folder, limit=(resource.RLIMIT_FSIZE, limit))
            if limit == size - 1 and result.code == DONE:
                # The times of the run have fewer digits, or the old database was as large already.
                work.check()
                continue
            result.expect(FAILED)
            # Of several files in a folder some may be complete.
            work.check()
            if kind not in ("colmap text", "openmvg"):
                work.check_old()
            assert litter(work.folder) == []


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("no permission to mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk(pictures, tmp_path, small_disk):
    for kind, option in [*KINDS.items()] + ([("database", "--colmap=t.db")] if HAVE_SQLITE else []):
        folder = small_disk / "work"
        folder.mkdir()
        filler = os.open(small_disk / "filler", os.O_CREAT | os.O_WRONLY)
        with pytest.raises(OSError):
            while os.write(filler, b"\0" * 4096):
                pass
        os.close(filler)
        result = run(f"--images={pictures}", *SMALL, option, folder=folder)
        result.expect(FAILED)
        assert [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size] == [], kind
        os.remove(small_disk / "filler")
        shutil.rmtree(folder)


# A thread of OpenBLAS that gets no memory for its buffer tries again forever.
ONE_THREAD_OF_BLAS = {"OPENBLAS_NUM_THREADS": "1"}


def enough_memory(arguments, folder, first):
    """The least of first * 1.25^n bytes of address space with which a run succeeds."""
    limit = first
    while run(*arguments, folder=folder, limit=(resource.RLIMIT_AS, int(limit)),
              environment=ONE_THREAD_OF_BLAS).code != DONE:
        limit *= 1.25
        assert limit < 64e9
    return int(limit)


def test_short_of_memory(filling):
    work = filling
    # Below this the program cannot even load its libraries.
    least = enough_memory(["--version"], work.folder, 50e6)
    work.restore()
    enough = enough_memory(work.arguments, work.folder, least)
    codes = []
    for n in range(MEMORY_STEPS):
        work.restore()
        limit = least + (enough - least) * n // MEMORY_STEPS
        result = run(*work.arguments, folder=work.folder, limit=(resource.RLIMIT_AS, limit),
                     environment=ONE_THREAD_OF_BLAS)
        if result.code == -signal.SIGABRT and "buffer_area.cpp" in result.errors:
            # A destructor of OpenCV 4.6 throws where its allocation failed; see doc/reliability.md.
            work.check()
            continue
        result.expect(DONE, TOO_FEW_IMAGES, SOME_UNREADABLE, FAILED)
        codes.append(result.code)
        if result.code == SOME_UNREADABLE:
            continue # tracks of fewer images
        work.check()
        assert litter(work.folder) == []
    print(f"from {least >> 20} to {enough >> 20} MiB: exit codes {codes}")
    assert FAILED in codes or TOO_FEW_IMAGES in codes


def without_override():
    """Root does not pass over permissions any more."""
    libc = ctypes.CDLL(None)
    for capability in 1, 2: # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        libc.prctl(24, capability, 0, 0, 0) # PR_CAPBSET_DROP


def test_read_only_folder(work):
    for kind in kinds_of(work):
        work.restore()
        folders = [work.folder, *(path for path in work.folder.rglob("*") if path.is_dir())]
        for folder in folders:
            folder.chmod(0o555)
        try:
            # Found before anything is computed.
            run(*work.of_kind(kind), folder=work.folder, prepare=without_override).expect(BAD_ARGUMENTS)
            work.check_old()
        finally:
            for folder in folders:
                folder.chmod(0o755)


def test_pictures_vanish(tmp_path):
    pictures = sorted(PICTURES.glob("*.png"))[:4]
    folder = tmp_path / "input"
    seconds = None
    codes = set()
    for n in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for path in pictures:
            shutil.copy(path, folder)
        arguments = [f"--images={folder}", *SMALL, "--output=t.csv", "--draw=t.png"]
        if seconds is None:
            start = time.monotonic()
            run(*arguments, folder=tmp_path).expect(DONE)
            seconds = time.monotonic() - start
        before = content(tmp_path / "t.csv")
        child = subprocess.Popen([PROGRAM, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
        time.sleep(seconds * n / 20)
        # One vanishes, or all.
        for path in list(folder.iterdir())[:1 if n % 2 else None]:
            path.unlink()
        errors = child.communicate()[1].decode(errors="replace")
        codes.add(child.returncode)
        # 1: the folder was empty already.
        assert child.returncode in (DONE, 1, TOO_FEW_IMAGES, SOME_UNREADABLE), errors
        assert child.returncode == DONE or errors.strip()
        if child.returncode in (1, TOO_FEW_IMAGES):
            assert content(tmp_path / "t.csv") == before
        assert litter(tmp_path) == []
    assert len(codes) > 1
