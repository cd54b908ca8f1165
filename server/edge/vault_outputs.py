"""What the tools over the vault answer, as schemas."""

from typing import Literal

from pydantic import Field

from morenashi.server.artifacts.faults import FaultKind
from morenashi.server.calls.vault_inputs import SearchMode
from morenashi.server.search.judgement.judge import Status
from morenashi.server.search.summary import CutoffReason

from .outputs import Completeness, NextCall, Output


class VaultItem(Output):
    """A file or a folder."""

    name: str
    path: str
    """Relative to the vault."""
    kind: Literal["dir", "file"]
    size_bytes: int | None
    """`null` for a folder."""


class VaultLsOutput(Output):
    """What a folder holds, one level deep: folders, then files, by name."""

    base_path: str | None
    """`null` for the vault itself."""
    items: list[VaultItem]
    total: int = Field(default=0)
    """Of all items; left out if these are all."""


class LineRange(Output):
    """Lines, the first and the last included."""

    start_line: int
    end_line: int


class TextCursor(Output):
    """Where the file goes on; nothing but `null` where it does not."""

    start_line: int | None
    char_offset: int | None
    """In characters from the file's start."""
    version: str | None
    """The content that it belongs to: with another, a scan from here is refused."""


class AppliedRead(Output):
    """What was applied."""

    full: bool
    max_chars: int


class VaultReadOutput(Output):
    """A part of a file; of a trace, what was found, as in `manual_read`."""

    text: str
    truncated: bool
    """Whether the file goes on after the text; of a trace, whether anything of what it found is missing."""
    returned_chars: int
    """The length of the text."""
    applied_range: LineRange | None
    """The lines that the text is from; `null` for a trace, whose text names them."""
    next_cursor: TextCursor
    """For vault_scan."""
    truncated_reason: Literal["none", "range_end", "max_chars"]
    """`range_end`: the range was smaller than the file."""
    applied: AppliedRead
    """What held."""
    sha256: str | None
    """Of the whole file, for `if_hash`; `null` for a trace."""
    in_parts: list[int] = Field(default=[])
    """Of a trace: the hits in this answer that there is more of, to be named as `hits`, with only_new until there is
    no more; left out if there are none."""
    next_offset: int = Field(default=0)
    """Of a trace: where to go on; left out if all its hits were read, or if those to be read were named."""
    next_hits: list[int] = Field(default=[])
    """Of a trace: those of the `hits` that were named which are left, and those in parts, unless they were named
    without only_new; left out if none are, or while there is a next_offset."""


class AppliedScan(Output):
    """What was applied."""

    max_chars: int


class VaultAction(NextCall):
    """A call to make next."""

    type: Literal["vault_read", "vault_search", "vault_scan", "vault_coverage", "artifact_audit", "vault_find", "stop"]


class VaultSignals(Output):
    """How many candidates carry each signal."""

    normalized: int
    """A term stands there as normalised."""
    loose: int
    """Through separators, in another spelling, as a synonym, or a near miss."""


class VaultSummary(Output):
    """A search in the vault in numbers."""

    scanned_files: int
    """Notes of the scope that have text in the index."""
    scanned_nodes: int
    """Their sections, less those with a place that was not examined."""
    candidates: int
    """Sections that were found."""
    warnings: int
    """Notes with a problem (unreadable, undecodable, too large, invalid JSON), a degraded index."""
    max_stage_applied: int
    """Always 1: exceptions and references are not looked for in notes."""
    scope_expanded: bool
    """Always false: a search in the vault is not widened."""
    integrated_candidates: int
    """Sections in `integrated_top`."""
    signal_coverage: VaultSignals
    """How many candidates carry each signal."""
    file_bias_ratio: float = Field(ge=0, le=1)
    """The share of the candidates in the file that has most of them."""
    gap_ranges_count: int
    """Ranges of the files that were found which hold nothing of it."""
    sufficiency_score: float = Field(ge=0, le=1)
    """How likely the candidates hold the answer, fitted on graded questions (docs/inside/judgement.md); if a rest was
    taken up, the best of this and the searches before."""
    integration_status: Status
    """`ready`: a sufficiency of 0.9 or more, a line that matches, nothing cut, no note waiting to be indexed, no
    similar word taken for one that stands nowhere. `blocked`: no candidates. If a rest was taken up, the searches
    before count too."""
    completeness: Completeness
    cutoff_reason: CutoffReason = Field(default="time_budget")
    """What cut the search; left out if nothing did."""
    cutoff_terms: list[str] = Field(default=[])
    """What a third or more of what was found holds: a question without it leaves less unexamined. Left out if nothing
    was cut, or if there is none."""


class VaultFindOutput(Output):
    """The answer to a search in the vault."""

    trace_id: str
    """Names this answer for manual_hits."""
    summary: VaultSummary
    next_actions: list[VaultAction]
    """The next calls, in the order to make them."""


class FoundLine(Output):
    """A line that matches."""

    path: str
    line: int
    snippet: str
    """`line: text`, the text cut around the match where it is long."""


class UnsearchedFile(Output):
    """A file that could not be searched."""

    path: str
    reason: Literal["unreadable", "encoding"]


