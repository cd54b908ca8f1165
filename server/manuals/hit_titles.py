"""What a hit is called: the title of its section, with what tells it from others where that says too little.

Who chooses what to read sees nothing else of it: 第三条 is any article, and "Example" any page's. So a bare number has
the title of the article that stands below it in brackets. One without, and a title that several sections of the
document have, stands behind the title that it lies under. Of a title as long as a paragraph, which a line of dashes
below one makes a heading, its beginning says enough.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from morenashi.indexer.references.place_keys import ARTICLE_HEADING, plain_title
from morenashi.server.search.evidence import SectionPlace
from morenashi.server.search.index.id_lists import as_json
from morenashi.server.search.ranking.captions import article_title

_MOST_CHARACTERS = 200


class _Titled(NamedTuple):
    """A section with its title and that above it, as written; `above` is empty where there is none."""

    document_id: int
    section_id: int
    title: str
    above: str


def hit_titles(connection: sqlite3.Connection, sections: Iterable[SectionPlace]) -> dict[SectionPlace, str]:
    """What hits in these sections are called; sections without a title are left out."""
    found = {key: titled for key in sections if (titled := _read(connection, key)) and titled.title}
    captions = _captions(connection, [one for one in found.values() if _is_bare(one.title)])
    others = [one for one in found.values() if one.section_id not in captions]
    repeated = _repeated(connection, others)
    return {key: _called(one, captions, repeated) for key, one in found.items()}


def _called(one: _Titled, captions: dict[int, str], repeated: frozenset[int]) -> str:
    title = _shortened(one.title)
    if caption := captions.get(one.section_id):
        return title + caption
    says_too_little = one.section_id in repeated or _is_bare(one.title)
    return f"{_shortened(one.above)} › {title}" if one.above and says_too_little else title


def _shortened(title: str) -> str:
    return title if len(title) <= _MOST_CHARACTERS else title[: _MOST_CHARACTERS - 1] + "…"


def _is_bare(title: str) -> bool:
    return ARTICLE_HEADING.fullmatch(plain_title(title)) is not None


def _read(connection: sqlite3.Connection, key: SectionPlace) -> _Titled | None:
    manual_id, path, line = key
    row = connection.execute(_TITLE, {"manual_id": manual_id, "path": path, "line": line}).fetchone()
    return _Titled._make(row) if row else None


def _captions(connection: sqlite3.Connection, bare: Sequence[_Titled]) -> dict[int, str]:
    """By section the title of the article below its number, normalised and in brackets."""
    rows = connection.execute(_BEGINNINGS, (as_json(one.section_id for one in bare),)) if bare else ()
    return {section_id: caption for section_id, text in rows if (caption := article_title(text))}


def _repeated(connection: sqlite3.Connection, found: Iterable[_Titled]) -> frozenset[int]:
    """The sections of which others of their document have the title."""
    by_document: defaultdict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        by_document[one.document_id][one.title].append(one.section_id)
    repeated: set[int] = set()
    for document_id, titles in by_document.items():
        for title, times in connection.execute(_TIMES, {"document_id": document_id}):
            if times > 1 and title in titles:
                repeated.update(titles[title])
    return frozenset(repeated)


_TITLE = """
SELECT sections.document_id, sections.id, sections.title, coalesce(above.title, '')
FROM documents
JOIN sections ON sections.document_id = documents.id
LEFT JOIN sections AS above ON above.id = sections.parent_id
WHERE documents.manual_id = :manual_id AND documents.path = :path AND sections.start_line = :line
"""

# Search: passages_by_document, once for each section. A section's first passage begins on its first line.
_BEGINNINGS = """
SELECT sections.id, passage_texts.text
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
CROSS JOIN passages ON passages.document_id = sections.document_id AND passages.first_line = sections.start_line
CROSS JOIN passage_texts ON passage_texts.id = passages.id
"""

# Search: sections_by_document, once for each document of the page.
_TIMES = """
SELECT title, count(*)
FROM sections
WHERE document_id = :document_id
GROUP BY title
HAVING count(*) > 1
"""
