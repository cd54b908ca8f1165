"""The two collections of a workspace: the manuals and the vault. Each has an index of its own.

What one of them does leaves the other as it is: its results, its generations, the page caches of its readers.
docs/decisions/0012 has the reasons.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .config import Config
from .files import DiskFile, Key, manual_key, note_key
from .listing import Listing, list_manuals, list_one, list_vault
from .presence import is_there

CollectionKind = Literal["manuals", "vault"]


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder of documents and the database that indexes them."""

    kind: CollectionKind
    root: Path
    database: Path

    def list(self, manual_id: str | None = None) -> Listing:
        """All documents on disk, or those of one manual. Raises `RootMissingError`."""
        return list_manuals(self.root, manual_id) if self.kind == "manuals" else list_vault(self.root)

    def list_one(self, key: Key) -> DiskFile | None:
        """The document of this key on disk. Raises `OSError` if that cannot be told."""
        return list_one(self.root, *key)

    def key(self, parts: tuple[str, ...]) -> Key | None:
        """The key of a path below the root, or `None` if its name is not one of a document."""
        return manual_key(parts) if self.kind == "manuals" else note_key(parts)


def collection_of(config: Config, kind: CollectionKind) -> Collection:
    """The manuals or the vault of a workspace."""
    if kind == "vault":
        return Collection(kind, config.vault, config.vault_database)
    return Collection(kind, config.manuals, config.database)


def collections_of(config: Config) -> Iterator[Collection]:
    """The manuals; the vault too where there is one, or was one, or where something else has its name."""
    yield collection_of(config, "manuals")
    vault = collection_of(config, "vault")
    if is_there(vault.root) or is_there(vault.database):
        yield vault


def display_name(key: Key) -> str:
    """A document's name, its path below the root: `manual_id/path`, in the vault the path alone."""
    return "/".join(filter(None, key))
