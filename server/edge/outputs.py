"""What the tools answer, as schemas. The tools build plain objects; tests hold them to these."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from .documented import Documented


class Output(Documented):
    """The base of all answers: nothing but what is named here."""

    model_config = ConfigDict(extra="forbid")


class Failure(Output):
    """A refused call."""

    code: Literal[
        "invalid_parameter",
        "not_found",
        "invalid_path",
        "out_of_scope",
        "forbidden",
        "invalid_scope",
        "conflict",
    ]
    message: str
    details: dict[str, Any]


class Page(Output):
    """A page of a longer list."""

    offset: int
    limit: int
    total: int
    """All items there are, not only those returned."""


class ManualItem(Output):
    """A manual."""

    manual_id: str


class Indexed(Output):
    """A list made from the index, which files on disk may be missing in."""

    pending_files: int = 0
    """Files that are not indexed as they are on disk now; only there if there are any. Ask again in a moment."""


class ManualListOutput(Indexed):
    """The manuals."""

    items: list[ManualItem]


class FileItem(Output):
    """A file of a manual."""

    manual_id: str
    path: str
    file_type: Literal["md", "json"]


class ManualLsOutput(Indexed, Page):
    """A page of files."""

    items: list[FileItem]


class TocItem(Output):
    """A heading, or a JSON file."""

    kind: Literal["heading", "json_file"]
    node_id: str
    path: str
    title: str
    level: int
    parent_id: str | None
    line_start: int
    line_end: int


class ManualTocOutput(Indexed, Page):
    """A page of a table of contents."""

    items: list[TocItem]


class ExceptItem(Output):
    """A line that holds a proviso, an exclusion or the like."""

    path: str
    start_line: int
    snippet: str


class ManualExceptsOutput(Indexed, Page):
    """A page of such lines."""

    items: list[ExceptItem]


class SignalCoverage(Output):
    """How many candidates carry each signal."""

    heading: int
    normalized: int
    loose: int
    exceptions: int
    reference: int


class Lines(Output):
    """Lines of the scope."""

    total: int
    examined: int
    matched: int
    unexamined: int


class Completeness(Output):
    """What was examined, and what that proves."""

    status: Literal["found", "absent", "unknown"]
    lines: Lines
    index: Literal["ok", "degraded"]
    index_generation: int
    pending_files: int


class Summary(Output):
    """A search in numbers."""

    scanned_files: int
    scanned_nodes: int
    candidates: int
    warnings: int
    max_stage_applied: int
    scope_expanded: bool
    unscanned_sections_count: int
    integrated_nodes: int
    signal_coverage: SignalCoverage
    file_bias_ratio: float = Field(ge=0, le=1)
    conflict_count: int
    gap_count: int
    sufficiency_score: float = Field(ge=0, le=1)
    integration_status: Literal["ready", "needs_followup", "blocked"]
    completeness: Completeness
    cutoff_reason: Literal["time_budget", "candidate_cap", "stage_cap", "hard_limit"] = Field(default="time_budget")
    """Only there if something was cut."""


class Action(Output):
    """A call to make next."""

    type: Literal["manual_hits", "manual_read", "manual_find", "stop"]
    confidence: float | None
    params: dict[str, Any] | None


class ManualFindOutput(Output):
    """The answer to a search."""

    trace_id: str
    summary: Summary
    next_actions: list[Action]


class Ref(Output):
    """A place in a manual, as manual_read takes it; or in the vault, by whose path and line vault_read reads."""

    target: Literal["manual", "vault"]
    manual_id: str | None
    """`null` in the vault."""
    path: str
    start_line: int | None
    json_path: str | None
    title: str = ""
    signals: list[str] = Field(default_factory=list)


Reason = Literal[
    "time_budget",
    "candidate_cap",
    "stage_cap",
    "hard_limit",
    "conflict",
    "gap",
    "ranked_by_integration",
    "unreadable",
    "encoding",
    "too_large",
    "changed_since_index",
]


class ExceptionItem(Output):
    """Something that is excepted."""

    ref: Ref
    rule: str
    """Of what kind: a proviso, an exclusion, ..."""


class HitItem(Output):
    """An item of a list of a search."""

    ref: Ref | None
    path: str | None
    start_line: int | None
    reason: Reason | None
    signals: list[str]
    score: float | None
    conflict_with: list[dict[str, Any]]
    gap_hint: str | None
    exceptions: list[ExceptionItem] | None = None
    """For candidates: the exceptions to what they say, in their section or referring to it; [] is none."""
    exceptions_total: int | None = None
    """On how many lines they are, if not all are listed; manual_excepts of the section has all that stand in it."""
    conflict_kind: Literal["exclusion", "quantity"] | None = None
    """One says that the other does not apply, or they give one quantity two values."""


class ManualHitsOutput(Page):
    """A page of such a list."""

    trace_id: str
    kind: Literal["candidates", "unscanned", "conflicts", "gaps", "integrated_top"]
    items: list[HitItem]


class Applied(Output):
    """The scope and limits that were applied."""

    scope: Literal["snippet", "section", "sections", "file"]
    max_sections: int | None
    max_chars: int | None


class Source(Output):
    """Where a text is from."""

    manual_id: str
    path: str
    start_line: int
    end_line: int


class Cursor(Output):
    """Where a text goes on."""

    start_line: int
    char_offset: int


class ManualReadOutput(Output):
    """A text from a manual."""

    text: str
    truncated: bool
    applied: Applied
    source: Source
    """The lines that the text is from."""
    next_cursor: Cursor | None
    """Where to go on if the text was cut."""
