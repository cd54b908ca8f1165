"""What may be written where: `.system/` never, a daily note once and then only at its end (contract §1), and nothing
that another program would run.
"""

import re
from datetime import date
from typing import Literal

from morenashi.indexer.vault_names import DAILY_FOLDERS, is_daily, is_of_another_program, is_system, is_temporary
from morenashi.server.errors import ToolError

Action = Literal["create", "append", "overwrite", "replace"]

_DAILY_NAME = re.compile(r"\d{4}-\d{2}-\d{2}\.md", re.ASCII)


def check_may_write(parts: tuple[str, ...], action: Action, parameter: str) -> None:
    """Raise `forbidden` if the path is reserved for something else, in whatever spelling."""
    if is_system(parts) or any(map(is_temporary, parts)):
        raise _forbidden(parts, parameter, "this name is reserved for the server")
    if is_of_another_program(parts):
        # Whoever tells an agent what to write would have it run on the user's machine.
        raise _forbidden(parts, parameter, "another program runs what is written there; change it by hand")
    if not is_daily(parts):
        return
    if parts[:-1] not in DAILY_FOLDERS or not _is_daily_name(parts[-1]):
        raise _forbidden(parts, parameter, "a daily note is daily/YYYY-MM-DD.md, of a day in the calendar")
    if action not in ("create", "append"):
        raise _forbidden(parts, parameter, "a daily note only grows: use vault_write, or copy, with mode append")


def _is_daily_name(name: str) -> bool:
    if not _DAILY_NAME.fullmatch(name):
        return False
    try:
        date.fromisoformat(name.removesuffix(".md"))
    except ValueError:
        return False
    return True


def _forbidden(parts: tuple[str, ...], parameter: str, reason: str) -> ToolError:
    return ToolError("forbidden", f"{parameter}: {reason}", parameter=parameter, path="/".join(parts))
