"""The names of documents that are kept between changes are those that would be read anew."""

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer import schema, term_counts
from morenashi.indexer.database import transaction
from morenashi.indexer.documents import parse_document
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.files import DiskFile, FileType
from morenashi.indexer.prepare import Prepared
from morenashi.indexer.references.resolve_references import find_faults
from morenashi.indexer.writer import IndexWriter

from ..examples import examples
from ..workspaces import WorkspaceFolder, make_workspace
from .indexes import OpenIndex, open_index

PATHS = ["a.md", "sub/a.md", "sub/index.md", "sub/deeper/b.md", "b.json", "B.md", "法.md"]
TITLES = ["所得税法", "所得税法及び法人税法", "法人税法", "a", "index"]
CALLS = [
    *(
        "[[a]]",
        "[[b]]",
        "[[index]]",
        "[[法]]",
        "[x](/a)",
        "[x](sub/)",
        "[x](deeper/b.md)",
        "[x](b.json)",
        "[x](/x/sub/a)",
    ),
    *("所得税法第一条", "旧所得税法第一条", "法人税法第二条", "又は法人税法第一条"),
]
Change = tuple[str, str, str, str, list[str]]
changes = st.tuples(
    st.sampled_from(["put", "remove"]),
    st.sampled_from(["m", "n"]),
    st.sampled_from(PATHS),
    st.sampled_from(TITLES),
    st.lists(st.sampled_from(CALLS), max_size=4),
)
batches = st.tuples(
    st.sampled_from(["plain", "plain", "plain", "rolled back", "in bulk", "after a rebuild", "by another writer"]),
    st.lists(changes, min_size=1, max_size=4),
)


class RolledBackError(Exception):
    """Ends a batch early."""


def put(writer: IndexWriter, manual_id: str, path: str, title: str, calls: list[str]) -> None:
    data = f"# {title}\n\n## 第一条\n\n{'。'.join(calls)}\n".encode()
    file_type: FileType = "json" if path.endswith(".json") else "md"
    file = DiskFile(manual_id, path, file_type, len(data), 1)
    parsed = parse_document(data, file_type, ExceptionFinder(()), path)
    writer.put(Prepared(file, hashlib.sha256(data).digest(), parsed, []))


def put_all(writer: IndexWriter) -> None:
    """In each manual and folder a document that calls all others whatever they may be called; in one, all others."""
    with writer.batch():
        for manual_id in ("n", "m"):
            for folder in ("", "sub/"):
                put(writer, manual_id, f"{folder}caller.md", "呼", CALLS)
        for path, title in zip(PATHS, TITLES, strict=False):
            put(writer, "m", path, title, [])


@contextlib.contextmanager
def an_index() -> Iterator[OpenIndex]:
    with tempfile.TemporaryDirectory() as root, open_index(make_workspace(Path(root) / "workspace")) as opened:
        yield opened


def apply(opened: OpenIndex, writer: IndexWriter, kind: str, changed: list[Change]) -> None:
    if kind == "after a rebuild":
        with transaction(opened.connection):
            schema.drop_and_create_derived(opened.connection)
        put_all(writer)
    changing = IndexWriter(opened.connection) if kind == "by another writer" else writer
    with writer.bulk() if kind == "in bulk" else contextlib.suppress(RolledBackError), changing.batch():
        for what, manual_id, path, title, calls in changed:
            if what == "put":
                put(changing, manual_id, path, title, calls)
            else:
                changing.remove(manual_id, path)
        if kind == "rolled back":
            raise RolledBackError


@examples(40)
@given(st.lists(batches, min_size=1, max_size=10))
def test_after_any_changes_all_that_is_called_is_found_as_if_read_anew(steps: list[tuple[str, list[Change]]]) -> None:
    with an_index() as opened:
        writer = IndexWriter(opened.connection)
        put_all(writer)
        for kind, changed in steps:
            apply(opened, writer, kind, changed)
            assert find_faults(opened.connection) == []


def test_a_link_that_nobody_made_before_reads_no_other_documents_names(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        writer = IndexWriter(opened.connection)
        put_all(writer)
        with writer.batch():
            put(writer, "m", "a.md", "a", ["[[b]]"])
        statements: list[str] = []
        opened.connection.set_trace_callback(statements.append)
        with writer.batch():
            put(writer, "m", "a.md", "a", ["[[b]]", "[[new]]", "[x](sub/index.md)"])
        opened.connection.set_trace_callback(None)
        assert find_faults(opened.connection) == []
    reading = ("JOIN document_names", "FROM called_documents WHERE manual_id = 'm'")
    whole = [one for one in statements if any(words in one for words in reading) and "folder = " not in one]
    assert whole == []


def test_a_row_number_that_another_manual_has_now_brings_no_name_along(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        writer = IndexWriter(opened.connection)
        put_all(writer)
        with writer.batch():
            put(writer, "m", "last.md", "法人税法", [])
        with writer.batch():
            writer.remove("m", "last.md")
            put(writer, "n", "b.md", "法人税法", [])
        assert find_faults(opened.connection) == []


COUNTS = "SELECT kind, term, passages FROM term_counts ORDER BY kind, term"


def test_terms_of_a_batch_that_was_undone_are_not_counted(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        writer = IndexWriter(opened.connection)
        put_all(writer)
        with contextlib.suppress(RolledBackError), writer.batch():
            writer.remove("m", "a.md")
            put(writer, "m", "undone.md", "書換", [])
            raise RolledBackError
        with writer.batch():
            put(writer, "m", "last.md", "法人税法", [])
        kept = opened.rows(COUNTS)
        with transaction(opened.connection):
            term_counts.recount(opened.connection)
        assert kept == opened.rows(COUNTS)
