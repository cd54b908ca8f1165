"""What the tools over the vault answer, as schemas."""

from typing import Literal

from .outputs import Output


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
