"""A text searched loosely: case, width, notation and separators do not count (contract §3), as in `vault_find`."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable

from morenashi.indexer.encodings import UndecodableError, decode
from morenashi.indexer.files import open_beneath, read_whole
from morenashi.indexer.text import normalise, original_column, unify_line_breaks
from morenashi.server.deadline import Deadline
from morenashi.server.search.index.passages import read_passages
from morenashi.server.search.index.postings import Index
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.terms import make_term
from morenashi.server.workspace import Workspace

from .line_search import FoundLine, TimeIsOverError, cut_around
from .pattern_search import Results
from .searched_files import SearchedFile, SearchedFiles, is_gone


def search_loosely(workspace: Workspace, query: str, files: SearchedFiles, most: int, deadline: Deadline) -> Results:
    """The first `most` matching lines in the order of the files. Raises `TimeIsOverError`."""
    term = make_term(normalise(query).strip(), workspace.dictionaries.synonyms, workspace.dictionaries.spellings)
    matcher = TermMatcher((term,), 1)

    def search(connection: sqlite3.Connection) -> Results:
        connection.execute("BEGIN")
        index = Index(connection, None, workspace.vault.keeper.degraded_build)
        passages = _passages_by_document(index, matcher)
        results = Results(unsearched=list(files.unsearchable))
        is_known = index.build == files.build
        for done, file in enumerate(files.files, start=1):
            if deadline.is_over:
                raise TimeIsOverError
            deadline.tell(done, len(files.files))
            document_id = file.document_id if is_known else None
            if document_id is not None and document_id not in passages:
                continue
            try:
                known = None if document_id is None else passages[document_id]
                results.lines += _lines(workspace, index, file, known, matcher, most - len(results.lines))
            except UndecodableError:
                results.unsearched.append((file.path, "encoding"))
            except OSError as error:
                if not is_gone(error, workspace.config.vault):
                    results.unsearched.append((file.path, "unreadable"))
            if len(results.lines) >= most:
                break
        return results

    return workspace.vault.ask(search)


def _passages_by_document(index: Index, matcher: TermMatcher) -> dict[int, list[int]]:
    """The passages that may hold the term, by the document they are in."""
    found = index.find_passages(matcher.terms, index.corpus((), matcher.terms))
    passages: defaultdict[int, list[int]] = defaultdict(list)
    for document_id, passage_id in index.connection.execute(_DOCUMENTS, (json.dumps(found),)):
        passages[document_id].append(passage_id)
    return passages


def _lines(
    workspace: Workspace, index: Index, file: SearchedFile, known: list[int] | None, matcher: TermMatcher, most: int
) -> list[tuple[str, FoundLine]]:
    """The first `most` matching lines of a file: from its passages in the index, or from the file as the index would
    divide it.
    """
    if known is not None:
        numbers = _matching(((stored.first_line, stored.text) for stored in read_passages(index, known)), matcher)
        if not numbers:
            return []
    with open_beneath(workspace.config.vault, file.file.parts) as descriptor:
        data, _ = read_whole(descriptor)
    if known is None:
        from morenashi.indexer.documents import parse_document  # With all the parsers: seldom needed.

        document = parse_document(data, file.file.file_type, None)
        if document.status == "unreadable":
            raise OSError(document.problem)
        numbers = _matching(((passage.first_line, passage.text) for passage in document.passages), matcher)
    lines = unify_line_breaks(decode(data).text).split("\n")
    shown = [number for number in numbers if number <= len(lines)][:most]
    return [(file.path, FoundLine(number, _shown(lines[number - 1], matcher))) for number in shown]


def _matching(texts: Iterable[tuple[int, str]], matcher: TermMatcher) -> list[int]:
    """The lines, 1-based, that hold the term; `texts` are normalised, each with its first line."""
    return sorted(
        first_line + offset
        for first_line, text in texts
        if (match := matcher.match(text))
        for offset, _ in match.places
    )


def _shown(line: str, matcher: TermMatcher) -> str:
    """The line as it stands in the file, cut around where the term begins."""
    match = matcher.match(normalise(line))
    column = original_column(line, match.column) if match else 0
    return cut_around(line[:column], line[column:])


_DOCUMENTS = """
SELECT passages.document_id, passages.id
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
"""
