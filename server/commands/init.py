"""`morenashi init`: makes a workspace and prints what a client needs to be told. Writes over nothing.

Exit codes: 0 done, also if all was there already; 2 wrong usage or settings, or the folder cannot be made.
"""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.presence import is_folder
from morenashi.indexer.terminal import DONE, notice, show
from morenashi.server.errors import ToolError
from morenashi.server.health.findings import counted, listed
from morenashi.server.health.overlooked import markdown_beside

from .client_blocks import CLIENTS, ClientKind, find_clients, running_command, serve_command


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Make what is missing; what was made goes to stderr, the blocks to stdout."""
    client = _parse_client(arguments.client)
    for made in _make_workspace(config):
        notice(f"made {made}")
    _remark_on_git(config.root / ".gitignore")
    command = serve_command(running_command(sys.argv, Path(sys.prefix), os.environ), config.root)
    if client:
        notice(f"{client.name}: {client.where}")
        show(client.write(command))
    else:
        _show_blocks(find_clients(_home(), os.environ.get("PATH")), command)
    _remark_on_documents(config)
    return DONE


def _make_workspace(config: Config) -> Iterable[Path]:
    """Make the folders and files of a workspace that are not there yet, and name those that were made.

    Raises `forbidden` for what cannot be made.
    """
    here: Path = config.root
    try:
        for here in (config.root, config.manuals, config.vault, config.dictionaries):
            if not is_folder(here):
                here.mkdir(parents=True)
                yield here
        for name, content in _FILES.items():
            here = config.root / name
            if not os.path.lexists(here):
                with here.open("x", encoding="utf-8") as file:
                    file.write(content)
                yield here
    except OSError as error:
        raise ToolError("forbidden", f"{here} cannot be made: {os.strerror(error.errno or 0)}") from None


def _parse_client(key: str | None) -> ClientKind | None:
    if key is None:
        return None
    # The names are shown as well, with capitals.
    given = key.casefold()
    for client in CLIENTS:
        if given in (client.key, client.name.casefold()):
            return client
    raise ToolError("invalid_parameter", f"--client: one of {_KEYS} was expected")


def _remark_on_git(ignored: Path) -> None:
    try:
        is_known = _IGNORED in ignored.read_text("utf-8", "replace").split()
    except OSError:
        is_known = False
    if not is_known:
        notice(f"your {ignored.name} was left as it is; add the line {_IGNORED}, or git keeps the database")


def _home() -> Path | None:
    """The user's home folder. One who is but a number, as in a container, has none."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def _show_blocks(clients: list[ClientKind], command: tuple[str, ...]) -> None:
    for client in clients:
        show(f"{client.name}: {client.where}\n\n{client.write(command)}\n")
    found = "" if clients else "no client was found here; "
    notice(f"{found}`--client NAME` prints the block of any of these: {_KEYS}")
    notice("put each manual into a folder of its own below manuals/; the server indexes by itself")


def _remark_on_documents(config: Config) -> None:
    """Who points at a folder of documents is told that they are not searched where they lie."""
    if not _is_empty(config.manuals):
        return
    if beside := markdown_beside(config):
        files, are = counted(len(beside), "Markdown file"), "is" if len(beside) == 1 else "are"
        notice(f"{files} beside {config.manuals.name}/ {are} not searched there: {listed(beside)}")


def _is_empty(folder: Path) -> bool:
    """Whether nothing lies there. Of a folder that may not be read nothing is said."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False


_KEYS = ", ".join(client.key for client in CLIENTS)

_IGNORED = "/data/"

_FILES = {
    ".gitignore": f"# The index, the traces and the memory: made by morenashi, not to be kept by git.\n{_IGNORED}\n",
    "dictionaries/synonyms.txt": """\
# Words that mean the same here: a group a line, members separated by commas. Read when a server starts.
# They are added to those that morenashi brings along. For example:
#
# sign-in, login, ログイン
""",
    "dictionaries/okurigana.txt": """\
# Words that are written in several ways: one a line, in parentheses what may be left out, or its spellings with commas
# between. They are found inside longer words, too. Read when a server starts. They are added to those that morenashi
# brings along. For example:
#
# 焼(き)戻(し)
# 漏洩, 漏えい
""",
    "dictionaries/verbs.txt": """\
# Verbs as people ask with them, each with the nouns that your manuals say the same with: one verb a line. What has
# such a noun comes first among what is found, and is found where the manuals hardly have the verb. Read when a server
# starts. They are added to those that morenashi brings along. For example:
#
# 締める, 決算, 締結
""",
    "dictionaries/exceptions.txt": """\
# Expressions that say "except", "only if", "not in this case": one a line, below a heading with their kind.
# They are added to those that morenashi brings along. For example:
#
# [exclusion]
# を適用しない
# except{ for| as|}
#
# A line with ! in front is a false friend: what shares a character with it does not count.
# !ただし書
""",
}
