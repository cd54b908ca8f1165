"""A folder that another process swaps for a link, and back, as fast as it can."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_SWAP = """
import os, shutil, sys
folders, stop = sys.argv[1:-1], sys.argv[-1]

def put_back(folder):
    while os.path.lexists(folder + '.kept'):
        try:
            if os.path.lexists(folder) and not os.path.isdir(folder) or os.path.islink(folder):
                os.unlink(folder)
            os.rename(folder + '.kept', folder)
        except OSError:
            # A tool has made a folder of this name, or a file, where there was none for a moment.
            shutil.rmtree(folder, ignore_errors=True)

while not os.path.exists(stop):
    for folder in folders:
        os.rename(folder, folder + '.kept')
        try:
            os.symlink(os.environ['OUTSIDE'], folder)
        except FileExistsError:
            pass
        put_back(folder)
"""


@contextlib.contextmanager
def swapping(outside: Path, *folders: Path) -> Iterator[None]:
    """Swap each of the folders for a link to `outside`, again and again; in the end all are what they were."""
    stop = outside.with_name("stop")
    command = [sys.executable, "-c", _SWAP, *map(str, folders), str(stop)]
    with subprocess.Popen(command, env={"OUTSIDE": str(outside)}) as process:
        try:
            yield
        finally:
            stop.touch()
            try:
                assert process.wait(60) == 0
            finally:
                process.kill()
                stop.unlink()


def check_then_open(root: Path, parts: tuple[str, ...]) -> str:
    """The guard that is not ours: it looks where a path leads, and then opens it. Kept as the baseline."""
    path = root.joinpath(*parts)
    if not path.resolve().is_relative_to(root.resolve()):
        raise PermissionError("outside")
    return path.read_text("utf-8")
