"""What a file has beside its content, mode and owner: extended attributes, and a list of who else may use it.

Linux alone: elsewhere Python does not show them, and a file that takes another's place is without them.
"""

import contextlib
import os

_ACCESS_LIST = "system.posix_acl_access"
_OWN = "user."
"""What people and their programs set. `security.` and `trusted.` are the system's, which gives a new file its own: some
are digests of the content, and true of no other.
"""


def keep_attributes(old: int, new: int) -> None:
    """Give the file behind the descriptor `new`, which has the mode of `old`, what `old` has, as far as it takes it.

    The access list too: without it, what the mode says of others whom it names would hold for the file's group.
    """
    if not hasattr(os, "listxattr"):
        return
    names = _names_of(old)
    for name in names:
        if name.startswith(_OWN) or name == _ACCESS_LIST:
            # A file system of another kind, or no room for it: the text is kept all the same.
            with contextlib.suppress(OSError):
                os.setxattr(new, name, os.getxattr(old, name))
    if _ACCESS_LIST not in names:
        # The folder may have a default one, which the old file was not under.
        with contextlib.suppress(OSError):
            os.removexattr(new, _ACCESS_LIST)


def _names_of(descriptor: int) -> list[str]:
    try:
        return os.listxattr(descriptor)
    except OSError:
        return []
