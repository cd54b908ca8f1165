"""`morenashi memory`: lists claims, says why one is not recalled, moves them as JSON lines, and forgets one for good.

Exit codes as `reindex`; `explain` gives 1 if the claim is not recalled, `export` if it leaves something out that cannot
be read any more, `forget` if a file that cannot be cleared still holds the text.
"""

import argparse
import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from morenashi.indexer.claim_index import SCOPES
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.presence import is_file, is_there
from morenashi.indexer.private_files import create_private, keep_mode
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.calls.memory_inputs import Activate
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.errors import ToolError
from morenashi.server.explained import describe, report
from morenashi.server.memory import audit_log
from morenashi.server.memory.claim_lines import StoredClaim, parse_claims
from morenashi.server.memory.claims import Claim
from morenashi.server.memory.explaining import Question, explain_claim
from morenashi.server.memory.exporting import export_claims, find_unreadable
from morenashi.server.memory.forgetting import clear_files, find_rest, forget, list_merged
from morenashi.server.memory.ids import to_shown
from morenashi.server.memory.importing import import_claims, judge_new
from morenashi.server.memory.listing import Listed, Wanted, list_claims
from morenashi.server.memory.nearest import nearest_to
from morenashi.server.memory.policies import PolicyChangedError, current_version, expect_in_force
from morenashi.server.memory.policy_tool import current_policy
from morenashi.server.memory.providers import make_provider
from morenashi.server.memory.writer import MemoryWriter
from morenashi.server.search.canonical import to_line

