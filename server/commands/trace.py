"""`morenashi trace`: shows what a search was and found, asks it again, and says what differs.

Exit codes: 0 done, or `diff` found nothing that differs; 1 `diff` found something; the others as `reindex`.
"""

import argparse
import json
import sqlite3
from dataclasses import asdict, dataclass

from morenashi.indexer.collections import display_name
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.files import Key
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.indexer.versions import FileChanges, changes_between
from morenashi.server.replay import find_repeatable, find_stored, is_of_an_older_version, replay, was_cut_by_time
from morenashi.server.search.canonical import as_canonical, to_line
from morenashi.server.search.differences import compare
from morenashi.server.search.traces import Trace, is_expired

from .opening import open_present_index, open_stored_index
from .trace_text import describe_difference, describe_list, describe_trace


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run an action; what fails is raised as `ToolError`."""
    if arguments.action == "list":
        return _list(config, as_json=arguments.json)
    if arguments.action == "show":
        return _show(config, arguments.id, as_json=arguments.json)
    if arguments.action == "replay":
        return _replay(config, arguments.id)
    return _diff(config, arguments.id, as_json=arguments.json)


def _list(config: Config, *, as_json: bool) -> int:
    with open_stored_index(config) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute(_OVERVIEW)]
    show(json.dumps(rows, ensure_ascii=False) if as_json else describe_list(rows))
    return DONE


def _show(config: Config, trace_id: str, *, as_json: bool) -> int:
    with open_stored_index(config) as connection:
        trace = find_stored(connection, trace_id)
    has_expired = is_expired(trace.created_at, config.trace_ttl_sec)
    show(to_line(as_canonical(trace)) if as_json else describe_trace(trace, has_expired=has_expired))
    return DONE


def _replay(config: Config, trace_id: str) -> int:
    asked = _ask_again(config, trace_id)
    for remark in _remarks(asked):
        notice(remark)
    show(to_line(as_canonical(asked.repeated)))
    return DONE


def _diff(config: Config, trace_id: str, *, as_json: bool) -> int:
    asked = _ask_again(config, trace_id)
    difference = compare(as_canonical(asked.trace), as_canonical(asked.repeated))
    is_same = difference.is_empty and not any(asked.files or ())
    report = {
        "trace_id": trace_id,
        "identical": is_same,
        "files": asked.files and asked.files._asdict(),
        "remarks": _remarks(asked),
        **asdict(difference),
    }
    show(to_line(report) if as_json else describe_difference(report))
    return DONE if is_same else DIFFERENT


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search then and now. `files` is `None` if the content of that time was not noted."""

    trace: Trace
    repeated: Trace
    files: FileChanges | None
    pending: frozenset[Key]


def _ask_again(config: Config, trace_id: str) -> _Asked:
    with open_stored_index(config) as connection:
        trace = find_repeatable(connection, trace_id)
    dictionaries = load_dictionaries(config.dictionaries)
    with open_present_index(config, dictionaries) as opened:
        repeated = replay(opened.connection, trace, config, dictionaries, opened.pending)
        files = None
        if not is_of_an_older_version(trace):
            files = changes_between(opened.connection, trace.index_generation, repeated.index_generation)
    return _Asked(trace, repeated, files, opened.pending)


def _remarks(asked: _Asked) -> list[str]:
    """Why the two may differ though no file does."""
    remarks = []
    if is_of_an_older_version(asked.trace):
        remarks.append("kept by an older version: what changed since is not known, defaults stand for its settings")
    if was_cut_by_time(asked.trace) or was_cut_by_time(asked.repeated):
        remarks.append("cut by its time budget, then or now: what it examined is a matter of speed")
    if unindexed := asked.trace.summary["completeness"]["pending_files"]:
        remarks.append(f"when it was asked, {unindexed} changed files were not in the index yet")
    if asked.pending:
        names = ", ".join(sorted(map(display_name, asked.pending)))
        remarks.append(f"a server keeps this index; not in it yet, though changed on disk: {names}")
    return remarks


_OVERVIEW = """
SELECT trace_id, created_at, tool, query, manual_id, candidates, completeness, integration_status, cutoff_reason
FROM trace_overview
ORDER BY created_at DESC, trace_id
"""
