"""The graded material: questions and the places that answer them, as values. Reads only."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .corpus import DEVSET

Line = tuple[str, str, int]
"""(manual_id, path, line), 1-based."""

SAMPLES = Path(__file__).parents[1] / "data" / "manuals"
"""The project's own sample manuals: what the timings use where the graded material is absent."""

_QUESTIONS_IN_MIX = 150
_SAMPLE_QUERIES = 394
_SEED = 1
_HEADING = re.compile(r"^#{1,6} +(.+?)(?: *\{.*\})?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text that may answer a question."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the paragraphs that answer it."""

    id: str
    text: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class TermRow:
    """A term and all the lines that hold it. `manual_id` narrows the search; `None` asks all manuals."""

    query: str
    manual_id: str | None
    lines: frozenset[Line]


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A question to one manual and the sections that answer it: (path, first line), `None` for any line."""

    query: str
    manual_id: str
    places: tuple[tuple[str, int | None], ...]

    def is_answered_by(self, path: str, start_line: int) -> bool:
        """Whether this section is one of those."""
        return (path, start_line) in self.places or (path, None) in self.places


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """A line, whether it is a proviso or an exclusion, and the rule that says so, where one is given."""

    line: Line
    is_exception: bool
    rule: str | None


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A place that cites others, each (path, first line of the section).

    `line` is `None` where it may be any line of the section that starts on `section_line`.
    """

    manual_id: str
    kind: str
    text: str
    path: str
    section_line: int
    line: int | None
    targets: tuple[tuple[str, int], ...]


def is_present() -> bool:
    """Whether the graded material is there."""
    return DEVSET.is_dir()


def manuals() -> Path:
    """The manuals that corpora are made of."""
    return DEVSET / "manuals" if is_present() else SAMPLES


def read_paragraphs() -> list[Paragraph]:
    """13,447 paragraphs of encyclopedia articles."""
    return [Paragraph(row["id"], row["title"], row["text"]) for row in _rows("qa/docs.jsonl")]


def read_questions() -> list[Question]:
    """2,000 questions to them."""
    return [Question(row["id"], row["text"], frozenset(row["gold"])) for row in _rows("qa/queries.jsonl")]


def read_terms() -> list[TermRow]:
    """150 terms with their lines in the manuals, some typed in another width or case than the text."""
    return [
        TermRow(row["query"], None, frozenset((hit["manual_id"], hit["path"], hit["line"]) for hit in row["hits"]))
        for row in _rows("gold/terms.jsonl")
    ]


def read_wide_terms() -> list[TermRow]:
    """The same for more kinds of text, a manual at a time."""
    return [
        TermRow(
            row["query"],
            row["manual_id"],
            frozenset((row["manual_id"], path, line) for path, line in row["hits"]),
        )
        for row in _rows("wide/gold/b_terms.jsonl")
    ]


def read_sections() -> list[SectionRow]:
    """94 link texts, and what each links to."""
    return [
        SectionRow(row["query"], row["manual_id"], ((row["path"], row["start_line"]),))
        for row in _rows("gold/sections.jsonl")
    ]


def read_wide_sections() -> list[SectionRow]:
    """Link texts, definitions and captions, and the sections they are about."""
    return [
        SectionRow(
            row["query"],
            row["manual_id"],
            tuple((place["path"], place["start_line"]) for place in row["gold"]),
        )
        for row in _rows("wide/gold/d_sections.jsonl")
    ]


def read_exceptions() -> list[ExceptionRow]:
    """500 lines of statutes: provisos and exclusions, and lines where 除, 免, 外 stand inside words."""
    return [
        ExceptionRow((row["manual_id"], row["path"], row["line"]), row["exception"], None)
        for row in _rows("gold/exceptions.jsonl")
    ]


def read_wide_exceptions() -> list[ExceptionRow]:
    """629 lines of more kinds of text, Japanese and English."""
    return [
        ExceptionRow((row["manual_id"], row["path"], row["line"]), row["label"] == "exception", row["rule"])
        for row in _rows("wide/gold/c_exceptions.jsonl")
    ]


def read_references() -> list[CitationRow]:
    """668 articles that cite another one by its number and its caption."""
    return [
        CitationRow(
            row["manual_id"],
            "caption",
            row["cites"],
            row["source"]["path"],
            row["source"]["start_line"],
            None,
            ((row["target"]["path"], row["target"]["start_line"]),),
        )
        for row in _rows("gold/references.jsonl")
    ]


def read_reference_searches() -> list[tuple[str, str, tuple[str, int]]]:
    """The same 668: manual, the caption of the citing article as a query, path and first line of the cited one."""
    return [
        (row["manual_id"], row["query"], (row["target"]["path"], row["target"]["start_line"]))
        for row in _rows("gold/references.jsonl")
    ]


def read_wide_references() -> list[CitationRow]:
    """Articles, ranges, appendices and other laws that a line cites, and what links lead to."""
    return [
        CitationRow(
            row["manual_id"],
            row["kind"],
            row["ref_text"],
            row["source"]["path"],
            row["source"].get("start_line", 0),
            row["source"]["ref_line"],
            tuple((place["path"], place["start_line"]) for place in row["targets"]),
        )
        for name in ("a_references", "a_md_links")
        for row in _rows(f"wide/gold/{name}.jsonl")
    ]


def read_query_mix() -> list[str]:
    """The queries that are timed: terms, link texts and questions, or headings where those are absent.

    Shuffled, always the same way.
    """
    if is_present():
        queries = [row.query for row in read_terms()] + [row.query for row in read_sections()]
        queries += [question.text for question in read_questions()[:_QUESTIONS_IN_MIX]]
    else:
        texts = (path.read_text("utf-8") for path in sorted(SAMPLES.rglob("*.md")))
        queries = list(dict.fromkeys(title for text in texts for title in _HEADING.findall(text)))
    random.Random(_SEED).shuffle(queries)
    return queries[:_SAMPLE_QUERIES]


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (DEVSET / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)
