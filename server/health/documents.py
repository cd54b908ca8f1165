"""The files of manuals and vault: what cannot be read, decoded or named, is no valid JSON, of the future, or long and
without headings.
"""

import re
import time
from collections import defaultdict
from collections.abc import Iterator

from morenashi.indexer.collections import Collection, display_name
from morenashi.indexer.config import Config
from morenashi.indexer.encodings import UndecodableError, decode
from morenashi.indexer.files import MAX_DOCUMENT_BYTES, DiskFile, open_beneath, read_whole
from morenashi.indexer.json_text import is_valid
from morenashi.indexer.markdown import parse_blocks
from morenashi.indexer.text import count_lines, unify_line_breaks

from .findings import Finding, Severity, counted, listed
from .overlooked import nothing_to_search, other_formats

_AHEAD_NS = 60 * 1_000_000_000
_MANY_LINES = 100
# Most files have these, and need no parsing. It may be a remark in code, and there are headings without it.
_HEADING_MARK = re.compile(r"^ {0,3}#{1,6}[ \t]", re.M)


def document_findings(config: Config, collection: Collection) -> Iterator[Finding]:
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
        if formats := listing.formats():
            yield other_formats(formats)
        if not listing.files:
            yield nothing_to_search(config, has_loose_files="outside_a_manual" in found)


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
    if file.file_type == "json":
        return None if is_valid(text) else "invalid_json"
    is_manual = collection.kind == "manuals" and file.file_type == "md"
    return "no_headings" if is_manual and _is_one_long_section(unify_line_breaks(text)) else None


def _is_one_long_section(text: str) -> bool:
    """Whether many lines have at most one heading, as where a word processor's titles became lines in bold."""
    if count_lines(text) <= _MANY_LINES or len(_HEADING_MARK.findall(text)) > 1:
        return False
    return len(parse_blocks(text).headings) <= 1


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
    "no_headings": (
        "note",
        f"of more than {_MANY_LINES} lines with one heading or none",
        "each is a single section: a search answers one place of it, and to read that section is to read it all",
        "mark their titles with # (## for a second level); bold type makes no heading",
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
