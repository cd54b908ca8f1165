"""What the tools over the vault accept. Strict, as the manual tools."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from morenashi.server.reading import HitScope

from .inputs import Budget, Count, Hits, Input, NonEmpty, PageSize, Question

MOST_CHARS = 12_000
"""The most characters of a file in one answer (seed 003: `SCAN_MAX_CHARS`)."""

SearchMode = Literal["regex", "plain", "loose"]
WriteMode = Literal["overwrite", "append"]
Line = Annotated[int, Field(ge=1, le=2_000_000_000)]


class FindScope(Input):
    """Which notes."""

    relative_dir: NonEmpty | None = None
    """A folder of the vault."""
    glob: NonEmpty | None = None
    """As *.md, or from there plans/** or !plans/**."""
    daily: bool | None = None
    """false leaves the daily notes out."""


class VaultFind(Input):
    """What to search in the vault."""

    query: Question
    """The subject: words set apart by blanks, a "quoted phrase", a~b|c for a near b or c, or a question."""
    scope: FindScope | None = None
    only_unscanned_from_trace_id: NonEmpty | None = None
    """Examine only what that search left unscanned, in its scope."""
    budget: Budget | None = None


class VaultSearch(Input):
    """Which text to search in the vault."""

    query: NonEmpty
    """A regular expression (RE2, no lookaround); in mode plain or loose a text (loose: any case, width, separators)."""
    mode: SearchMode | None = None
    """regex if left out; plain is literal, loose ignores case, width and separators."""
    glob: NonEmpty | None = None
    """As *.md, or from relative_dir plans/** or !plans/**."""
    relative_dir: NonEmpty | None = None
    """A folder of the vault."""
    limit: PageSize | None = None
    """How many lines to return at most (50)."""


class VaultLs(Input):
    """Which folder to list."""

    path: NonEmpty | None = None
    """A folder of the vault; its root if left out."""
    relative_dir: NonEmpty | None = None
    """An older name of `path`."""
    offset: Count | None = None
    """How many items to pass over (0)."""
    limit: PageSize | None = None
    """How many items to return at most (all)."""


class TextLimits(Input):
    """How much text to return."""

    max_chars: Annotated[int, Field(ge=1, le=MOST_CHARS)] | None = None
    """Characters to return at most (12000, which is also the most)."""


class LineRange(Input):
    """Lines, the first and the last included."""

    start_line: Line | None = None
    """The first (1)."""
    end_line: Line | None = None
    """The last (the file's last)."""


class VaultRead(Input):
    """What to read of a file, or of what a search found."""

    path: NonEmpty | None = None
    """The file, relative to the vault."""
    full: bool | None = None
    """Read from the beginning, whatever the range."""
    range: LineRange | None = None
    """Which lines; required unless `full`."""
    trace_id: NonEmpty | None = None
    """Instead of `path`: what this vault_find found, the best first."""
    offset: Count | None = None
    """Of a trace: how many hits to pass over (0)."""
    hits: Hits | None = None
    """Of a trace: only these, whole, by number."""
    only_new: bool | None = None
    """Of a trace: without lines you have had."""
    scope: HitScope | None = None
    """Of a trace `sections` if left out, as manual_read has them; `section` or `snippet`."""
    limits: TextLimits | None = None
    line_numbers: bool | None = None
    """Number each line."""


class ScanCursor(Input):
    """Where to go on: the `next_cursor` of the chunk before."""

    start_line: Line | None = None
    char_offset: Count | None = None
    """In characters from the file's start; decides before `start_line`."""
    version: NonEmpty | None = None
    """Which content of the file it belongs to."""


class VaultScan(Input):
    """Which chunk of a file to read."""

    path: NonEmpty
    """The file, relative to the vault."""
    start_line: Line | None = None
    """Begin at this line, whatever the cursor says."""
    cursor: ScanCursor | None = None
    """The `next_cursor` of the chunk before."""
    chunk_lines: Annotated[int, Field(ge=1)] | None = None
    """End after so many lines, VAULT_SCAN_MAX_CHUNK_LINES (200) at most; at max_chars alone if left out."""
    limits: TextLimits | None = None
    line_numbers: bool | None = None
    """Number each line."""


class VaultCreate(Input):
    """A new file."""

    path: NonEmpty
    """The file, relative to the vault. Folders that are missing are made."""
    content: Annotated[str, StringConstraints(min_length=1)]
    """Its text."""


class VaultWrite(Input):
    """A text for a file that exists."""

    path: NonEmpty
    """The file, relative to the vault."""
    content: str
    """The text; its line breaks become the file's."""
    mode: WriteMode
    """In the place of the text that is there, or after it, on a new line."""
    if_hash: NonEmpty | None = None
    """Only if the file still has this SHA-256, as an answer gave it."""


class VaultReplace(Input):
    """A text to replace in a file that exists."""

    path: NonEmpty
    """The file, relative to the vault."""
    find: Annotated[str, StringConstraints(min_length=1)]
    """A literal text, no pattern."""
    replace: str
    """What to put in its place."""
    max_replacements: Count | None = None
    """Refused if there are more places (1)."""
    if_hash: NonEmpty | None = None
    """Only if the file still has this SHA-256, as an answer gave it."""


class CitedRange(Input):
    """Lines that are cited."""

    start_line: Line
    end_line: Line

    @model_validator(mode="after")
    def _is_a_range(self) -> "CitedRange":
        if self.end_line < self.start_line:
            raise PydanticCustomError("reversed_range", "an end_line that is not before start_line")
        return self


class VaultCoverage(Input):
    """What is cited of a file."""

    path: NonEmpty
    """A file of the vault, or manuals/<id>/..."""
    cited_ranges: Annotated[list[CitedRange], Field(max_length=10_000)]
    renew: bool | None = None
    """Cite the lines as they are now."""


class ArtifactAudit(Input):
    """What to check against what."""

    artifact_path: NonEmpty
    """A flowchart, step table, list or graph, in the vault."""
    source_path: NonEmpty
    """What it was made from: a file of the vault, manuals/<id>/..., or a part, path:12-40."""
    cited_ranges: Annotated[list[CitedRange], Field(max_length=10_000)] | None = None
    """The artifact's own source_lines, if left out."""
    renew: bool | None = None
    """Cite the lines as they are now."""
