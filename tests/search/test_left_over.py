"""Which documents are listed as not examined, and for which reason: each once, and none is forgotten."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator

import pytest

from morenashi.indexer.files import Key
from morenashi.indexer.schema import apply_schema
from morenashi.server.search.findings import Findings
from morenashi.server.search.leftovers import leave_out_pending, list_beyond, list_left, list_skipped
from morenashi.server.search.resuming import NOTHING_EARLIER, AskedAgain
from morenashi.server.search.scope import Unscanned, read_scope, whole_documents

Listed = dict[str, list[tuple[str, str, int]]]

DOCUMENTS = [
    ("a", "x.md", "indexed", 10),
    ("a", "empty.md", "indexed", 0),
    ("a", "odd.md", "encoding", 0),
    ("a", "huge.md", "too_large", 0),
    ("a", "closed.md", "unreadable", 0),
    ("b", "x.md", "indexed", 20),
    ("b", "empty.md", "indexed", 0),
    ("b", "odd.md", "encoding", 3),
]


@pytest.fixture
def index() -> Iterator[sqlite3.Connection]:
    """An index that knows of documents, and of a passage of each that has lines."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        apply_schema(connection)
        connection.executemany(
            """
            INSERT INTO documents
              (manual_id, path, path_nfc, file_type, status, lines, size_bytes, stamp_ns, punctuation)
            VALUES (:manual_id, :path, :path, 'md', :status, :lines, 1, 1, '')
            """,
            [dict(zip(("manual_id", "path", "status", "lines"), row, strict=True)) for row in DOCUMENTS],
        )
        yield connection


def listed(places: list[Unscanned]) -> Listed:
    """By reason: (manual, path, last line)."""
    return {
        one.reason: [(manual_id, path, spans[-1][1]) for manual_id, path, spans in json.loads(one.documents)]
        for one in places
    }


def skipped(index: sqlite3.Connection, pending: set[Key], *, nothing_known: bool = False) -> Listed:
    def covers(key: Key) -> bool:
        return key[0] == "a"

    return listed(list_skipped(index, read_scope(index, "a"), covers, pending, nothing_known=nothing_known))


def test_each_document_that_cannot_be_searched_is_listed_for_its_reason(index: sqlite3.Connection) -> None:
    assert skipped(index, set()) == {
        "unreadable": [("a", "closed.md", 1)],
        "encoding": [("a", "odd.md", 1)],
        "too_large": [("a", "huge.md", 1)],
    }


def test_what_has_changed_is_listed_as_such_alone_and_what_is_new_too(index: sqlite3.Connection) -> None:
    assert skipped(index, {("a", "x.md"), ("a", "odd.md"), ("a", "new.md"), ("b", "x.md")}) == {
        "changed_since_index": [("a", "new.md", 1), ("a", "odd.md", 1), ("a", "x.md", 10)],
        "unreadable": [("a", "closed.md", 1)],
        "too_large": [("a", "huge.md", 1)],
    }


def test_where_nothing_is_known_every_document_with_lines_is_listed_once(index: sqlite3.Connection) -> None:
    assert skipped(index, {("a", "x.md")}, nothing_known=True) == {
        "changed_since_index": [("a", "x.md", 10)],
        "unreadable": [("a", "closed.md", 1)],
        "encoding": [("a", "odd.md", 1)],
        "too_large": [("a", "huge.md", 1)],
    }
    assert skipped(index, set(), nothing_known=True)["time_budget"] == [("a", "x.md", 10)]


def test_beyond_a_manual_lie_all_others_with_what_cannot_be_searched_and_what_is_new(
    index: sqlite3.Connection,
) -> None:
    pending = {("a", "new.md"), ("b", "new.md"), ("b", "x.md"), ("c", "new.md")}
    assert listed([list_beyond(index, "a", pending)]) == {
        "stage_cap": [("b", "new.md", 1), ("b", "odd.md", 3), ("b", "x.md", 20), ("c", "new.md", 1)]
    }


def test_passages_of_changed_documents_are_not_left_over_and_those_of_others_are(index: sqlite3.Connection) -> None:
    index.execute("INSERT INTO passages SELECT id, id, id, 1, lines FROM documents WHERE lines > 0")
    findings = Findings((), left=[1, 6, 8], cut_by="time_budget")
    leave_out_pending(index, findings, {("b", "x.md")})
    assert findings.left == [1, 8]
    (left,) = list_left(index, findings)
    assert (left.reason, left.places, left.lines) == ("time_budget", 2, 13)
    assert listed([left]) == {"time_budget": [("a", "x.md", 10), ("b", "odd.md", 3)]}


def test_nothing_is_listed_where_nothing_is_left_over(index: sqlite3.Connection) -> None:
    assert list_left(index, Findings(())) == []


ASKED_AGAIN = AskedAgain(
    is_another=False,
    spans={("b", "y.md"): [[2, 2], [4, 4]], ("a", "x.md"): [[1, 3], [5, 5]], ("a", "gone.md"): []},
    passages=frozenset(),
    leads=[],
    changed=(),
    earlier=NOTHING_EARLIER,
)


def test_what_is_asked_for_again_and_not_examined_either_is_listed_again() -> None:
    (again,) = ASKED_AGAIN.list_places()
    assert (again.reason, again.places, again.lines) == ("time_budget", 4, ASKED_AGAIN.count_lines())
    assert json.loads(again.documents) == [["a", "x.md", [[1, 3], [5, 5]]], ["b", "y.md", [[2, 2], [4, 4]]]]


def test_a_document_that_is_listed_for_a_reason_of_its_own_is_not_listed_again() -> None:
    apart = ASKED_AGAIN.apart_from([whole_documents("encoding", [("a", "x.md", 5)])])
    assert listed(apart.list_places()) == {"time_budget": [("b", "y.md", 4)]}
    assert apart.apart_from([whole_documents("encoding", [("b", "y.md", 4)])]).list_places() == []


def test_places_are_paged_across_documents() -> None:
    (again,) = ASKED_AGAIN.list_places()
    places = [("a", "x.md", 1), ("a", "x.md", 5), ("b", "y.md", 2), ("b", "y.md", 4)]
    for offset in range(5):
        for limit in range(1, 5):
            assert again.page(offset, limit) == places[offset : offset + limit]
    assert [line for line in range(1, 7) if again.holds("a", "x.md", line)] == [1, 2, 3, 5]
    assert not again.holds("b", "x.md", 1)


def test_a_document_whose_lines_are_not_known_counts_as_one_line() -> None:
    listed_whole = whole_documents("encoding", [("a", "odd.md", 0), ("a", "x.md", 7), ("a", "y.md", 1)])
    assert (listed_whole.places, listed_whole.lines, listed_whole.unknown_lines) == (3, 9, 1)
