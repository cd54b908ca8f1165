"""What the bridge accepts: where to copy from, where to. Strict, as the other tools."""

from typing import Annotated

from pydantic import Field

from .inputs import Input, ManualRef, NonEmpty
from .vault_inputs import WriteMode


class CopyLimits(Input):
    """How much to copy."""

    max_sections: Annotated[int, Field(ge=1)] | None = None
    """Headings at most (HARD_MAX_SECTIONS, which is also the most)."""
    max_chars: Annotated[int, Field(ge=1)] | None = None
    """Characters at most (HARD_MAX_CHARS, which is also the most)."""
    allow_file: bool | None = None
    """Needed, beside the server's own setting, for a whole .md file."""


class CopySection(Input):
    """A section of a manual for a file of the vault."""

    from_ref: ManualRef
    """As manual_hits gives it."""
    to_path: NonEmpty
    """The file in the vault; made if it does not exist."""
    mode: WriteMode
    limits: CopyLimits | None = None
    provenance: bool | None = None
    """Say in a Markdown file where the text is from (true)."""
    cursor: NonEmpty | None = None
    """The `next_cursor` of a truncated copy: append what is left, exactly, without a note."""


class CopyFile(Input):
    """A file of a manual for a file of the vault."""

    manual_id: NonEmpty
    from_path: NonEmpty
    """Relative to the manual."""
    to_path: NonEmpty
    """The file in the vault; made if it does not exist."""
    mode: WriteMode
    limits: CopyLimits | None = None
    provenance: bool | None = None
    """Say in a Markdown file where the text is from (true)."""
    cursor: NonEmpty | None = None
    """The `next_cursor` of a truncated copy: append what is left, exactly, without a note."""
