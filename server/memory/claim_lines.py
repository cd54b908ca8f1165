"""Memory as JSON lines, one claim a line: what a line has to hold."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope
from morenashi.indexer.expected import describe_expected
from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.calls.inputs import Input
from morenashi.server.delivery.delivered import Root
from morenashi.server.errors import ToolError

from .ids import from_stored, to_stored
from .policy import ClaimKind

FORMAT = 1
_MOST_LINES = 1_000_000_000

StoredMoment = Annotated[inputs.Moment, AfterValidator(lambda text: to_stored(from_stored(text)))]
"""In the one form in which the tables compare times."""
Share = Annotated[float, Field(ge=0, le=1)]


class StoredGit(inputs.Git):
    """A commit; of an address with secrets, what is left."""

    url: str | None = None


class StoredProvenance(inputs.Provenance):
    """A provenance as it is kept: what a secret was masked in may be no address any more."""

    git: StoredGit | None = None
    url: str | None = None


class StoredFeedback(Input):
    """A signal as the table has it."""

    signal: inputs.Signal
    bucket: str
    at: StoredMoment
    caller: str
    score: Annotated[float, Field(ge=-1, le=1)] | None = None


class StoredCitation(Input):
    """Cited lines as the table has them."""

    root: Root
    path: str
    first_line: Annotated[int, Field(ge=1, le=_MOST_LINES)]
    last_line: Annotated[int, Field(ge=1, le=_MOST_LINES)]
    sha256: str
    quoted: str
    difference: str | None = None


class StoredClaim(Input):
    """A line."""

    format: Literal[1]
    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]{1,196}$")]
    text: inputs.Text
    kind: ClaimKind
    scope: ClaimScope
    boundary_class: BoundaryClass
    source: str | None = None
    said_at: StoredMoment
    created_at: StoredMoment
    updated_at: StoredMoment
    utility: Annotated[float, Field(allow_inf_nan=False)]
    utility_at: StoredMoment
    confidence: Share
    quality: Share
    quality_at: StoredMoment
    stale_since: StoredMoment | None = None
    merged_into: str | None = None
    replaced_by: str | None = None
    replaced_at: StoredMoment | None = None
    provenance: list[StoredProvenance]
    entities: list[inputs.Entity]
    relations: list[inputs.Relation]
    feedback: list[StoredFeedback]
    citations: list[StoredCitation]


def parse_claims(text: str) -> list[StoredClaim]:
    """Claims from lines. Raises `VALIDATION_ERROR` with the number of the first line that is none."""
    lines = enumerate(text.split("\n"), 1)
    return [_parse(line, number) for number, line in lines if line.strip()]


def _parse(line: str, number: int) -> StoredClaim:
    try:
        return StoredClaim.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = ": ".join(filter(None, (f"line {number}", place, f"expected {describe_expected(first)}")))
        raise ToolError("VALIDATION_ERROR", message, line=number, parameter=place) from None