class VaultSearchOutput(Output):
    """The lines that match, by path and line."""

    results: list[FoundLine]
    mode: SearchMode
    """`plain` too where the query is no regular expression."""
    truncated: bool
    """Whether there are more: narrow the query or raise limit."""
    unsearched: list[UnsearchedFile]
    """Files that could not be read as text, 20 at most."""
    unsearched_count: int
    files_in_scope: int
    """How many files `glob` and `relative_dir` name, all that were asked about: 0 says that nothing was searched."""


class VaultScanOutput(Output):
    """A chunk of a file."""

    text: str
    applied_range: LineRange
    """The lines that the text is from."""
    next_cursor: TextCursor
    """Where the file goes on; for the next call."""
    eof: bool
    """Whether the text ends with the file's last character."""
    truncated: bool
    """Whether the file goes on after the text."""
    truncated_reason: Literal["none", "chunk_end", "max_chars"]
    """`chunk_end`: chunk_lines were read."""
    applied: AppliedScan
    """What held."""
    next_actions: list[VaultAction]
    """The next chunk until the file ends; at its end, and where what follows was delivered before, the look at what is
    covered."""


class WrittenOutput(Output):
    """A file that was written."""

    written_path: str
    """Relative to the vault."""
    written_bytes: int
    """The bytes of the text that was given, and of a line break that had to be set before it."""
    bytes_before: int
    """The file's size before; 0 for a new one."""
    sha256: str
    """Of the whole file, as it is now."""


class VaultReplaceOutput(Output):
    """A file in which something was replaced."""

    written_path: str
    replacements: int
    """0 if the text stands nowhere: the file is then left as it is."""
    bytes_before: int
    """The file's size before."""
    sha256: str
    """Of the whole file, as it is now."""
    similar_line: int = Field(default=0)
    """Where the text stands but for case, width, blanks and line breaks, if nothing was replaced; left out if nowhere.
    """


class MovedRange(LineRange):
    """Cited lines that stand elsewhere now."""

    now: LineRange
    """Where they stand."""


class Citations(Output):
    """What became of the cited ranges since they were first cited (docs/audit.md)."""

    same: int
    """Ranges that still say what they said."""
    new: int
    """Cited for the first time: kept as they are now."""
    moved: list[MovedRange]
    changed: list[LineRange]
    """Rewritten where they stood."""
    gone: list[LineRange]
    """Not in the file any more."""
    outside: list[LineRange]
    """Beyond the file's end, and never seen within."""


class AuditCitations(Citations):
    """The same of an artifact's own source_lines."""

    elsewhere: int
    """Ranges of another file that is there, against which to audit the artifact, too; or of a page of the web."""


class CoverageAction(NextCall):
    """A call to make next."""

    type: Literal["vault_scan", "vault_coverage", "artifact_audit", "manual_read", "stop"]
    confidence: float | None
    """How much this call promises, from 0 to 1."""


class VaultCoverageOutput(Output):
    """How much of a file is cited."""

    path: str
    total_lines: int
    covered_lines: int
    """Cited lines that the file has."""
    coverage_ratio: float = Field(ge=0, le=1)
    """Their share of all; 1 of an empty file."""
    covered_ranges: list[LineRange]
    """What is cited, merged, as far as the file reaches."""
    uncovered_ranges: list[LineRange]
    """The other lines."""
    meets_min_coverage: bool
    """Whether coverage_ratio is COVERAGE_MIN_RATIO (0.90) or more."""
    undelivered_ranges: list[LineRange]
    """Cited, but never delivered in this session."""
    citations: Citations
    """What became of the cited ranges since they were first cited."""
    next_actions: list[CoverageAction]
    """The next calls, in the order to make them."""


class Finding(Output):
    """A fault of an element of an artifact."""

    kind: FaultKind
    message: str
    """What is wrong and, the first time, what to do."""
    node_id: str | None
    """The element's name."""
    line: int
    """In the artifact."""
    target: str | None
    """What it points to, where that is the fault."""


class ArtifactAuditOutput(Output):
    """What is wrong with an artifact."""

    artifact_path: str
    source_path: str
    elements: int
    """Nodes, steps and items that were read."""
    rootless_nodes: int
    """Elements without lines of the source."""
    orphan_branches: int
    """Elements that no path from a start reaches, and branches to none."""
    one_way_refs: int
    """References that their target does not return, or to none."""
    coverage_ratio: float | None = Field(ge=0, le=1)
    """The share of the source's lines that is cited; 1 of an empty file."""
    uncovered_ranges_count: int
    """Stretches of the source that are not cited."""
    marginal_gain: float | None
    """Cited lines that the latest step brought for the first time, by the tokens it brought; `null` before anything
    was delivered."""
    needs_forced_full_scan: bool
    """Whether coverage_ratio is below COVERAGE_MIN_RATIO (0.90), there is a fault, or reading on still pays: lines
    are left and marginal_gain is MARGINAL_GAIN_MIN (0.02) or more."""
    undelivered_ranges: list[LineRange]
    """Cited, but never delivered in this session."""
    citations: AuditCitations
    """What became of the cited ranges since they were first cited."""
    unread_lines: list[int]
    """Lines of the artifact that made no sense, or begin a diagram that is no flowchart, 20 at most."""
    next_actions: list[CoverageAction]
    """The next calls, in the order to make them."""
    findings: list[Finding]
    """By line, 100 at most; the counts count all."""
