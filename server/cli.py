"""The `morenashi` command. Each verb imports only what it needs: `import mcp` takes half a second."""

import argparse
import importlib
import os
import sqlite3
import sys
from pathlib import Path

import morenashi
from morenashi.indexer.config import Config, ConfigError, read_config
from morenashi.indexer.database import UnsupportedSqliteError
from morenashi.indexer.files import is_storable
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.presence import is_folder
from morenashi.indexer.salvage import describe
from morenashi.indexer.schema import DatabaseTooNewError
from morenashi.indexer.terminal import (
    GRANT,
    NO_WORKSPACE,
    TOO_NEW,
    USAGE,
    admit_any_text,
    fail,
    finish,
    refuse_closed,
    where_manuals_are,
)
from morenashi.indexer.writer_lock import WorkspaceUnwritableError

from .clients import Client, ToolsetError, parse_toolsets
from .commands.arguments import add_verbs
from .errors import ToolError
from .heap import share_one_heap
from .imports import import_for_good


def main(arguments: list[str] | None = None) -> int:
    """Run a verb and return the exit code."""
    admit_any_text()
    parser = _parser()
    if not (sys.argv[1:] if arguments is None else arguments):
        parser.print_help(sys.stderr)
        return USAGE
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit:
        # Help that was asked for lies in the buffer.
        finish()
        raise
    if parsed.workspace:
        os.environ["WORKSPACE_ROOT"] = parsed.workspace
    try:
        config = read_config()
    except ConfigError as error:
        return fail(str(error), USAGE)
    except FileNotFoundError:
        # A folder's own path is asked of the system, which has none for what was deleted.
        return fail("the current folder was deleted; go to another, or give --workspace with its whole path", USAGE)
    given = [value for value in vars(parsed).values() if isinstance(value, str)]
    if not all(map(is_storable, [str(config.root), *given])):
        return fail("what is given, and the workspace's name, have to be UTF-8: no client could name it", USAGE)
    if _is_closed(config.root):
        return fail(f"{config.root} may not be entered: {GRANT}", USAGE)
    if parsed.verb == "reindex":
        from morenashi.indexer import cli

        return cli.run(parsed, config)
    if parsed.verb not in ("serve", "daemon"):
        return _command(parsed, config)
    if not is_folder(config.root):
        return fail(f"{config.root} is no folder; {NO_WORKSPACE}", USAGE)
    share_one_heap()
    try:
        return _run_daemon(parsed, config) if parsed.verb == "daemon" else _serve(parsed, config)
    except ConfigError as error:
        return fail(str(error), USAGE)
    except ToolsetError as error:
        return fail(f"--{error}", USAGE)


def _is_closed(folder: Path) -> bool:
    """Whether it is there, and its user is refused what lies in it."""
    try:
        # A `Path` would lose the dot: to look at a folder, one need not be let in.
        os.stat(f"{folder}/.")  # noqa: PTH116
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _command(parsed: argparse.Namespace, config: Config) -> int:
    """A command of its own file: errors in the words of the tools, codes as `reindex` has them."""
    command = importlib.import_module(f".commands.{parsed.verb.replace('-', '_')}", __package__)
    try:
        return int(command.run(parsed, config))
    except ToolError as error:
        return fail(f"{error.code}: {error.message}", USAGE)
    except RootMissingError as error:
        return fail(f"not_found: {error}; {where_manuals_are(config.manuals_root)}", USAGE)
    except (ConfigError, WorkspaceUnwritableError) as error:
        return fail(str(error), USAGE)
    except PermissionError as error:
        return refuse_closed(error)
    except (DatabaseTooNewError, UnsupportedSqliteError) as error:
        return fail(str(error), TOO_NEW)
    except sqlite3.DatabaseError as error:
        return fail(f"conflict: the database cannot be used: {describe(error)}; see `morenashi doctor`", USAGE)


def _run_daemon(parsed: argparse.Namespace, config: Config) -> int:
    # The index is opened afterwards: its threads would only hold up the imports.
    return int(import_for_good("daemon.daemon").run(config, parsed.lock_fd, parsed.idle_seconds))


def _serve(parsed: argparse.Namespace, config: Config) -> int:
    client = Client("local", toolsets=parse_toolsets(parsed.toolsets), read_only=parsed.read_only)
    if parsed.http is not None:
        return int(import_for_good("http.serving").run(config, parsed.http, parsed.tokens, client))
    if parsed.tokens:
        raise ConfigError("--tokens: only --http takes tokens")
    return int(import_for_good("stdio").run(config, client))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="morenashi", description="Exhaustive search over manuals, for agents.")
    parser.add_argument("--version", action="version", version=f"morenashi {morenashi.__version__}")
    add_verbs(parser.add_subparsers(dest="verb", required=True, metavar="VERB", title="verbs"))
    return parser
