"""Documents that lie where no search looks: in formats that are not read, or beside the folder of the manuals."""

import os
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.files import MARKDOWN_NAMED, MARKDOWN_SUFFIXES

from .findings import Finding, counted, listed

# A workspace may be somebody's home: looked at are so many entries, those nearest to its top.
_MOST_ENTRIES = 2_000


def other_formats(formats: Mapping[str, int]) -> Finding:
    """The texts among the manuals that nobody reads, by suffix: they may be the manual."""
    return Finding(
        "other_formats",
        "note",
        f"manuals: {counted(sum(formats.values()), 'file')} of a format that is not read: "
        + listed([f"{suffix} ({files})" for suffix, files in formats.items()]),
        "only Markdown and JSON are; what the others say is not searched, and may be called absent",
        "turn them into Markdown if they belong to a manual; plain text only needs the ending .md",
    )


def nothing_to_search(config: Config, *, has_loose_files: bool) -> Finding:
    """That no manual has a document. Where some lie in no folder of their own, they are left out: no mere note."""
    return Finding(
        "no_documents",
        "warning" if has_loose_files else "note",
        f"manuals: there is no document{say_elsewhere(config, 'beside manuals/')}",
        "a search finds nothing, and can prove nothing",
        f"put {MARKDOWN_NAMED} or .json files into a folder of their own below manuals/: manuals/<any name>/",
    )


def say_elsewhere(config: Config, where: str) -> str:
    """What a finding goes on with if Markdown lies in the workspace that nobody searches; nothing if there is none."""
    beside = markdown_beside(config)
    return f"; {counted(len(beside), 'Markdown file')} {where}: {listed(beside)}" if beside else ""


def markdown_beside(config: Config) -> list[str]:
    """The paths, below the workspace, of Markdown files that are neither manuals nor notes nor what a server keeps;
    those nearest to the top, hidden ones and what is behind links apart.
    """
    of_its_own = {config.manuals, config.vault, config.dictionaries, config.database.parent}
    names: list[str] = []
    for entry in islice(_entries(config.root, of_its_own), _MOST_ENTRIES):
        if entry.name.lower().endswith(MARKDOWN_SUFFIXES) and entry.is_file(follow_symlinks=False):
            names.append(Path(entry.path).relative_to(config.root).as_posix())
    return names


def _entries(root: Path, of_its_own: set[Path]) -> Iterator[os.DirEntry[str]]:
    """What lies below a folder, a level at a time; what may not be entered has nothing."""
    waiting = deque([root])
    while waiting:
        try:
            with os.scandir(waiting.popleft()) as listed_there:
                entries = sorted(listed_there, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith(".") or path in of_its_own:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            yield entry
