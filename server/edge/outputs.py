"""What the tools answer, as schemas. The tools build plain objects; tests hold them to these."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from morenashi.server.calls.inputs import HitKind
from morenashi.server.delivery.delivered import Root
from morenashi.server.documented import Documented
from morenashi.server.errors import ErrorCode
from morenashi.server.reading import ReadScope
from morenashi.server.search.judgement.conflicts import ConflictKind
from morenashi.server.search.judgement.judge import Status
from morenashi.server.search.summary import CompletenessStatus, CutoffReason


class Output(Documented):
    """The base of all answers: nothing but what is named here."""

    model_config = ConfigDict(extra="forbid")


class Failure(Output):
    """A refused call."""

    code: ErrorCode
    message: str
    """What was expected, and what to do."""
    details: dict[str, Any]
    """`parameter` and whatever else helps; `nearest`, what was probably meant; of several `problems` the first 20, and
    `problems_total` if there are more."""


class Page(Output):
    """A page of a longer list."""

    offset: int
    """How many items were passed over."""
    limit: int
    """How many could be returned at most."""
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
    """By manual_id."""


class FileItem(Output):
    """A file of a manual."""

    manual_id: str
    path: str
    """Relative to the manual."""
    file_type: Literal["md", "json"]


class ManualLsOutput(Indexed, Page):
    """A page of files."""

    items: list[FileItem]
    """By manual and path."""


class TocItem(Output):
    """A heading, or a JSON file."""

    kind: Literal["heading", "json_file"]
    node_id: str
    """For manual_excepts: `path#Lline`; of a JSON file its path."""
    path: str
    """Relative to the manual."""
    title: str
    """The heading's text; where there is none, the file's name."""
    level: int
    """1 to 6; 0 of a JSON file, and of what stands before the first heading."""
    parent_id: str | None
    """The node_id of the heading above it; `null` at the top."""
    line_start: int
    """The line of the heading."""
    line_end: int
    """The last line of the section, with its subsections."""


class ManualTocOutput(Indexed, Page):
    """A page of a table of contents."""

    items: list[TocItem]
    """By path and line."""


class ExceptItem(Output):
    """A line that holds a proviso, an exclusion or the like."""

    path: str
    """Relative to the manual."""
    start_line: int
    snippet: str
    """The line, 200 characters of it at most: as on disk or, if that changed, as indexed."""


class ManualExceptsOutput(Indexed, Page):
    """A page of such lines."""

    items: list[ExceptItem]
    """By path and line, those of all kinds together."""


class SignalCoverage(Output):
    """How many candidates carry each signal."""

    heading: int
    """A term stands in the title."""
    normalized: int
    """A term stands there as normalised."""
    loose: int
    """Through separators, in another spelling, as a synonym, or a near miss."""
    exceptions: int
    """Exceptions stand in the section, or elsewhere and refer to it."""
    reference: int
    """One of the best sections refers to it."""


class Lines(Output):
    """Lines of the scope."""

    total: int
    """The lines asked for; those left over, if a search is taken up again."""
    examined: int
    """Matched against the terms, or ruled out by the index."""
    matched: int
    """Those that hold a term."""
    unexamined: int
    """Those under `unscanned`, other manuals (`stage_cap`) apart."""


class Completeness(Output):
    """What was examined, and what that proves."""

    status: CompletenessStatus
    """`absent`: nothing holds a term, and everything was examined; `unknown`: nothing was found, but not everything
    was examined. If a rest was taken up, what the searches before found counts too; what another question left over
    proves no absence, nor does a rest once documents have come or changed that are not in it."""
    lines: Lines
    index: Literal["ok", "degraded"]
    """`degraded`: found to miss things; the texts are scanned until it is rebuilt."""
    index_generation: int
    """Grows with every change of the index."""
    pending_files: int
    """Files known to have changed that are not indexed yet."""
    other_language_files: int = 0
    """Files in another language than the question, Japanese or English: ask in theirs, too. Only there if there are
    any."""
    unread_files: int = 0
    """Files of the scope that may hold text and are not read by design: neither Markdown nor JSON, behind a link, or in
    the folder of no manual; counted when all of the disk was last compared. Only there if there are any."""


class Summary(Output):
    """A search in numbers."""

    scanned_files: int
    """Documents of the scope that have text in the index."""
    scanned_nodes: int
    """Their sections, less those with a place that was not examined."""
    candidates: int
    """Sections that were found."""
    warnings: int
    """Documents with a problem (unreadable, undecodable, too large, invalid JSON), a stage that failed, a degraded
    index."""
    max_stage_applied: int
    """The last stage that ran: 4 if the search was widened, else 3."""
    scope_expanded: bool
    """Whether the other manuals were searched too, beside the one that was asked for."""
    unscanned_sections_count: int
    """Places not examined, as many as manual_hits lists under `unscanned`."""
    integrated_nodes: int
    """Sections in `integrated_top`."""
    signal_coverage: SignalCoverage
    """How many candidates carry each signal."""
    file_bias_ratio: float = Field(ge=0, le=1)
    """The share of the candidates in the file that has most of them."""
    conflict_count: int
    """Pairs of places that cannot both hold, as manual_hits lists them under `conflicts`: two values of one
    quantity, or a rule and what says that it does not apply."""
    gap_count: int
    """As manual_hits lists them under `gaps`: terms that no examined line holds, what the intent asks for and no
    candidate has, references that lead nowhere. What a search before found is none of the rest that is taken up."""
    sufficiency_score: float = Field(ge=0, le=1)
    """How likely the candidates hold the answer, fitted on graded questions (docs/inside/judgement.md); if a rest was
    taken up, the best of this and the searches before."""
    integration_status: Status
    """`ready`: a sufficiency of 0.9 or more, a line that matches, no conflict, nothing cut, nothing waiting to be
    indexed, no similar word taken for one that stands nowhere. `blocked`: no candidates. If a rest was taken up, the
    searches before count too."""
    completeness: Completeness
    cutoff_reason: CutoffReason = Field(default="time_budget")
    """What cut the search; left out if nothing did."""
    cutoff_terms: list[str] = Field(default=[])
    """What a third or more of what was found holds: a question without it leaves less unexamined. Left out if nothing
    was cut, or if there is none."""


class NextCall(Output):
    """A call to make next."""

    type: str
    """The tool to call; `stop`: nothing is left to be done."""
    confidence: float | None
    """How much this call promises, from 0 to 1, by a measure of its own for each type: the order says what to do
    first."""
    params: dict[str, Any] | None
    """To be sent as they are."""


class Action(NextCall):
    """A call to make next."""

    type: Literal["manual_hits", "manual_read", "manual_find", "stop"]


class ManualFindOutput(Output):
    """The answer to a search."""

    trace_id: str
    """Names this answer for manual_hits."""
    summary: Summary
    next_actions: list[Action]
    """The next calls, in the order to make them."""


class Ref(Output):
    """A place in a manual, as manual_read takes it; or in the vault, by whose path and line vault_read reads."""

    target: Root
    manual_id: str | None
    """`null` in the vault."""
    path: str
    """Relative to the manual, or to the vault."""
    start_line: int | None
    json_path: str | None
    """The JSON Pointer of the value; `null` elsewhere than in JSON."""
    title: str = ""
    """Of its section."""


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
    """Its kind: a proviso, an exclusion, a condition, a caution, ..."""


class MatchedLine(Output):
    """A further line that matches."""

    start_line: int
    json_path: str | None
    """Of what begins on it."""


class HitItem(Output):
    """An item of a list of a search."""

    ref: Ref | None
    """For manual_read; `null` for a gap that has no place."""
    path: str | None
    """The ref's."""
    start_line: int | None
    """The ref's: of a candidate, the line that matches."""
    reason: Reason | None
    """Why it is in the list. Of `unscanned`, why it was not examined."""
    signals: list[str]
    """Why it is a candidate (`summary.signal_coverage`)."""
    score: float | None
    """Of a candidate, from 0 to 1, within one search."""
    conflict_with: list[dict[str, Any]]
    """Of a conflict, the ref of the other place."""
    gap_hint: str | None
    """What is missing: a term, a facet of the intent, a reference that leads nowhere, lines of a note."""
    exceptions: list[ExceptionItem] | None = None
    """Of a candidate, five exceptions at most to what it says, in its section or elsewhere and referring to it; [] is
    none."""
    exceptions_total: int | None = None
    """On how many lines they are, if not all are listed; manual_excepts of the section has all that stand in it."""
    lines: list[MatchedLine] | None = None
    """Of a candidate in JSON, where a file is one section, or in a section of hundreds of lines: five at most of the
    other lines that match, those with most terms."""
    lines_total: int | None = None
    """How many these are, if not all are listed; manual_read of the file has them."""
    conflict_kind: ConflictKind | None = None
    """Of a conflict: one says that the other does not apply, or they give one quantity two values."""


