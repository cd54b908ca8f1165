"""File systems that send no events: network and shared folders, where the kernel does not see what others write."""

import re
from pathlib import Path

_SILENT = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "vboxsf", "fuse", "virtiofs", "drvfs")
_OCTAL = re.compile(r"\\([0-7]{3})")


def is_silent(root: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Whether `root` lies on a file system that sends no events for what others write."""
    try:
        # Of what Python ends a line at, the kernel escapes the line feed alone.
        lines = mounts.read_bytes().decode("utf-8", "replace").split("\n")
    except OSError:
        return False
    innermost, found = -1, ""
    for place, kind in (line.split(" ")[1:3] for line in lines if line):
        mount = Path(_OCTAL.sub(lambda match: chr(int(match[1], 8)), place))
        # Of two mounts at one place the later one lies on top.
        if (root == mount or mount in root.parents) and len(mount.parts) >= innermost:
            innermost, found = len(mount.parts), kind
    return found in _SILENT or found.startswith("fuse.")
