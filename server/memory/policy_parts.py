"""Which names a part of a policy may have, for whoever wrote another."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel


def names_at(model: type[BaseModel], place: Sequence[str | int]) -> list[str]:
    """The names that may stand at a place of what is parsed as this model, in their order."""
    here: Any = model
    for step in place:
        # A position, and a name that is chosen freely, lead to what stands there.
        here = next((one.model_fields[step].annotation for one in _models(here) if step in one.model_fields), here)
    return [name for one in _models(here) for name in one.model_fields]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Those that stand in an annotation, which may be optional, a list or a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for part in get_args(annotation):
        yield from _models(part)
