"""What the tests of this folder share: runs of multimatch_tracks and what is expected of every one of them."""
import os
import pathlib
import resource
import signal
import subprocess
import threading

PROGRAM = os.environ["MULTIMATCH_TRACKS"]
PICTURES = pathlib.Path(os.environ["MULTIMATCH_PICTURES"])
LONGEST_RUN = 120 # seconds; a run that takes longer hangs and is killed
SMALL = ["--max-features=100", "--quiet"]

DONE, BAD_ARGUMENTS, TOO_FEW_IMAGES, SOME_UNREADABLE, FAILED = range(5)


class Run:
    """A finished run."""

    def __init__(self, code, errors, peak_bytes):
        self.code = code
        self.errors = errors
        self.peak_bytes = peak_bytes

    def expect(self, *codes):
        """The run ended with one of these exit codes, not by a signal, and says why in a sentence where it failed."""
        assert self.code >= 0, f"ended by {signal.Signals(-self.code).name}: {self.errors}"
        assert self.code in codes, f"ended with {self.code}, expected one of {codes}: {self.errors}"
        if self.code not in (DONE, SOME_UNREADABLE):
            assert self.errors.startswith("multimatch_tracks: ") or "multimatch_tracks: " in self.errors, self.errors
            assert len(self.errors.split("multimatch_tracks: ", 1)[1].split()) >= 3, self.errors
        return self


def run(*arguments, folder=None, limit=None, prepare=None, environment=None):
    """Runs the program. limit: (resource, bytes) for setrlimit; prepare: called in the child before."""
    def before():
        if limit:
            resource.setrlimit(limit[0], (limit[1], limit[1]))
        if prepare:
            prepare()

    child = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=before,
                             env={**os.environ, **(environment or {})})
    alarm = threading.Timer(LONGEST_RUN, child.kill)
    alarm.start()
    errors = child.stderr.read().decode(errors="replace")
    child.stderr.close()
    _, status, usage = os.wait4(child.pid, 0)
    alarm.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return Run(child.returncode, errors, usage.ru_maxrss * 1024)
