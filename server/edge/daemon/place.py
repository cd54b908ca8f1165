"""Where a workspace's daemon is found: a socket in a folder of the user's own, with its lock and log beside it.

The standard library alone, and little of it: every client's process imports this, and `pathlib` would cost it a
megabyte.
"""

import contextlib
import os
import stat
import zlib
from collections.abc import Mapping

import morenashi

SETTINGS = (
    "MANUALS_ROOT",
    "VAULT_ROOT",
    "DEFAULT_MANUAL_ID",
    "ADAPTIVE_TUNING",
    "ADAPTIVE_STATS_PATH",
    "ADAPTIVE_MIN_RECALL",
    "ADAPTIVE_CANDIDATE_LOW_BASE",
    "ADAPTIVE_FILE_BIAS_BASE",
    "VAULT_SCAN_DEFAULT_CHUNK_LINES",
    "VAULT_SCAN_MAX_CHUNK_LINES",
    "COVERAGE_MIN_RATIO",
    "MARGINAL_GAIN_MIN",
    "TRACE_MAX_KEEP",
    "TRACE_TTL_SEC",
    "ALLOW_FILE_SCOPE",
    "HARD_MAX_SECTIONS",
    "HARD_MAX_CHARS",
    "DEFAULT_MAX_STAGE",
    "HARD_MAX_STAGE",
    "WATCH",
    "MORPHOLOGY",
    "VECTORS",
    "MEMORY_ALLOW",
    "MEMORY_RATE_LIMIT",
    "MEMORY_EMBEDDING_URL",
    "MEMORY_EMBEDDING_MODEL",
    "MEMORY_EMBEDDING_KEY",
    "MEMORY_MODEL_FOLDER",
    "POLICY_KEYS",
)
"""The settings that a daemon's clients must have in common: all of `Config` but the workspace, which has a part of the
name to itself, those of `serve --http`, and LOG_LEVEL, which changes no answer."""

LOG_LEVELS = ("error", "warn", "info")
"""What LOG_LEVEL may be. It is in no daemon's name: of a wrong one a daemon that runs already would say nothing."""

# 108 on Linux, 104 on macOS, the zero at the end included.
_MOST_PATH_BYTES = 100


class NoPlaceError(Exception):
    """There is no folder in which a socket would be safe. The message says why."""


class DaemonPlace:
    """The files of one daemon: of this version, for this workspace with these settings.

    `prefix` begins the names of all daemons of the workspace, whatever their version and settings.
    """

    def __init__(self, folder: str, prefix: str, name: str, root: str) -> None:
        self.folder = folder
        self.prefix = prefix
        self.root = root
        self.socket = f"{folder}/{prefix}{name}.sock"
        self.lock = f"{folder}/{prefix}{name}.lock"
        self.log = f"{folder}/{prefix}{name}.log"

    def http_socket(self, process: int) -> str:
        """Where a server over HTTP says how it is."""
        return f"{self.folder}/{self.prefix}{process}.http"


def find_place(root: str, environment: Mapping[str, str] = os.environ) -> DaemonPlace:
    """The place of a workspace's daemon; the folder is made. Raises `NoPlaceError`."""
    prefix = f"{zlib.crc32(os.fsencode(root)):08x}-"
    name = f"{_digest_settings(environment)}-{morenashi.__version__}"
    return DaemonPlace(_socket_folder(environment), prefix, name, root)


def workspace_root(given: str | None) -> str:
    """The absolute path of the workspace that a command line, or else the environment, names."""
    return os.path.realpath(given or os.environ.get("WORKSPACE_ROOT") or ".")


def _digest_settings(environment: Mapping[str, str]) -> str:
    """CRC-32, as `hashlib` would cost each client 4 MB. Two workspaces of one digest are told apart by the hello."""
    given = "\0".join(f"{name}={environment[name]}" for name in SETTINGS if environment.get(name))
    return f"{zlib.crc32(os.fsencode(given)):08x}"


def _socket_folder(environment: Mapping[str, str]) -> str:
    """A folder that only this user can enter: `$XDG_RUNTIME_DIR/morenashi`, else one below the temporary folder.

    What is relative is passed over, as the XDG specification asks: a daemon stands elsewhere than its clients.
    """
    own = f"morenashi-{os.geteuid()}"
    candidates = (_own_runtime(environment), "morenashi"), (environment.get("TMPDIR"), own), ("/tmp", own)
    room = _MOST_PATH_BYTES - len(f"/00000000-00000000-{morenashi.__version__}.sock")
    obstacle: OSError | None = None
    for parent, name in candidates:
        folder = f"{parent}/{name}"
        if not parent or not parent.startswith("/") or len(os.fsencode(folder)) > room:
            continue
        try:
            _make_private(folder)
        except OSError as error:
            # That of another user, say, as it may be after `su`.
            obstacle = error
        else:
            return folder
    raise NoPlaceError(str(obstacle))


def _own_runtime(environment: Mapping[str, str]) -> str | None:
    """`$XDG_RUNTIME_DIR` if it is this user's. After `su` it is that of another, who could not enter what root made."""
    folder = environment.get("XDG_RUNTIME_DIR")
    with contextlib.suppress(OSError):
        if folder and os.stat(folder).st_uid == os.geteuid():  # noqa: PTH116
            return folder
    return None


def _make_private(folder: str) -> None:
    """Make the folder, or see that nobody else can enter the one that is there. Raises `OSError` if it cannot be made,
    and `NoPlaceError` if it is not safe: somebody may have put it there.
    """
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)  # noqa: PTH102
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise NoPlaceError(f"{folder} is not a folder of this user's alone (0700)")
