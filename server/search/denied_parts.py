"""What a line elsewhere says does not apply: of a section that it refers to, the paragraphs that it names, the article,
or all of it.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .denials import denied_place, paragraphs_named
from .evidence import Clause, Denial, SectionInfo
from .index.id_lists import as_json


class _Denied(NamedTuple):
    """The line that a reference leads to; if it names paragraphs of an article, which ones, and how the article is
    called.
    """

    line: int
    article: str = ""
    paragraphs: Sequence[range] = ()


def confirm_denials(
    connection: sqlite3.Connection, sections: Mapping[int, SectionInfo], clauses: Sequence[tuple[int, int, Clause]]
) -> Iterator[Denial]:
    """Those of these clauses, each with the section that it refers to and the one it stands in, that say what of the
    section does not apply. `sections` has all that are referred to.
    """
    if not clauses:
        return
    asked = json.dumps([[section_id, source_id, clause.line] for section_id, source_id, clause in clauses])
    said: dict[tuple[int, int, int], list[_Denied]] = {}
    for section_id, source_id, line, offset, reference, term, column, text, *target in connection.execute(
        _DENIALS, (asked,)
    ):
        source = text.split("\n")[offset]
        end = denied_place(source, reference, term, column)
        if end is not None:
            said.setdefault((section_id, source_id, line), []).append(_denied(source, end, *target))
    articles = _articles_of(connection, {section_id for section_id, *_ in said})
    named = {(section_id, one.article) for (section_id, *_), found in said.items() for one in found if one.article}
    paragraphs = _paragraphs_of(connection, named)
    for section_id, source_id, clause in clauses:
        section = sections[section_id]
        for one in said.pop((section_id, source_id, clause.line), ()):
            article = _part_from(one.line, section, articles.get(section_id, ()))
            denied = _within(article, one.paragraphs, paragraphs.get((section_id, one.article), {}))
            yield Denial(section_id, source_id, clause.manual_id, clause.path, clause.line, denied)


def _denied(source: str, end: int, line: int, article: str, detail: str | None) -> _Denied:
    """What is denied by a line `source` on which the reference to `article` ends at `end`."""
    if detail is None:
        return _Denied(line)
    return _Denied(line, article, paragraphs_named(int(detail[1:]), source, end) or ())


def _articles_of(connection: sqlite3.Connection, section_ids: Collection[int]) -> dict[int, list[int]]:
    """The lines on which articles of these sections begin, in order."""
    begin: dict[int, list[int]] = {}
    for section_id, line in connection.execute(_ARTICLES, (as_json(sorted(section_ids)),)):
        begin.setdefault(section_id, []).append(line)
    return begin


def _paragraphs_of(
    connection: sqlite3.Connection, articles: Collection[tuple[int, str]]
) -> dict[tuple[int, str], dict[int, int]]:
    """The lines on which the paragraphs of these articles begin, by number; an article by its section and name."""
    begin: dict[tuple[int, str], dict[int, int]] = {}
    for section_id, article, number, line in connection.execute(_PARAGRAPHS, (json.dumps(sorted(articles)),)):
        begin.setdefault((section_id, article), {})[int(number)] = line
    return begin


def _part_from(line: int, section: SectionInfo, articles: Sequence[int]) -> range:
    """The lines of the article of a section that has a line; the whole section if it is not parted by articles."""
    first = max((begin for begin in articles if begin <= line), default=section.start_line)
    return range(first, min((begin for begin in articles if begin > line), default=section.end_line + 1))


def _within(article: range, wanted: Sequence[range], begin: Mapping[int, int]) -> tuple[range, ...]:
    """The lines of an article's heading and of the paragraphs wanted, which `begin` on these lines; all of the article
    if none of them is known.
    """
    lines = [(line, number) for number, line in begin.items() if line in article]
    lines.sort()
    parts = [
        range(first, following)
        for (first, number), (following, _) in pairwise([*lines, (article.stop, 0)])
        if any(number in numbers for numbers in wanted)
    ]
    return (range(article.start, lines[0][0]), *parts) if parts else (article,)


# The line of each with its expressions and its references to the section. Search: cross_references_by_section (with
# the line), PRIMARY KEYs of reference_targets and (document_id, line, ...) of exception_terms, passages_by_section.
_DENIALS = """
SELECT asked.value ->> 0, asked.value ->> 1, clause.line, clause.line - passages.first_line, refers.text, clause.term,
  clause.column_number, passage_texts.text, denied.start_line + target.line_offset,
  refers.name, CASE WHEN refers.last_name IS NULL THEN refers.detail END
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value ->> 1
CROSS JOIN cross_references AS refers
  ON refers.section_id = sections.id AND refers.line_offset = asked.value ->> 2 - sections.start_line
CROSS JOIN reference_targets AS target
  ON target.reference_id = refers.id AND target.section_id = asked.value ->> 0
CROSS JOIN sections AS denied ON denied.id = target.section_id
CROSS JOIN exception_terms AS clause
  ON clause.document_id = sections.document_id AND clause.line = asked.value ->> 2
CROSS JOIN passages
  ON passages.section_id = sections.id AND clause.line BETWEEN passages.first_line AND passages.last_line
CROSS JOIN passage_texts ON passage_texts.id = passages.id
WHERE clause.kind = 'non_application'
LIMIT 500
"""

# Search: PRIMARY KEY (document_id, ...) of section_names, all names of the document.
_ARTICLES = """
SELECT sections.id, sections.start_line + named.line_offset
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
CROSS JOIN section_names AS named
  ON named.document_id = sections.document_id AND named.article IS NOT NULL AND named.section_id = sections.id
ORDER BY 1, 2
"""

# Search: PRIMARY KEY (document_id, name) of section_names, a range of names an article.
_PARAGRAPHS = """
SELECT asked.value ->> 0, asked.value ->> 1, substr(named.name, length(asked.value ->> 1) + 2),
  sections.start_line + named.line_offset
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value ->> 0
CROSS JOIN section_names AS named
  ON named.document_id = sections.document_id
  AND named.name > (asked.value ->> 1) || '項'
  AND named.name < (asked.value ->> 1) || '項:'
WHERE named.section_id = sections.id
"""
