"""Lines of a manual or a note that a claim rests on, and whether they still say what they said.

A provenance cites with its `url`: `manual:expenses/rules.md#L12-L18`, `vault:notes/plan.md#L3`, with the SHA-256 of the
lines, joined by line feeds, after `;sha256=` if the client knows it.
"""

import difflib
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import unquote

from morenashi.indexer.config import Config
from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import MARKDOWN_NAMED, is_document
from morenashi.indexer.presence import is_folder
from morenashi.server.clients import current_client
from morenashi.server.delivery.citations import occurrences
from morenashi.server.delivery.delivered import Root
from morenashi.server.errors import ToolError
from morenashi.server.paths import parse_present_path, spell_as_on_disk
from morenashi.server.whole_files import read_text, split_lines

_URL = re.compile(
    r"(manual|vault):(?://)?([^#]+)#L([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8}))?(?:;sha256=([0-9a-f]{64}))?"
)
_SCHEME = re.compile(r"(?:manual|vault):")
_FORM = "manual:ID/PATH#L12-L18 or vault:PATH#L12-L18"
_PARAMETER = "provenance.url"
_MOST_LINES, _MOST_CHARACTERS = 500, 20_000
# What the guard of paths says of what may be there and cannot be opened just now.
_UNTOLD = ("forbidden", "conflict")


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines (1-based, inclusive) of a file below a root, and what they say."""

    root: Root
    path: str
    first_line: int
    last_line: int
    quoted: str

    @property
    def sha256(self) -> str:
        """Of the lines, hexadecimal."""
        return hashlib.sha256(self.quoted.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of cited lines: they stand elsewhere (`moved`), or they say something else (`difference`)."""

    moved: Citation | None = None
    difference: str | None = None


def read_citation(config: Config, url: str | None) -> Citation | None:
    """The lines that a provenance's url cites, as they are on disk; `None` for a url of another kind.

    Raises `VALIDATION_ERROR`: a claim may not cite what is not there, or what says something else than its digest.
    """
    if url is None or not _SCHEME.match(url):
        return None
    match = _URL.fullmatch(url)
    if match is None:
        raise _expect(f"{_FORM}, with ;sha256=HEX64 after it if known")
    root: Root = "manual" if match[1] == "manual" else "vault"
    if root not in current_client().toolsets:
        raise _expect(f"lines of what the caller has tools for; it has none for the {root}")
    first, last = int(match[3]), int(match[4] or match[3])
    try:
        lines = _read_lines(config, root, unquote(match[2]))
    except ToolError as error:
        raise _refuse(f"{error.message.partition(': ')[2]}; expected {_FORM}", _FORM) from None
    if not first <= last <= len(lines) or last - first >= _MOST_LINES:
        raise _expect(f"a range of at most {_MOST_LINES} lines within the file's {len(lines)}")
    citation = Citation(root, unquote(match[2]), first, last, "\n".join(lines[first - 1 : last]))
    if len(citation.quoted) > _MOST_CHARACTERS:
        raise _expect(f"at most {_MOST_CHARACTERS} characters of cited lines")
    if match[5] not in (None, citation.sha256):
        raise _refuse("the lines do not have this digest any more; read them again", "the digest of the lines")
    return citation


def read_present_lines(config: Config, root: Root, path: str) -> list[str] | None:
    """The lines of a cited file as they are now; none if it is gone or no text any more. `None` if that cannot be told:
    its root is not there, as a disk that is not mounted, or it may not be opened.
    """
    try:
        return _read_lines(config, root, path)
    except ToolError as error:
        folder = config.manuals if root == "manual" else config.vault
        return None if error.code in _UNTOLD or not is_folder(folder) else []


def compare(citation: Citation, lines: list[str]) -> Changed | None:
    """What became of cited lines in their file as it is now; `None` if they stand where they stood."""
    quoted = citation.quoted.split("\n")
    first = citation.first_line - 1
    if lines[first : first + len(quoted)] == quoted:
        return None
    if places := occurrences(quoted, lines):
        nearest = min(places, key=lambda start: abs(start - first))
        return Changed(moved=replace(citation, first_line=nearest + 1, last_line=nearest + len(quoted)))
    return Changed(difference=_difference(citation, lines[first : first + len(quoted)], there=bool(lines)))


def follow_url(url: str, citations: Iterable[Citation]) -> str:
    """A provenance's url with the place where the lines that it cites stand now.

    `citations` are those of its claim whose lines have not changed. As it was where it cites no lines, where these
    stand where they stood, and where it is not certain which of several became of them.
    """
    match = _URL.fullmatch(url)
    if match is None:
        return url
    first, last = int(match[3]), int(match[4] or match[3])
    places = {
        (one.first_line, one.last_line)
        for one in citations
        if (one.root, one.path) == (match[1], unquote(match[2])) and one.last_line - one.first_line == last - first
    }
    if (first, last) in places or len(places) != 1:
        return url
    ((first, last),) = places
    digest = f";sha256={match[5]}" if match[5] else ""
    return f"{url.partition('#')[0]}#{_lines_named(first, last)}{digest}"


def _lines_named(first: int, last: int) -> str:
    return f"L{first}" if first == last else f"L{first}-L{last}"


def _read_lines(config: Config, root: Root, path: str) -> list[str]:
    """The file's lines. Raises `ToolError`."""
    folder = config.manuals if root == "manual" else config.vault
    parts = spell_as_on_disk(folder, parse_present_path(folder, path, _PARAMETER))
    if root == "manual" and not is_document(parts):
        raise _expect(f"a manual's document: a {MARKDOWN_NAMED} or .json file that is not hidden")
    try:
        return split_lines(read_text(folder, parts, _PARAMETER))
    except (OSError, UndecodableError):
        raise _expect("a text that can be read") from None


def _difference(citation: Citation, now: list[str], *, there: bool) -> str:
    before = citation.quoted.split("\n")
    present = "now" if there else "now: no such file, or no text in it"
    return "\n".join(difflib.unified_diff(before, now, "cited", present, n=0, lineterm=""))


def _expect(expected: str) -> ToolError:
    return _refuse(f"expected {expected}", expected)


def _refuse(problem: str, expected: str) -> ToolError:
    return ToolError("VALIDATION_ERROR", f"{_PARAMETER}: {problem}", parameter=_PARAMETER, expected=expected)
