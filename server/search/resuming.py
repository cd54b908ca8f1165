"""What an earlier search left over, taken up by a later one: the same places as they lie now.

A document whose content has changed since is taken up whole, as nobody can say where its lines have gone; so is one
that was listed whole, perhaps before the index knew how many lines it has.
"""

import json
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from morenashi.indexer.files import Key
from morenashi.server.ranges import merge

from .evidence import Evidence, Link, SectionPlace
from .follow import read_sections
from .index.id_lists import as_json
from .matching import TermMatcher
from .question.intent import Intent
from .question.query import Query, asked_text
from .scope import Lead, Unscanned, UnscannedReason
from .tally import Tally

_LISTED_WHOLE: tuple[UnscannedReason, ...] = ("changed_since_index", "stage_cap")

Span = list[int]
"""First and last line, 1-based and inclusive."""


class Earlier(NamedTuple):
    """What the searches before one that takes up their rest came to.

    Of `a_part_alone`: they began with what another question had left over, so that the places examined then were
    never examined for this one. `missing` are the hints of what none of them found, asked with `intent`; `so_far`
    counts what they found. `looked_inside`: the last of them looked for the words inside the terms, too.
    """

    is_found: bool
    has_candidates: bool
    has_conflicts: bool
    sufficiency: float
    a_part_alone: bool = False
    missing: frozenset[str] = frozenset()
    intent: Intent | None = None
    so_far: Tally = Tally()
    looked_inside: bool = False


NOTHING_EARLIER = Earlier(is_found=False, has_candidates=False, has_conflicts=False, sufficiency=0.0)