class ManualHitsOutput(Page):
    """A page of such a list."""

    trace_id: str
    """The search whose list this is."""
    kind: HitKind
    items: list[HitItem]


class Applied(Output):
    """The scope and limits that were applied."""

    scope: ReadScope
    max_sections: int | None
    """`null` where the scope knows no sections."""
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
    """In characters from the beginning of the file."""


class ManualReadOutput(Output):
    """A text from a manual."""

    text: str
    """As it is on disk now."""
    truncated: bool
    """Whether something of the scope is missing from the text."""
    applied: Applied
    """The scope and limits that held."""
    source: Source | None
    """The lines that the text is from; `null` of a trace: a line above each section says [hit] manual/path:lines."""
    next_cursor: Cursor | None
    """Where to go on if the text was cut."""
    in_parts: list[int] = Field(default=[])
    """Of a trace: the hits in this answer that there is more of, to be named as `hits`, with only_new until there is
    no more; left out if there are none."""
    next_offset: int = Field(default=0)
    """Of a trace: where to go on; left out if all its hits were read, or if those to be read were named."""
    next_hits: list[int] = Field(default=[])
    """Of a trace: those of the `hits` that were named which are left, and those in parts, unless they were named
    without only_new; left out if none are, or while there is a next_offset."""
    next_places: list[str] = Field(default=[])
    """Those of the `places` that are left, for `places`; left out if none are."""
