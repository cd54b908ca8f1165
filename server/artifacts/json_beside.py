"""The ids that stand in a JSON text beside a graph: of other graphs' nodes, and of what is in none (results). Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from . import json_fields as fields
from .words import word_key


def count_ids(graphs: Iterable[Iterable[str]], value: Any) -> Counter[str]:
    """In how many graphs, given as their nodes' ids, each id stands, and how often outside of them; by `word_key`."""
    counts = Counter(key for ids in graphs for key in set(map(word_key, ids)))
    counts.update(map(word_key, _ids_outside(value)))
    return counts


def _ids_outside(value: Any) -> Iterator[str]:
    """The ids of objects that stand in no graph."""
    if fields.are_nodes_alone(value):
        return
    own = fields.graph_keys(value)
    for key, part in fields.parts_of(value):
        if key not in own:
            yield from _ids_in(part) if isinstance(value, dict) else ()
            yield from _ids_outside(part)


def _ids_in(value: Any) -> list[str]:
    """By which an array or an object holds other objects."""
    if isinstance(value, dict):
        return [id for id, part in value.items() if isinstance(part, dict)]
    parts = value if isinstance(value, list) else []
    return [id for part in parts if isinstance(part, dict) and (id := fields.id_of(part)) is not None]
