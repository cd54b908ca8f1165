"""Which notes a call is about: a folder, a pattern, with or without the daily ones. Pure."""

from dataclasses import dataclass

from morenashi.indexer.vault_names import is_daily

from .globs import compile_glob


@dataclass(frozen=True, slots=True)
class NoteScope:
    """`relative_dir` is a folder of the vault, as it is spelled there, without a slash at the end; empty for all.

    `glob` is matched against the path from there.
    """

    relative_dir: str = ""
    glob: str | None = None
    with_daily: bool = True

    @property
    def is_everything(self) -> bool:
        return self == EVERYTHING

    def holds(self, path: str) -> bool:
        """Whether a note, by its path below the vault, is one of them."""
        if self.relative_dir:
            if not path.startswith(f"{self.relative_dir}/"):
                return False
            below = path[len(self.relative_dir) + 1 :]
        else:
            below = path
        if self.glob is not None and not compile_glob(self.glob).holds(below):
            return False
        return self.with_daily or not is_daily(tuple(path.split("/")))


EVERYTHING = NoteScope()
"""All notes of the vault."""