from .given_file import read_given
from .opening import open_memory, open_stored_index


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run an action; what fails is raised as `ToolError`."""
    if arguments.action == "list":
        return _list(config, arguments)
    if arguments.action == "explain":
        return _explain(config, arguments)
    if arguments.action == "export":
        return _export(config, arguments.file)
    if arguments.action == "import":
        return _import(config, arguments.file)
    return _forget(config, arguments.id)


def _list(config: Config, arguments: argparse.Namespace) -> int:
    wanted = Wanted(arguments.scope, arguments.kind, arguments.boundary_class, arguments.state)
    with open_stored_index(config) as connection:
        policy = current_policy(connection).policy
        listed = list_claims(connection, policy, config.memory_tags, datetime.now(UTC), wanted)
        if arguments.json:
            show(json.dumps([_as_json(one) for one in listed], ensure_ascii=False))
            return DONE
        first = next(listed, None)
        if first is None:
            notice("there are no such claims")
            return DONE
        for one in chain([first], listed):
            show(_as_line(one))
    return DONE


def _as_json(one: Listed) -> dict[str, Any]:
    claim = one.claim
    return {
        "id": claim.id,
        "updated_at": to_shown(claim.updated_at),
        "scope": claim.scope,
        "kind": claim.kind,
        "boundary_class": claim.boundary_class,
        "states": one.states,
        "text": one.text,
    }


def _as_line(one: Listed) -> str:
    claim = one.claim
    # Claims are of agents' making: nothing in them is a command to the terminal.
    words = "-" if one.text is None else "".join(c if c.isprintable() else "\ufffd" for c in _on_one_line(one.text))
    layer = f"{claim.scope:<9}  {claim.boundary_class:<8}  {claim.kind:<11}"
    return f"{claim.id}  {claim.updated_at[:19]}  {layer}  {','.join(one.states) or '-'}  {words}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _explain(config: Config, arguments: argparse.Namespace) -> int:
    asked = parse_arguments(Activate, {"q": arguments.question, "scope": arguments.scope})
    provider = make_provider(config)
    with open_stored_index(config) as connection:
        policy = current_policy(connection).policy
        nearest = nearest_to(asked.q, provider, policy) if provider else None
        synonyms = load_dictionaries(config.dictionaries).recall
        question = Question(config, asked.q, tuple(asked.scope or SCOPES), config.memory_tags, synonyms, nearest)
        steps = explain_claim(connection, arguments.id, question, policy, datetime.now(UTC))
    told = report({"id": arguments.id, "question": asked.q}, steps)
    show(to_line(told) if arguments.json else describe(told))
    return DONE if told["conclusion"] == "recalled" else DIFFERENT


def _export(config: Config, file: str) -> int:
    with open_stored_index(config) as connection:
        connection.execute("BEGIN")
        lines = export_claims(connection)
        _write(lines, file)
        count = connection.execute("SELECT count(*) FROM claims").fetchone()[0]
        unreadable = find_unreadable(connection)
    notice(f"{count} claims written")
    for claim_id in unreadable:
        notice(f"{claim_id}: what of its provenance, entities or relations cannot be read any more is left out")
    return DIFFERENT if unreadable else DONE


def _write(lines: Iterator[str], file: str) -> None:
    if file == "-":
        for line in lines:
            show(line)
        return
    target = Path(file)
    draft = target
    try:
        target = Path(os.path.realpath(file))
        # Not named after it: that may be as long as a name can be.
        draft = target.with_name(f".claims.{os.getpid()}")
        # What is there stays until all is written. A pipe has no such choice.
        draft = draft if is_file(target) or not is_there(target) else target
        if draft != target:
            create_private(draft)
            # What is there already goes on being whose it was.
            keep_mode(target, draft)
        with draft.open("w", encoding="utf-8", newline="\n") as written:
            written.writelines(f"{line}\n" for line in lines)
        draft.replace(target)
    except OSError as error:
        raise ToolError("forbidden", f"{file} cannot be written: {os.strerror(error.errno or 0)}") from None
    finally:
        if draft != target:
            with contextlib.suppress(OSError):
                draft.unlink()


def _import(config: Config, file: str) -> int:
    claims = parse_claims(_read(file))
    with open_memory(config) as writer:
        while (counts := _take(config, writer, claims)) is None:
            pass
    new, known = counts
    notice(f"{new} claims taken, {known} were there already")
    return DONE


def _take(config: Config, writer: MemoryWriter, claims: Sequence[StoredClaim]) -> tuple[int, int] | None:
    """How many were new and known; `None` if another policy came into force meanwhile, and nothing was taken."""
    with open_stored_index(config) as connection:
        applied = current_policy(connection)
        judged = judge_new(connection, claims, applied.policy, config.memory_tags)

    def take(connection: sqlite3.Connection) -> tuple[int, int]:
        expect_in_force(connection, applied.revision)
        counts = import_claims(connection, claims, applied.policy, config.memory_tags, judged)
        audit_log.append(connection, audit_log.by_command("memory import", applied.version))
        return counts

    try:
        return writer.write(take)
    except PolicyChangedError:
        return None


def _read(file: str) -> str:
    """The whole text, before anything is opened: a pipe may stay open for long."""
    data = read_given(file)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ToolError("VALIDATION_ERROR", f"line {line}: expected text in UTF-8", line=line) from None


def _forget(config: Config, claim_id: str) -> int:
    def take(connection: sqlite3.Connection) -> tuple[Claim, list[str]]:
        merged = list_merged(connection, claim_id)
        claim = forget(connection, claim_id) or find_rest(config.database, claim_id)
        if claim is None:
            raise ToolError("UNKNOWN_CLAIM", "there is no such claim")
        audit_log.append(connection, audit_log.by_command("memory forget", current_version(connection), claim_id))
        return claim, merged

    with open_memory(config) as writer:
        claim, merged = writer.write(take)
    receipt = clear_files(config.database, claim)
    shown = {"forgotten": claim_id, "searched_bytes": receipt.searched, "still_in": receipt.still_in}
    show(json.dumps(shown | {"said_elsewhere": receipt.is_said_elsewhere, "found_again": merged}))
    for other in merged:
        notice(
            f"{other} says nearly the same, was merged into it, and is found again: `morenashi memory forget {other}`"
        )
    for file in receipt.deleted:
        notice(f"{file} held it too and could not be read by this version: it was deleted")
    for file in receipt.still_in:
        notice(f"still in {file}: {_what_helps(config, file)}")
    return DIFFERENT if receipt.still_in else DONE


def _what_helps(config: Config, file: str) -> str:
    own = config.database.name
    if file in (own, f"{own}-wal", f"{own}-shm"):
        return "end what uses the workspace, then run `morenashi reindex`"
    return "delete this file"
