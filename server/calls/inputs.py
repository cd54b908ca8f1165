"""What the manual tools accept. Strict: no unknown parameter, no boolean or string for a number."""

import re
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from morenashi.server.clients import current_client
from morenashi.server.documented import Documented
from morenashi.server.reading import ReadScope
from morenashi.server.search.question.intent import Intent

NonEmpty = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
Question = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=r"\S")]
Count = Annotated[int, Field(ge=0, le=2_000_000_000)]

HitKind = Literal["candidates", "unscanned", "conflicts", "gaps", "integrated_top"]
"""The lists of a search that manual_hits pages."""

MAX_PAGE = 500
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]
Hits = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=MAX_PAGE)]
MAX_POINTER_CHARS = 4_000
MAX_CANDIDATES = 1_000
MAX_TIME_MS = 600_000


class Input(Documented):
    """The base of all inputs. `null` means: not given."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ManualList(Input):
    """No parameters."""


class ManualLs(Input):
    """Which files to list."""

    manual_id: NonEmpty | None = None
    """Only this manual's files; all manuals' if left out."""
    offset: Count | None = None
    """How many items to pass over (0)."""
    limit: PageSize | None = None
    """How many items to return at most (100)."""


class ManualToc(Input):
    """Whose headings to list."""

    manual_id: NonEmpty
    """The manual."""
    node_id: NonEmpty | None = None
    """As this gives it, or a path: only this section with its subsections, or this file."""
    offset: Count | None = None
    """How many items to pass over (0)."""
    limit: PageSize | None = None
    """How many items to return at most (100)."""


class ManualExcepts(Input):
    """Whose exceptions to list."""

    manual_id: NonEmpty
    """The manual."""
    node_id: NonEmpty | None = None
    """As manual_toc gives it, or a path: only this section with its subsections, or this file."""
    offset: Count | None = None
    """How many items to pass over (0)."""
    limit: PageSize | None = None
    """How many items to return at most (100)."""


class Budget(Input):
    """How much a search may examine."""

    max_candidates: Annotated[int, Field(ge=1, le=MAX_CANDIDATES)] | None = None
    """How many sections to examine as candidates at most (200). The rest is listed as unscanned."""
    time_ms: Annotated[int, Field(ge=1, le=MAX_TIME_MS)] | None = None
    """How long to search at most (60000). The rest is listed as unscanned."""


class ManualFind(Input):
    """What to search."""

    query: Question
    """The subject: words set apart by blanks, a "quoted phrase", a~b|c for a near b or c, or a question."""
    manual_id: NonEmpty | None = None
    """Search this manual, and the others only if it has too little; DEFAULT_MANUAL_ID, or all manuals, if left out."""
    intent: Intent | None = None
    """What is wanted of the subject; inferred from the query if left out."""
    max_stage: Literal[3, 4] | None = None
    """3 forbids going on to other manuals (4)."""
    only_unscanned_from_trace_id: NonEmpty | None = None
    """Examine only what that search left unscanned, in its scope."""
    budget: Budget | None = None


def _refuse_note(target: object) -> object:
    # manual_hits pages the lists of vault_find, too.
    if target == "vault":
        if "vault" not in current_client().toolsets:
            raise PydanticCustomError("ref_of_a_note", "'manual'")
        raise PydanticCustomError("ref_of_a_note", "'manual'; a note is read with vault_read, by its path and lines")
    return target


class ManualRef(Input):
    """A place in a manual."""

    target: Annotated[Literal["manual"], BeforeValidator(_refuse_note)]
    manual_id: NonEmpty
    path: NonEmpty
    """Relative to the manual."""
    start_line: Annotated[int, Field(ge=1)] | None = None
    json_path: Annotated[str, StringConstraints(max_length=MAX_POINTER_CHARS)] | None = None
    """A JSON Pointer (RFC 6901)."""
    title: str | None = None
    signals: list[str] | None = None

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.title is not None and self.start_line is None and self.json_path is None:
            raise PydanticCustomError("title_alone", "start_line or json_path beside a title, which names no place")
        return self


class Place(NamedTuple):
    """Lines of a document, the first and the last included; as text manual/path:first-last."""

    manual_id: str
    path: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.manual_id}/{self.path}:{self.first}-{self.last}"


_PLACE = re.compile(r"([^/]+)/(.+):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.S)


def _parse_place(text: object) -> Place:
    match = _PLACE.fullmatch(text) if isinstance(text, str) and len(text) <= MAX_POINTER_CHARS else None
    if not match or int(match[4] or match[3]) < int(match[3]):
        raise PydanticCustomError("no_place", "lines of a document, like manual/path.md:12-40")
    return Place(match[1], match[2], int(match[3]), int(match[4] or match[3]))


class ReadLimits(Input):
    """How much to read."""

    max_sections: Annotated[int, Field(ge=1)] | None = None
    """For `sections` and `file` (20; HARD_MAX_SECTIONS, 20, is the most); of a trace hits (50 if lines are given)."""
    max_chars: Annotated[int, Field(ge=1)] | None = None
    """Characters to return at most (8000; HARD_MAX_CHARS, 20000, is the most)."""
    allow_file: bool | None = None
    """Needed, beside the server's own setting, for a whole .md file."""


class ReadExpand(Input):
    """How many characters to add around a snippet."""

    before_chars: Annotated[int, Field(ge=0, le=20_000)] | None = None
    after_chars: Annotated[int, Field(ge=0, le=20_000)] | None = None


class ReadCursor(Input):
    """Where to go on."""

    char_offset: Count
    """Where in the file, in characters, to go on."""
    start_line: Annotated[int, Field(ge=1)] | None = None
    """Its line, as `next_cursor` says it; `char_offset` decides."""


Places = Annotated[
    list[
        Annotated[
            Place, PlainValidator(_parse_place), WithJsonSchema({"type": "string", "pattern": f"^{_PLACE.pattern}$"})
        ]
    ],
    Field(min_length=1, max_length=MAX_PAGE),
]


class ManualRead(Input):
    """What to read."""

    ref: ManualRef | None = None
    """As manual_hits gives it."""
    places: Places | None = None
    """Instead of `ref`: lines of several documents."""
    trace_id: NonEmpty | None = None
    """Instead of `ref`: what this manual_find found, the best first."""
    offset: Count | None = None
    """Of a trace: how many hits to pass over (0)."""
    hits: Hits | None = None
    """Of a trace: only these, whole, by number."""
    only_new: bool | None = None
    """Without lines you have had."""
    scope: ReadScope | None = None
    """`snippet` for .md and `file` for .json if left out, but `snippet` for a json_path in a file that is too long for
    an answer. Of a trace `sections`, of all but the best only the lines that match; `snippet`, those of all; or
    `section`, each with its subsections."""
    limits: ReadLimits | None = None
    expand: ReadExpand | None = None
    """Widens a snippet."""
    cursor: ReadCursor | None = None
    """The `next_cursor` of a truncated answer, to go on there; keep `ref` and `scope` the same."""
    line_numbers: bool | None = None
    """Number each line."""


class ManualHits(Input):
    """Which list of a search to page."""

    trace_id: NonEmpty
    """As manual_find or vault_find gave it."""
    kind: HitKind | None = None
    """Which list (candidates)."""
    offset: Count | None = None
    """How many items to pass over (0)."""
    limit: PageSize | None = None
    """How many items to return at most (50)."""