@dataclass(frozen=True, slots=True)
class Rest:
    """What a search left over: its question, the generation of the index then, its places and leads.

    `began_in` is the generation of the first of the searches that it belongs to: each takes up the one before.
    `apart` are the phrases of the question that it took apart, `intent` is that which its caller gave. `earlier` is
    what it and those that it took up had found, `referred` are the sections among that which they knew by a reference
    alone.
    """

    question: str
    generation: int
    places: Sequence[Unscanned]
    leads: Sequence[Lead]
    apart: Sequence[str]
    intent: Intent | None
    earlier: Earlier
    began_in: int
    referred: frozenset[SectionPlace] = frozenset()

    def asked(self, query: Query) -> bool:
        """Whether it was about the same question."""
        return asked_text(self.question) == query.text

    def is_part_for(self, query: Query) -> bool:
        """Whether there are places that were examined for other questions, and never for this one."""
        return self.earlier.a_part_alone or not self.asked(query)


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The places of a rest as they lie now, by document; without lines where one is gone.

    `passages` are the ids of theirs. If it `is_another` question, there are no `leads`, and nothing is known `earlier`.
    `changed` are documents whose content is another one now. `referred` are sections that were given for a reference
    alone.
    """

    is_another: bool
    spans: dict[Key, list[Span]]
    passages: frozenset[int]
    leads: list[Lead]
    changed: Collection[Key]
    earlier: Earlier
    referred: frozenset[SectionPlace] = frozenset()

    def apart_from(self, skipped: Iterable[Unscanned]) -> "AskedAgain":
        """The same without the documents that are listed for a reason of their own."""
        listed = {(manual_id, path) for item in skipped for manual_id, path, _ in json.loads(item.documents)}
        return replace(self, spans={key: spans for key, spans in self.spans.items() if key not in listed})

    def list_places(self) -> list[Unscanned]:
        """All of them as not examined for want of time."""
        listed = {key: spans for key, spans in sorted(self.spans.items()) if spans}
        if not listed:
            return []
        documents = json.dumps([[*key, spans] for key, spans in listed.items()], ensure_ascii=False)
        return [Unscanned("time_budget", documents, sum(map(len, listed.values())), self.count_lines())]

    def count_lines(self) -> int:
        """How many lines are asked for."""
        return sum(last - first + 1 for spans in self.spans.values() for first, last in spans)


def ask_again(connection: sqlite3.Connection, rest: Rest, query: Query) -> AskedAgain:
    """What a rest comes to in the present state of the index. Leads hold for the same question only."""
    spans: defaultdict[Key, list[Span]] = defaultdict(list)
    for item in rest.places:
        for manual_id, path, listed in json.loads(item.documents):
            spans[manual_id, path] += listed
    is_another = not rest.asked(query)
    leads = [] if is_another else list(rest.leads)
    keys = {*spans, *(key for lead in leads for key in _ends(lead))}
    changed = _changed_since(connection, rest.generation, keys, _listed_whole(rest))
    for key in spans.keys() & changed.keys():
        spans[key] = [[1, changed[key]]] if changed[key] else []
    passages = frozenset(id for key, listed in spans.items() for id in _overlapping(connection, key, listed))
    earlier = NOTHING_EARLIER if is_another else rest.earlier
    referred = frozenset[SectionPlace]() if is_another else _still_there(connection, rest)
    return AskedAgain(is_another, dict(spans), passages, leads, changed.keys(), earlier, referred)


def _still_there(connection: sqlite3.Connection, rest: Rest) -> frozenset[SectionPlace]:
    """Those of the sections given for a reference alone whose document has not changed since the first search."""
    keys = {(manual_id, path) for manual_id, path, _ in rest.referred}
    changed = _changed_since(connection, rest.began_in, keys, ()) if keys else {}
    return frozenset(place for place in rest.referred if place[:2] not in changed)


def _overlapping(connection: sqlite3.Connection, key: Key, spans: list[Span]) -> Iterator[int]:
    """The passages of a document that hold a line of these spans. Both may be tens of thousands."""
    ranges = merge((first, last) for first, last in spans)
    if not ranges:
        return
    ends = [last for _, last in ranges]
    values = {"manual_id": key[0], "path": key[1], "first_line": ranges[0][0], "last_line": ends[-1]}
    for id, first, last in connection.execute(_PASSAGES, values):
        # None begins behind the last of the ranges.
        if ranges[bisect_left(ends, first)][0] <= last:
            yield id


def has_newer_beyond(
    connection: sqlite3.Connection, rest: Rest, asked: AskedAgain, covers: Callable[[Key], bool]
) -> bool:
    """Whether the scope has documents with another content than when its search began, that are not asked for again:
    they were examined as they are no more, or not at all.
    """
    newer = connection.execute(_NEWER, {"generation": rest.began_in})
    return any(covers((manual_id, path)) and (manual_id, path) not in asked.spans for manual_id, path in newer)


def take_up_leads(connection: sqlite3.Connection, asked: AskedAgain, evidence: Evidence) -> None:
    """Sections that the earlier search knew by a reference alone are found by it again."""
    for link in _links(connection, asked):
        evidence.add_link(link)
    named = {link.source_id for links in evidence.links.values() for link in links} | evidence.links.keys()
    evidence.sections |= read_sections(connection, named - evidence.sections.keys())


def forget_delivered(connection: sqlite3.Connection, asked: AskedAgain, evidence: Evidence, query: Query) -> None:
    """What is referred to and was found elsewhere than in the rest is a candidate of an earlier search: it holds what
    that looked for, a word inside a term if it did so, or it is near. So is what that knew by a reference alone.
    """
    if asked.is_another:
        return
    for section_id in evidence.links.keys() - evidence.hits.keys():
        if evidence.sections[section_id].place in asked.referred:
            del evidence.links[section_id]
    looked_for_less = query.looks_inside and not asked.earlier.looked_inside
    terms, delivered = (query.terms, ()) if looked_for_less else (evidence.findings.terms, evidence.findings.delivered)
    matcher = TermMatcher(terms, len(query.terms))
    reached = as_json(evidence.links.keys() - evidence.hits.keys())
    for section_id, passage_id, text in connection.execute(_TEXTS, (reached,)):
        if passage_id in delivered or (passage_id not in asked.passages and matcher.match(text)):
            evidence.links.pop(section_id, None)


def _listed_whole(rest: Rest) -> frozenset[Key]:
    """Those whose lines the search may not have known: it listed one line of a document that was still to come."""
    listed = (item.documents for item in rest.places if item.reason in _LISTED_WHOLE)
    return frozenset((manual_id, path) for documents in listed for manual_id, path, _ in json.loads(documents))


def _changed_since(
    connection: sqlite3.Connection, generation: int, keys: Collection[Key], whole: Collection[Key]
) -> dict[Key, int]:
    """Those of the documents whose content is another one now, with their lines; 0 for what is gone. What was listed
    `whole` counts as changed.
    """
    asked = [(*key, key in whole) for key in keys]
    values = {"asked": json.dumps(asked), "generation": generation}
    return {(manual_id, path): lines for manual_id, path, lines in connection.execute(_CHANGED, values)}


def _ends(lead: Lead) -> tuple[Key, Key]:
    return (lead.source_manual_id, lead.source_path), (lead.manual_id, lead.path)


def _links(connection: sqlite3.Connection, asked: AskedAgain) -> Iterator[Link]:
    """The links of the leads; where a document has changed, as its references lead now."""
    leads = []
    for lead in asked.leads:
        source, target = _ends(lead)
        leads.append(lead._asdict() | {"from_changed": source in asked.changed, "to_changed": target in asked.changed})
    asked_leads = json.dumps(leads)
    for query in (_LINKS, _LINKS_NOW):
        yield from map(Link._make, connection.execute(query, (asked_leads,)))


# Search: passages_by_document, up to the last line.
_PASSAGES = """
SELECT passages.id, passages.first_line, passages.last_line
FROM documents
CROSS JOIN passages ON passages.document_id = documents.id
WHERE documents.manual_id = :manual_id
  AND documents.path = :path
  AND passages.first_line <= :last_line
  AND passages.last_line >= :first_line
