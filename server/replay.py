"""A stored search asked again: as it was asked then, of the index as it is now. Nothing is stored."""

import contextlib
import sqlite3

from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.indexer.files import Key

from .asking import DEFAULT_TIME_MS, make_request
from .deadline import Deadline
from .errors import ToolError
from .meaning import make_meaning
from .search.find import Search
from .search.request import FindRequest
from .search.resuming import Rest
from .search.scope import ScopeCache
from .search.traces import Trace, read_trace
from .search.widening import BASE_THRESHOLDS, Thresholds


def find_stored(connection: sqlite3.Connection, trace_id: str) -> Trace:
    """A trace that is still in the database, expired or not. Raises `not_found`."""
    trace = read_trace(connection, trace_id)
    if trace is None:
        raise ToolError("not_found", f"there is no trace {trace_id} (any more); `morenashi trace list` names them all")
    return trace


def find_repeatable(connection: sqlite3.Connection, trace_id: str) -> Trace:
    """A stored trace of the manuals. Raises `not_found`, or `invalid_parameter` for one of the vault.

    Notes change all the time, and what they held before is not kept: a difference would say nothing.
    """
    trace = find_stored(connection, trace_id)
    if trace.tool != "manual_find":
        raise ToolError("invalid_parameter", f"{trace_id} is a search in the vault; those in manuals can be repeated")
    return trace


def replay(
    connection: sqlite3.Connection,
    trace: Trace,
    config: Config,
    dictionaries: Dictionaries,
    pending: frozenset[Key],
) -> Trace:
    """Ask again. `pending` are (manual_id, path) that differ on disk from the index.

    Raises `not_found` if the search took up what another one left over, and that trace is gone.
    """
    request = _repeated_request(trace, config, dictionaries, _resumed(connection, trace))
    deadline = Deadline(_budget(trace).get("time_ms") or DEFAULT_TIME_MS)
    outcome = Search(connection, ScopeCache(), pending).run(request, deadline)
    meaning = make_meaning(config, _store_nothing) if trace.in_force.get("rescored") else None
    if meaning is None:
        return outcome.complete()
    with contextlib.closing(meaning):
        return outcome.complete(meaning.rescore)


def _repeated_request(trace: Trace, config: Config, dictionaries: Dictionaries, resumed: Rest | None) -> FindRequest:
    """The request of a trace: what the call said, and the numbers that held then in place of today's defaults."""
    held = trace.in_force
    return make_request(
        trace.question,
        trace.manual_id,
        config,
        dictionaries,
        intent=trace.intent if trace.intent_source == "given" else None,
        max_candidates=held.get("max_candidates") or _budget(trace).get("max_candidates"),
        max_stage=held.get("max_stage"),
        thresholds=Thresholds(**held["thresholds"]) if "thresholds" in held else BASE_THRESHOLDS,
        resumed=resumed,
        parameters=trace.call,
    )


def is_of_an_older_version(trace: Trace) -> bool:
    """Whether it was kept before traces told what held for them, and before content was noted by generation."""
    return "in_force" not in trace.parameters


def was_cut_by_time(trace: Trace) -> bool:
    """Whether the clock ended it: what it examined is then a matter of speed."""
    return any(item.reason == "time_budget" for item in trace.unscanned)


def _store_nothing(job: object) -> None:
    """What is repeated leaves no vectors behind."""


def _resumed(connection: sqlite3.Connection, trace: Trace) -> Rest | None:
    earlier_id = trace.call.get("only_unscanned_from_trace_id")
    if earlier_id is None:
        return None
    earlier = read_trace(connection, earlier_id)
    if earlier is None:
        message = f"{trace.id} took up what {earlier_id} had left over, and that trace is no longer stored"
        raise ToolError("not_found", f"{message}: it cannot be repeated")
    return earlier.rest


def _budget(trace: Trace) -> dict[str, int]:
    budget: dict[str, int] = trace.call.get("budget", {})
    return budget
