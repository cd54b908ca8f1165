"""The full-text rows of claims: written with each claim, made anew from the claims when derived tables are.

Every token begins with the letter of the claim's *layer*, its scope and boundary class together. So a question reads
the postings and counts of the layers that its caller may see, and nothing of any other.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Literal, get_args

from .claim_tokens import LETTERS, length_of, searchable, token_kinds

ClaimScope = Literal["session", "project", "principle"]
BoundaryClass = Literal["public", "internal", "pii", "secret"]

SCOPES: tuple[ClaimScope, ...] = get_args(ClaimScope)
CLASSES: tuple[BoundaryClass, ...] = get_args(BoundaryClass)
"""The strictest last."""

_LAYERS: dict[tuple[str, str], str] = {
    layer: chr(ord("a") + place) for place, layer in enumerate(product(SCOPES, CLASSES))
}


def layer_of(scope: str, boundary_class: str) -> str:
    """The letter of a layer."""
    return _LAYERS[scope, boundary_class]


def add_claim(connection: sqlite3.Connection, number: int, layer: str, text: str) -> None:
    """Make a claim searchable, in the caller's transaction."""
    normal = searchable(text)
    tokens = _tokens(normal)
    connection.execute(_INSERT, (number, _row(layer, tokens)))
    connection.executemany(_COUNT_UP, ((token, layer) for token in tokens))
    connection.execute(_LAYER_UP, {"layer": layer, "claims": 1, "length": length_of(normal)})


def remove_claim(connection: sqlite3.Connection, number: int, layer: str, text: str) -> None:
    """The reverse; layer and text are those that the claim was added with."""
    normal = searchable(text)
    tokens = _tokens(normal)
    connection.execute(_DELETE, (number, _row(layer, tokens)))
    connection.executemany(_COUNT_DOWN, ((token, layer) for token in tokens))
    connection.executemany(_DROP_COUNT, ((token, layer) for token in tokens))
    connection.execute(_LAYER_UP, {"layer": layer, "claims": -1, "length": -length_of(normal)})


def refill(connection: sqlite3.Connection) -> None:
    """Make the rows of all claims, after the tables were created anew."""
    for number, scope, boundary_class, text in connection.execute(_CLAIMS).fetchall():
        add_claim(connection, number, layer_of(scope, boundary_class), text)


def find_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """What the stored claims contradict in their full-text rows and counts, without text of a claim.

    The connection may create temporary tables, and sees one state.
    """
    tokens: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    lengths: Counter[str] = Counter()
    for _, scope, boundary_class, text in connection.execute(_CLAIMS):
        layer, normal = layer_of(scope, boundary_class), searchable(text)
        claims[layer] += 1
        lengths[layer] += length_of(normal)
        tokens.update(layer + token for token in _tokens(normal))
    connection.execute("CREATE VIRTUAL TABLE temp.claim_audit USING fts5vocab('main', 'claim_tokens', 'row')")
    held = dict(connection.execute("SELECT term, doc FROM temp.claim_audit"))
    connection.execute("DROP TABLE temp.claim_audit")
    if held != tokens:
        yield "claim_tokens: the postings are not those of the claims"
    if dict(connection.execute("SELECT layer || token, claims FROM claim_term_counts")) != tokens:
        yield "claim_term_counts: the counts are not those of the claims"
    stored = connection.execute("SELECT layer, claims, length FROM claim_layers WHERE claims <> 0 OR length <> 0")
    if set(stored) != {(layer, claims[layer], lengths[layer]) for layer in claims}:
        yield "claim_layers: counts and lengths are not those of the claims"


def _tokens(searchable_text: str) -> list[str]:
    return [LETTERS[kind] + token for kind, token in token_kinds(searchable_text)]


def _row(layer: str, tokens: list[str]) -> str:
    return " ".join(layer + token for token in tokens)


_INSERT = "INSERT INTO claim_tokens (rowid, tokens) VALUES (?, ?)"

_DELETE = "INSERT INTO claim_tokens (claim_tokens, rowid, tokens) VALUES ('delete', ?, ?)"

_COUNT_UP = """
INSERT INTO claim_term_counts (token, layer, claims) VALUES (?, ?, 1)
ON CONFLICT (token, layer) DO UPDATE SET claims = claims + 1
"""

_COUNT_DOWN = "UPDATE claim_term_counts SET claims = claims - 1 WHERE token = ? AND layer = ?"

_DROP_COUNT = "DELETE FROM claim_term_counts WHERE token = ? AND layer = ? AND claims <= 0"

_LAYER_UP = """
INSERT INTO claim_layers (layer, claims, length) VALUES (:layer, :claims, :length)
ON CONFLICT (layer) DO UPDATE SET claims = claims + excluded.claims, length = length + excluded.length
"""

_CLAIMS = "SELECT number, scope, boundary_class, text FROM claims ORDER BY number"