"""

# Search: passages_by_section.
_TEXTS = """
SELECT passages.section_id, passages.id, passage_texts.text
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.section_id = asked.value
CROSS JOIN passage_texts ON passage_texts.id = passages.id
"""

# Search: PRIMARY KEY of document_versions.
_CHANGED = """
SELECT asked.value ->> 0, asked.value ->> 1, coalesce(documents.lines, 0)
FROM json_each(:asked) AS asked
LEFT JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
WHERE documents.id IS NULL
  OR asked.value ->> 2
  OR EXISTS (
    SELECT 1
    FROM document_versions
    WHERE document_versions.manual_id = documents.manual_id
      AND document_versions.path = documents.path
      AND document_versions.first_generation > :generation
  )
"""

# Search: document_versions_by_generation, UNIQUE (manual_id, path) of documents.
_NEWER = """
SELECT document_versions.manual_id, document_versions.path
FROM document_versions
CROSS JOIN documents
  ON documents.manual_id = document_versions.manual_id AND documents.path = document_versions.path
WHERE document_versions.first_generation > :generation
"""

# Taken apart once, and not for every row that is looked at.
_LEADS = """
WITH leads AS MATERIALIZED (
  SELECT
    value ->> 'manual_id' AS manual_id,
    value ->> 'path' AS path,
    value ->> 'line' AS line,
    value ->> 'source_manual_id' AS source_manual_id,
    value ->> 'source_path' AS source_path,
    value ->> 'source_section_line' AS source_section_line,
    value ->> 'source_line' AS source_line,
    value ->> 'kind' AS kind,
    value ->> 'depth' AS depth,
    value ->> 'from_changed' AS from_changed,
    value ->> 'to_changed' AS to_changed
  FROM json_each(?)
)"""

_DOCUMENTS = """
FROM leads
CROSS JOIN documents AS target_documents
  ON target_documents.manual_id = leads.manual_id AND target_documents.path = leads.path
CROSS JOIN documents AS source_documents
  ON source_documents.manual_id = leads.source_manual_id AND source_documents.path = leads.source_path
"""

# The last section that begins no later than the line: those before it are not gone through.
_SECTION_OF_TARGET = """(
  SELECT id
  FROM sections
  WHERE document_id = target_documents.id AND start_line <= leads.line
  ORDER BY start_line DESC
  LIMIT 1
)"""

# The source's document or the target's.
_HAS_CHANGED = "(leads.from_changed OR leads.to_changed)"

# Search: sections_by_document twice.
_LINKS = f"""
{_LEADS}
SELECT sources.id, leads.source_line, leads.kind, '', targets.id, leads.line, leads.depth
{_DOCUMENTS}
CROSS JOIN sections AS sources
  ON sources.document_id = source_documents.id
  AND sources.start_line = leads.source_section_line
CROSS JOIN sections AS targets
  ON targets.id = {_SECTION_OF_TARGET}
  AND leads.line <= targets.own_end_line
WHERE NOT {_HAS_CHANGED}
"""

# In a document that has changed any section will do.
# Search: sections_by_document, cross_references_by_section, PRIMARY KEY (reference_id, ...) of reference_targets.
_LINKS_NOW = f"""
{_LEADS}
SELECT DISTINCT sources.id, sources.start_line + cross_references.line_offset, cross_references.kind, '', targets.id,
  targets.start_line + reference_targets.line_offset, leads.depth
{_DOCUMENTS}
CROSS JOIN sections AS sources
  ON sources.document_id = source_documents.id
  AND (leads.from_changed OR sources.start_line = leads.source_section_line)
CROSS JOIN cross_references ON cross_references.section_id = sources.id
CROSS JOIN reference_targets ON reference_targets.reference_id = cross_references.id
CROSS JOIN sections AS targets
  ON targets.id = reference_targets.section_id
  AND targets.document_id = target_documents.id
  AND (leads.to_changed OR leads.line BETWEEN targets.start_line AND targets.own_end_line)
WHERE {_HAS_CHANGED} AND targets.id <> sources.id
"""
