"""The URIs of documents: `manual://<manual_id>/<path>` and `vault://<path>`, percent-encoded (RFC 3986).

A manual's section is its document's URI with `#L<line>`, any of its lines.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from morenashi.indexer.files import Key

MANUAL, VAULT = "manual://", "vault://"
MANUAL_TEMPLATE, VAULT_TEMPLATE = "manual://{manual_id}/{+path}", "vault://{+path}"

_LINE = re.compile(r"#L([1-9][0-9]{0,8})\Z")


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """A document, or a section of one by a line of it. In the vault `manual_id` is empty."""

    manual_id: str
    path: str
    line: int | None = None

    @property
    def key(self) -> Key:
        return self.manual_id, self.path


def uri_of(key: Key) -> str:
    """The URI of a document."""
    manual_id, path = key
    return MANUAL + quote(f"{manual_id}/{path}") if manual_id else VAULT + quote(path)


def place_of(uri: str) -> DocumentPlace | None:
    """What a URI names, whether there is such a document or not; `None` if it is no document's."""
    line = _LINE.search(uri)
    named = uri[: line.start()] if line else uri
    try:
        decoded = unquote(named, errors="strict")
    except UnicodeDecodeError:
        return None
    if decoded.startswith(VAULT):
        return None if line else DocumentPlace("", decoded.removeprefix(VAULT))
    manual_id, slash, path = decoded.removeprefix(MANUAL).partition("/")
    if not (decoded.startswith(MANUAL) and manual_id and slash):
        return None
    return DocumentPlace(manual_id, path, int(line[1]) if line else None)
