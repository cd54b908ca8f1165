"""Whether the lines that claims rest on still say the same: looked at before the claims are shown, and noted."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from morenashi.indexer.config import Config
from morenashi.server.deadline import Deadline

from .calls import Call
from .citations import Changed, Citation, compare, read_present_lines
from .patterns import PatternTimeoutError
from .policy import Policy
from .redaction import mask_secrets
from .store import mark_stale, move_citations, read_citations

_Change = tuple[int, Citation, Changed]


def note_changes(call: Call, policy: Policy, numbers: Sequence[int]) -> frozenset[int]:
    """Compare what these claims cite with the files and note what changed, without secrets; the numbers of those that
    are stale by it.

    Each file is read once, with no connection lent out meanwhile.
    """
    cited = call.ask(lambda connection: read_citations(connection, numbers))
    changes = list(_changes(call.memory.config, cited, call.deadline))
    if changes:
        call.memory.write(lambda connection: _note(connection, changes, policy, call), deadline=call.deadline)
    return _stale_by(changes)


def find_stale(connection: sqlite3.Connection, config: Config, numbers: Sequence[int]) -> frozenset[int]:
    """The numbers of those claims that are stale by what their files say now; nothing is noted."""
    return _stale_by(_changes(config, read_citations(connection, numbers)))


def _changes(
    config: Config, cited: Sequence[tuple[int, Citation]], deadline: Deadline | None = None
) -> Iterator[_Change]:
    """What changed of citations that are in the order of their files. Raises `TimeoutError`."""
    for (root, path), of_file in groupby(cited, lambda one: (one[1].root, one[1].path)):
        # To read and compare a file takes time, and there may be one for each claim.
        if deadline is not None:
            deadline.stop_if_over()
        lines = read_present_lines(config, root, path)
        for number, citation in of_file:
            if lines is not None and (changed := compare(citation, lines)) is not None:
                yield number, citation, changed


def _stale_by(changes: Iterable[_Change]) -> frozenset[int]:
    """The numbers of the claims whose lines say something else."""
    return frozenset(number for number, _, changed in changes if changed.difference is not None)


def _note(connection: sqlite3.Connection, changes: Sequence[_Change], policy: Policy, call: Call) -> None:
    for number, citation, changed in changes:
        if changed.difference is not None:
            mark_stale(connection, number, citation, _without_secrets(changed.difference, policy), call.now)
    # What goes where a changed one stands finds it marked.
    move_citations(connection, [(number, one, to.moved) for number, one, to in changes if to.moved is not None])


def _without_secrets(difference: str, policy: Policy) -> str:
    """What changed, as it may be kept; nothing of it where that cannot be told in time."""
    try:
        return mask_secrets(difference, policy).text
    except PatternTimeoutError:
        return ""
