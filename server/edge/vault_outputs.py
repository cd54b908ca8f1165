"""What the tools over the vault answer, as schemas."""

from typing import Any, Literal

from pydantic import Field

from .outputs import Completeness, Output


class VaultItem(Output):
    """A file or a folder."""

    name: str
    path: str
    kind: Literal["dir", "file"]
    size_bytes: int | None
    """`null` for a folder."""


class VaultLsOutput(Output):
    """What a folder holds, one level deep: folders, then files, by name."""

    base_path: str | None
    """`null` for the vault itself."""
    items: list[VaultItem]


class LineRange(Output):
    """Lines, the first and the last included."""

    start_line: int
    end_line: int


class TextCursor(Output):
    """Where the file goes on; nothing but `null` where it does not."""

    start_line: int | None
    char_offset: int | None
    version: str | None
    """The content that it belongs to: with another, a scan from here is refused."""


class AppliedRead(Output):
    """What was applied."""

    full: bool
    max_chars: int


class VaultReadOutput(Output):
    """A part of a file."""

    text: str
    truncated: bool
    """Whether the file goes on after the text."""
    returned_chars: int
    applied_range: LineRange
    next_cursor: TextCursor
    """For vault_scan."""
    truncated_reason: Literal["none", "range_end", "max_chars"]
    applied: AppliedRead
    sha256: str
    """Of the whole file, for `if_hash`."""


class AppliedScan(Output):
    """What was applied."""

    max_chars: int


class VaultAction(Output):
    """A call to make next."""

    type: Literal["vault_read", "vault_search", "vault_scan", "vault_coverage", "artifact_audit", "vault_find", "stop"]
    confidence: float | None
    params: dict[str, Any] | None


class VaultSignals(Output):
    """How many candidates carry each signal."""

    normalized: int
    loose: int


class VaultSummary(Output):
    """A search in the vault in numbers."""

    scanned_files: int
    scanned_nodes: int
    candidates: int
    warnings: int
    max_stage_applied: int
    scope_expanded: bool
    integrated_candidates: int
    signal_coverage: VaultSignals
    file_bias_ratio: float = Field(ge=0, le=1)
    gap_ranges_count: int
    """Ranges of the files that were found which hold nothing of it."""
    sufficiency_score: float = Field(ge=0, le=1)
    integration_status: Literal["ready", "needs_followup", "blocked"]
    completeness: Completeness
    cutoff_reason: Literal["time_budget", "candidate_cap", "stage_cap", "hard_limit"] = Field(default="time_budget")
    """Only there if something was cut."""


class VaultFindOutput(Output):
    """The answer to a search in the vault."""

    trace_id: str
    summary: VaultSummary
    next_actions: list[VaultAction]


class FoundLine(Output):
    """A line that matches."""

    path: str
    line: int
    snippet: str
    """`line: text`, the text cut around the match where it is long."""


class UnsearchedFile(Output):
    """A file that could not be searched."""

    path: str
    reason: Literal["unreadable", "encoding", "too_large", "symlink"]


class VaultSearchOutput(Output):
    """The lines that match, by path and line."""

    results: list[FoundLine]
    mode: Literal["regex", "plain", "loose"]
    """`plain` too where the query is no regular expression."""
    truncated: bool
    """Whether there are more: narrow the query or raise limit."""
    unsearched: list[UnsearchedFile]
    """Files that could not be read as text, 20 at most."""
    unsearched_count: int


class VaultScanOutput(Output):
    """A chunk of a file."""

    text: str
    applied_range: LineRange
    next_cursor: TextCursor
    eof: bool
    """Whether the text ends with the file's last character."""
    truncated: bool
    """Whether the file goes on after the text."""
    truncated_reason: Literal["none", "chunk_end", "max_chars"]
    applied: AppliedScan
    next_actions: list[VaultAction]


class WrittenOutput(Output):
    """A file that was written."""

    written_path: str
    written_bytes: int
    """The bytes of the text that was given."""
    bytes_before: int
    """The file's size before; 0 for a new one."""
    sha256: str
    """Of the whole file, as it is now."""


class VaultReplaceOutput(Output):
    """A file in which something was replaced."""

    written_path: str
    replacements: int
    bytes_before: int
    """The file's size before."""
    sha256: str
    """Of the whole file, as it is now."""


class MovedRange(LineRange):
    """Cited lines that stand elsewhere now."""

    now: LineRange


class Citations(Output):
    """What became of the cited ranges since they were first cited (docs/audit.md)."""

    same: int
    new: int
    """Cited for the first time: kept as they are now."""
    moved: list[MovedRange]
    changed: list[LineRange]
    gone: list[LineRange]
    outside: list[LineRange]
    """Beyond the file's end, and never seen within."""


class CoverageAction(Output):
    """A call to make next."""

    type: Literal["vault_scan", "vault_coverage", "artifact_audit", "manual_read", "stop"]
    confidence: float | None
    params: dict[str, Any] | None


class VaultCoverageOutput(Output):
    """How much of a file is cited."""

    path: str
    total_lines: int
    covered_lines: int
    coverage_ratio: float = Field(ge=0, le=1)
    covered_ranges: list[LineRange]
    uncovered_ranges: list[LineRange]
    meets_min_coverage: bool
    undelivered_ranges: list[LineRange]
    """Cited, but never delivered in this session."""
    citations: Citations
    next_actions: list[CoverageAction]


class Finding(Output):
    """A fault of an element of an artifact."""

    kind: Literal["rootless_node", "orphan_branch", "one_way_ref"]
    message: str
    """What is wrong, and what to do."""
    node_id: str | None
    line: int
    """In the artifact."""
    target: str | None
    """What it points to, where that is the fault."""


class ArtifactAuditOutput(Output):
    """What is wrong with an artifact."""

    artifact_path: str
    source_path: str
    elements: int
    rootless_nodes: int
    orphan_branches: int
    one_way_refs: int
    coverage_ratio: float | None = Field(ge=0, le=1)
    uncovered_ranges_count: int
    marginal_gain: float | None
    """Cited lines that the latest step brought for the first time, by the tokens it brought."""
    needs_forced_full_scan: bool
    undelivered_ranges: list[LineRange]
    """Cited, but never delivered in this session."""
    citations: Citations
    unread_lines: list[int]
    """Lines of the artifact that made no sense, 20 at most."""
    next_actions: list[CoverageAction]
    findings: list[Finding]
    """By line, 100 at most; the counts count all."""
