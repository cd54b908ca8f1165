"""What a claim is before and after it is kept. Pure."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope
from morenashi.indexer.combining import normal_form

from .citations import Citation
from .ids import from_stored, to_stored
from .policy import ClaimKind

Provenance = Mapping[str, Any]
"""As in seed 002 §1.y: `at` and what else is known."""

_BLANKS = re.compile(r"\s+")


def content_hash(text: str) -> str:
    """`sha256:<hex64>` of the text after NFC, CRLF to LF, trimming and compression of white space (seed 002 §1.z)."""
    unified = normal_form("NFC", text).replace("\r\n", "\n").strip()
    return f"sha256:{hashlib.sha256(_BLANKS.sub(' ', unified).encode()).hexdigest()}"


def digest_of(value: Any) -> str:
    """Names a JSON value, whatever the order of its keys."""
    return hashlib.sha256(as_json(value).encode()).hexdigest()


def as_json(value: Any) -> str:
    """JSON that is the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def parse_object(stored: str) -> dict[str, Any] | None:
    """A JSON object as `as_json` wrote it; `None` for what is none any more: a disk may fail."""
    try:
        value = json.loads(stored)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def parse_provenance(stored: str) -> dict[str, Any] | None:
    """The same of a provenance."""
    provenance = parse_object(stored)
    return provenance if provenance and isinstance(provenance.get("at"), str) else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim to be kept. Secrets are masked already; entities and relations are JSON objects (seed 002 §2.3)."""

    text: str
    kind: ClaimKind
    scope: ClaimScope
    boundary_class: BoundaryClass
    provenance: Provenance
    entities: tuple[Mapping[str, Any], ...] = ()
    relations: tuple[Mapping[str, Any], ...] = ()
    citation: Citation | None = None

    @property
    def said_at(self) -> str:
        """When, as the provenance says, in the form in which times are stored."""
        return to_stored(from_stored(self.provenance["at"]))

    @property
    def source(self) -> str | None:
        """What the claim is taken from, so that its neighbours there can be told: a page, or a file of a repository."""
        if url := self.provenance.get("url"):
            return str(url).partition("#")[0]
        git = self.provenance.get("git") or {}
        if files := git.get("files"):
            return f"{git.get('repo') or git.get('url') or ''}:{files[0]}"
        return None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as it is stored. Times as `ids.to_stored` writes them."""

    number: int
    id: str
    content_hash: str
    text: str
    kind: ClaimKind
    scope: ClaimScope
    boundary_class: BoundaryClass
    source: str | None
    said_at: str
    created_at: str
    updated_at: str
    utility: float
    utility_at: str
    confidence: float
    quality: float
    quality_at: str
    stale_since: str | None
    merged_into: int | None
    replaced_by: int | None
    replaced_at: str | None

    @property
    def holds(self) -> bool:
        """Whether nothing is known that came after it: neither lines that it cites nor another claim."""
        return self.stale_since is None and self.replaced_at is None


CLAIM_COLUMNS = ", ".join(f"claims.{field.name}" for field in fields(Claim))
"""What a statement selects of `claims` so that `Claim(*row)` is the claim."""
