"""`morenashi status`: how the index is, whether it says what the disk says, and how the daemons, the servers over HTTP
and their clients are.

Counts and places come from the databases and the disk, so it works without a server; each adds what only it knows.
Exit code: 0, whatever it says.
"""

import argparse
import contextlib
import json
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from morenashi.indexer.collections import Collection, collections_of, display_name
from morenashi.indexer.config import Config
from morenashi.indexer.database import open_reader
from morenashi.indexer.index_state import read_generation
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.presence import is_folder, is_there
from morenashi.indexer.salvage import COMPANIONS
from morenashi.indexer.schema import DatabaseTooNewError, is_ours, refuse_newer
from morenashi.indexer.terminal import DONE, show, where_manuals_are
from morenashi.indexer.writer_lock import writer_lock_of
from morenashi.server.edge.daemon.control import (
    SilentServerError,
    ask_state,
    find_http_sockets,
    find_logs,
    find_sockets,
)
from morenashi.server.edge.daemon.log import last_errors
from morenashi.server.health.holders import find_holders, is_held
from morenashi.server.keeper.disk import changed_on_disk

_ERRORS_SHOWN = 5
_NAMES_SHOWN = 10
_OF_ANOTHER_VERSION = "another version made it; a server of this one brings it forward, once no other server keeps it"
Facts = dict[str, Any]


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Gather, and print as text or as JSON."""
    root = str(config.root)
    facts: Facts = {
        "workspace": root,
        "collections": {collection.kind: _index(config, collection) for collection in collections_of(config)},
        "memory": _memory(config.database),
        "daemons": _servers(find_sockets(root), root),
        "http": _servers(find_http_sockets(root), root),
        "last_errors": _errors(root),
    }
    facts["keepers"] = _other_keepers(config, facts["daemons"] + facts["http"])
    show(json.dumps(facts, ensure_ascii=False) if arguments.json else "\n".join(_describe(facts)))
    return DONE


def _index(config: Config, collection: Collection) -> Facts:
    """What an index holds, and which documents differ on disk."""
    facts: Facts = {"database": str(collection.database), "size_bytes": _size(collection.database)}
    if not is_there(collection.database):
        away = f", and no folder {collection.root}; {where_manuals_are(config.manuals_root)}"
        return facts | {"problem": f"there is no index yet{'' if is_folder(collection.root) else away}"}
    try:
        facts |= _count(collection.database)
        if "problem" in facts:
            return facts
        differing = sorted(display_name(key) for key in changed_on_disk(collection))
    except (RootMissingError, DatabaseTooNewError) as error:
        return facts | {"problem": str(error)}
    except sqlite3.DatabaseError as error:
        return facts | {"problem": f"it cannot be read: {error}"}
    return facts | {"differing": len(differing), "differing_names": differing[:_NAMES_SHOWN]}


def _count(database: Path) -> Facts:
    """What the tables hold; with a `problem` if another version made them: they are not compared with the disk then."""
    with contextlib.closing(open_reader(database)) as connection:
        refuse_newer(connection)
        documents, lines = connection.execute(_TOTALS).fetchone()
        facts: Facts = {
            "documents": documents,
            "sections": connection.execute("SELECT count(*) FROM sections").fetchone()[0],
            "lines": lines,
            "not_indexed": dict(connection.execute(_NOT_INDEXED).fetchall()),
            "generation": read_generation(connection),
        }
        return facts if is_ours(connection) else facts | {"problem": _OF_ANOTHER_VERSION}


def _memory(database: Path) -> Facts | None:
    """What is remembered; `None` if that cannot be told."""
    with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(open_reader(database)) as connection:
        policy = connection.execute("SELECT version FROM policies ORDER BY revision DESC LIMIT 1").fetchone()
        claims = connection.execute("SELECT count(*) FROM claims").fetchone()[0]
        return {"claims": claims, "policy": policy and policy[0]}
    return None


def _servers(sockets: list[Path], root: str) -> list[Facts]:
    """Those that live: a socket may be left over of one that was killed."""
    return [server for path in sockets if (server := _server(path, root)) is not None]


def _server(path: Path, root: str) -> Facts | None:
    try:
        state = ask_state(path, root)
    except SilentServerError as error:
        return {"socket": str(path), "pid": error.pid, "is_stopped": error.is_stopped, "problem": str(error)}
    return state and {"socket": str(path), **state}


def _other_keepers(config: Config, found: list[Facts]) -> list[Facts]:
    """Who keeps an index and is none of those: a server of one client alone, or one whose socket lies elsewhere."""
    known = {server.get("pid") for server in found}
    locks = [writer_lock_of(collection.database) for collection in collections_of(config)]
    holders = {holder.pid: holder for lock in locks if is_held(lock) for holder in find_holders(lock)}
    return [{"pid": pid, "command": holder.command} for pid, holder in holders.items() if pid not in known]


def _errors(root: str) -> list[Facts]:
    errors = [error for log in find_logs(root) for error in last_errors(log)]
    return sorted(errors, key=lambda error: str(error.get("ts")))[-_ERRORS_SHOWN:]


def _size(database: Path) -> int:
    """The bytes of a database and of its log; copies that were set aside are not of it."""
    size = 0
    for file in (Path(f"{database}{end}") for end in ("", *COMPANIONS)):
        # A log goes with the last process that has it open; of a workspace that is a link to itself nothing is there.
        with contextlib.suppress(OSError):
            size += file.stat().st_size
    return size


def _describe(facts: Facts) -> list[str]:
    lines = [facts["workspace"]]
    for kind, index in facts["collections"].items():
        lines += [f"{kind}: {text}" for text in _describe_index(index)]
    if memory := facts["memory"]:
        lines.append(f"memory: {memory['claims']} claims, policy {memory['policy'] or 'none'}")
    if not facts["daemons"]:
        lines.append("daemon: none runs")
    for daemon in facts["daemons"]:
        lines += _describe_daemon(daemon)
    for server in facts["http"]:
        lines += _describe_http(server)
    for keeper in facts["keepers"]:
        lines.append(f"index: kept by process {keeper['pid']} ({keeper['command']}), which has no socket here")
    for error in facts["last_errors"]:
        lines.append(f"error: {error.get('ts')} {error.get('tool')} {error.get('error') or error.get('notice') or ''}")
    return lines


def _describe_index(index: Facts) -> list[str]:
    lines = []
    if "documents" in index:
        counts = f"{index['documents']} documents, {index['sections']} sections, {index['lines']} lines"
        lines.append(f"{counts}, generation {index['generation']}, {index['size_bytes'] / 1e6:.1f} MB")
        lines += [f"{count} not indexed: {reason}" for reason, count in sorted(index["not_indexed"].items())]
    if "problem" in index:
        lines.append(index["problem"])
    elif index["differing"]:
        lines.append(f"{index['differing']} differ on disk: {', '.join(index['differing_names'])}")
    else:
        # Those that are not indexed have not changed since either; but of their lines the index has none.
        lines.append("all others are as on the disk" if index["not_indexed"] else "as the disk")
    return lines


def _describe_daemon(daemon: Facts) -> list[str]:
    if "problem" in daemon:
        return [f"daemon: {daemon['problem']} ({daemon['socket']}); `morenashi stop` ends it"]
    lines = [f"daemon: {_describe_process(daemon)}", *_describe_collections(daemon)]
    lines += [f"  client: process {client['pid']}, for {_minutes(client['since'])}" for client in daemon["clients"]]
    return lines if daemon["clients"] else [*lines, "  no clients"]


def _describe_http(server: Facts) -> list[str]:
    if "problem" in server:
        return [f"http: {server['problem']} ({server['socket']}); end its process"]
    clients = ", ".join(f"{name} ({count})" for name, count in sorted(server["clients"].items()))
    return [
        f"http: {server['url']}, {_describe_process(server)}",
        *_describe_collections(server),
        f"  clients within five minutes: {clients or 'none'}",
    ]


def _describe_process(server: Facts) -> str:
    started = datetime.fromtimestamp(server["started"], UTC).isoformat(timespec="seconds")
    memory = f", {server['rss_bytes'] / 1e6:.0f} MB" if server["rss_bytes"] else ""
    return f"{server['version']}, process {server['pid']}, since {started}{memory}"


def _describe_collections(server: Facts) -> list[str]:
    lines = []
    for kind, state in server["collections"].items():
        if state["is_writer"]:
            parts = ["writes", f"watches by {state['watcher'] or 'nothing'}"]
        else:
            parts = ["follows another writer"]
        parts += [f"{state['pending_files']} files pending", f"{state['queue']} in the queue"]
        parts += ["degraded: it is being rebuilt"] if state["degraded"] else []
        parts += [f"failed: {state['failure']}"] if state["failure"] else []
        lines.append(f"  {kind}: {', '.join(parts)}")
    return lines


def _minutes(since: float) -> str:
    return f"{max(time.time() - since, 0) / 60:.0f} minutes"


_TOTALS = "SELECT count(*), coalesce(sum(lines), 0) FROM documents"

_NOT_INDEXED = "SELECT status, count(*) FROM documents WHERE status <> 'indexed' GROUP BY status"
