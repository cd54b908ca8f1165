"""`morenashi explain-miss`: why a line is not among the candidates of a question.

Exit codes: 0 it is, or lies in the section of one; 1 it is not; the others as `reindex`.
"""

import argparse
import os
import re
import sqlite3
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.files import key_below_root, parts_below_root, to_nfc
from morenashi.indexer.presence import current_folder
from morenashi.indexer.terminal import DIFFERENT, DONE, show
from morenashi.server.asking import make_request
from morenashi.server.errors import ToolError
from morenashi.server.explain import LinePlace, explain
from morenashi.server.explained import Step, describe, report
from morenashi.server.manuals.catalogue import path_on_disk, require_manual
from morenashi.server.paths import parse_relative_path
from morenashi.server.search.adaptation.adaptive import read_thresholds, tuning_of
from morenashi.server.search.canonical import to_line

from .opening import open_present_index

# From 1 on, and no longer than any file has lines.
_LINE = re.compile("0{0,9}[1-9][0-9]{0,17}")


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Explain one line; what is wrong with the call is raised as `ToolError`."""
    parts, line = _parse_place(arguments.place, config)
    dictionaries = load_dictionaries(config.dictionaries)
    with open_present_index(config, dictionaries) as opened:
        connection = opened.connection
        place = LinePlace(_spelled(connection, parts), line)
        manual_id = arguments.manual or config.default_manual_id
        named_by = "--manual" if arguments.manual else "DEFAULT_MANUAL_ID"
        request = make_request(
            arguments.query,
            require_manual(connection, manual_id, named_by) if manual_id else None,
            config,
            dictionaries,
            thresholds=read_thresholds(connection, tuning_of(config)),
        )
        steps = explain(connection, config.manuals, opened.pending, place, request)
        if "/".join(place.parts) in opened.indexed_now:
            steps.insert(0, Step("the file differed from the index until this command indexed it"))
    told = report({"place": f"{'/'.join(place.parts)}:{place.line}", "query": arguments.query}, steps)
    show(to_line(told) if arguments.json else describe(told))
    return DONE if told["conclusion"] in ("candidate", "in_candidate") else DIFFERENT


def _parse_place(text: str, config: Config) -> tuple[tuple[str, ...], int]:
    """The components of a path below the manuals' root, and the line (1-based)."""
    path, _, line = text.rpartition(":")
    if not path or not _LINE.fullmatch(line):
        raise ToolError("invalid_parameter", "PATH:LINE: expected a path, a colon and a line from 1 on")
    # By its whole path, a file that is not there can be told from others, too.
    is_whole = Path(path).is_absolute()
    for base in filter(None, (config.manuals, current_folder())):
        full = Path(os.path.abspath(base / path))  # noqa: PTH100 - resolve() would follow a link that is to be named
        if (parts := _below(config.manuals, full)) and (is_whole or os.path.lexists(full)):
            return parts, int(line)
    if is_whole:
        raise ToolError("out_of_scope", f"PATH: {path} does not lie below {config.manuals}")
    return parse_relative_path(path, "PATH"), int(line)


def _below(root: Path, full: Path) -> tuple[str, ...] | None:
    """The components of a path below a root; `None` if it lies elsewhere. Links that lead to the root are followed, as
    the workspace's own; one that lies in it is named.
    """
    for folder in reversed(full.parents):
        if os.path.realpath(folder) == str(root):
            return full.relative_to(folder).parts
    return None


def _spelled(connection: sqlite3.Connection, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The same in the Unicode form of the disk, if the index knows the file."""
    manual_id, path = key_below_root(parts)
    return parts_below_root(manual_id, path_on_disk(connection, manual_id, path, to_nfc(path))) if path else parts
