"""What the tools over the vault accept. Strict, as the manual tools."""

from .inputs import Input, NonEmpty


class VaultLs(Input):
    """Which folder to list."""

    path: NonEmpty | None = None
    """A folder of the vault; its root if left out."""
    relative_dir: NonEmpty | None = None
    """An older name of `path`."""
