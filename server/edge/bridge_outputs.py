"""What the bridge answers: what was written, never the text."""

from .vault_outputs import WrittenOutput


class CopyFileOutput(WrittenOutput):
    """A file that was copied."""

    truncated: bool
    """Whether the limits left something out: the file holds only a part until that is appended."""
    next_cursor: str | None
    """Where that goes on; `null` where all is copied."""


class CopySectionOutput(CopyFileOutput):
    """A section that was copied."""

    written_sections: int
    """The section and those below it, as far as they were copied."""
