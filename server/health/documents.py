"""The files of manuals and vault: what cannot be read, decoded or named, is no valid JSON, of the future, or of a
format that is not read.
"""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePath

from morenashi.indexer.collections import Collection, display_name
from morenashi.indexer.encodings import UndecodableError, decode
from morenashi.indexer.files import MARKDOWN_NAMED, MAX_DOCUMENT_BYTES, DiskFile, open_beneath, read_whole
from morenashi.indexer.json_text import is_valid

from .findings import Finding, Severity, counted, listed

_AHEAD_NS = 60 * 1_000_000_000


def document_findings(collection: Collection) -> Iterator[Finding]:
    """Read every file once, as the indexer would. Raises `RootMissingError`."""
    listing = collection.list()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path, reason in listing.skipped:
        found[reason].append(path)
    latest = time.time_ns() + _AHEAD_NS
    for file in listing.files:
        if problem := _problem(collection, file):
            found[problem].append(display_name(file.key))
        if file.stamp_ns > latest:
            found["from_the_future"].append(display_name(file.key))
    for reason, (severity, what, why, advice) in _KINDS.items():
        if names := found.get(reason):
            counts = counted(len(names), "place" if reason in _PLACES else "file")
            where = f"{collection.kind}: {counts} {what}: {listed(names)}"
            yield Finding(reason, severity, where, why, advice)
    if collection.kind == "manuals":
        yield from _other_formats(collection.root)
        if not listing.files:
            yield _NOTHING_TO_SEARCH


def _other_formats(root: Path) -> Iterator[Finding]:
    """The texts among the manuals that nobody reads: they may be the manual. Pictures and programs are none."""
    found: Counter[str] = Counter()
    for _, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found.update(PurePath(name).suffix.lower() for name in files if not name.startswith("."))
    if texts := [(suffix, count) for suffix, count in found.most_common() if suffix in _TEXT_FORMATS]:
        number = counted(sum(count for _, count in texts), "file")
        yield Finding(
            "other_formats",
            "note",
            f"manuals: {number} of a format that is not read: "
            + listed([f"{suffix} ({count})" for suffix, count in texts]),
            "only Markdown and JSON are; what the others say is not searched, and may be called absent",
            "turn them into Markdown if they belong to a manual; plain text only needs the ending .md",
        )


def _problem(collection: Collection, file: DiskFile) -> str | None:
    if file.size_bytes > MAX_DOCUMENT_BYTES:
        return "too_large"
    try:
        with open_beneath(collection.root, file.parts) as descriptor:
            text = decode(read_whole(descriptor)[0]).text
    except OSError:
        return "unreadable"
    except UndecodableError:
        return "encoding"
    return "invalid_json" if file.file_type == "json" and not is_valid(text) else None


_NOTHING_TO_SEARCH = Finding(
    "no_documents",
    "note",
    "manuals: there is no document",
    "a search finds nothing, and can prove nothing",
    f"put {MARKDOWN_NAMED} or .json files into a folder of their own below manuals/: manuals/<any name>/",
)

# What documentation is written in, or handed out as, besides Markdown and JSON.
_TEXT_FORMATS = frozenset(
    [
        *(".mdoc", ".rst", ".adoc", ".asciidoc", ".org", ".tex", ".txt", ".html", ".htm", ".xhtml", ".ipynb"),
        *(".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub", ".ppt", ".pptx", ".xls", ".xlsx"),
    ]
)

_PLACES = ("unreadable_folder", "symlink")

_KINDS: dict[str, tuple[Severity, str, str, str]] = {
    "unreadable_folder": (
        "warning",
        "cannot be entered",
        "what lies there is not known, so nothing can be proven absent",
        "give the user who runs the server the right to read and enter it (chmod u+rx)",
    ),
    "unreadable": (
        "warning",
        "cannot be read",
        "their lines are not searched; every answer lists them under `unscanned`",
        "give the user who runs the server the right to read them (chmod u+r)",
    ),
    "encoding": (
        "warning",
        "cannot be decoded",
        "they are neither UTF-8, UTF-16, ISO-2022-JP, CP932 nor EUC-JP, so their lines are not searched",
        "save them as UTF-8, or move them away if they are no texts",
    ),
    "too_large": (
        "warning",
        f"of more than {MAX_DOCUMENT_BYTES >> 20} MiB",
        "their lines are not searched; every answer lists them under `unscanned`",
        "divide them into smaller files",
    ),
    "name_not_utf8": (
        "warning",
        "with a name that is not UTF-8, or folders with one",
        "no client could name them, so they are not indexed",
        "rename them, for example with convmv",
    ),
    "from_the_future": (
        "warning",
        "with a time stamp in the future",
        "whether they changed cannot be told by it, so they are read again at every comparison",
        "look at the clock of this machine, then `touch` the files",
    ),
    "invalid_json": (
        "note",
        "with JSON that is not valid",
        "their lines are searched as text; a hit there has no `json_path`, and none can be read by one",
        "mend them, or name them otherwise if they are not meant to be JSON: half of one was written, perhaps",
    ),
    "symlink": (
        "note",
        "behind a symbolic link",
        "links are never followed below a root: what they lead to is not searched",
        "put the files themselves there, or make the root itself a link",
    ),
    "outside_a_manual": (
        "note",
        "outside of any manual",
        "a manual is a folder below manuals/; files beside it are not indexed",
        "move them into a folder of their own",
    ),
}
