"""What the readers and writers of files share."""

import contextlib
import os
import tempfile


@contextlib.contextmanager
def newFile(path):
    """Gives the name of a temporary file, which becomes path when the block ends without an exception."""
    path = os.fspath(path)
    number, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".")
    os.close(number)
    try:
        yield name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    finally:
        if os.path.exists(name):
            os.remove(name)


@contextlib.contextmanager
def namedErrors(path):
    """Whatever a library raises while it reads path becomes a ValueError with the name of the file, except what has it already and missing files."""
    path = os.fspath(path)
    try:
        yield
    except Exception as error:
        missing = isinstance(error, OSError) and error.errno is not None and error.filename is not None
        if missing or isinstance(error, ValueError) and str(error).startswith(path):
            raise
        text = str(error).encode("utf-8", "backslashreplace").decode() or type(error).__name__
        raise ValueError("%s: %s%s" % (path, "" if isinstance(error, ValueError) else "cannot be read: ", text)) from error


# Deflate, the compression of .npz files and of HDF5, does not store more than this many bytes in one.
MOST_PER_BYTE = 1032


def checkClaimed(path, name, claimed, stored):
    """Raises ValueError where an array is announced with more bytes than its part of the file can hold."""
    if claimed > MOST_PER_BYTE * stored + 1024:
        raise ValueError("%s: %s is announced with %d bytes but has %d in the file" % (path, name, claimed, stored))
