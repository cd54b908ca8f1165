"""What makes vectors of texts, and what vectors are here."""

import math
from array import array
from collections.abc import Sequence
from typing import Protocol, TypeAlias

Vector: TypeAlias = "array[float]"
"""Of length 1: cosines are dot products."""


class EmbeddingError(Exception):
    """The provider gave no vectors. The message names no text."""


class RefusedTextError(EmbeddingError):
    """The provider works, and does not take what it was sent: a text that is too long for it, say."""


class Provider(Protocol):
    """Makes vectors of texts, all of one length."""

    @property
    def model(self) -> str:
        """Names the model, and with it the vectors that go together."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text. Raises `EmbeddingError`."""


def unit(values: Sequence[float]) -> Vector:
    """The same direction, of length 1; zeros stay zeros. Raises `ValueError` for what is not finite."""
    numbers = [float(value) for value in values]
    length = math.sqrt(sum(number * number for number in numbers))
    if not math.isfinite(length):
        raise ValueError("expected finite numbers")
    return array("f", [number / length if length else 0.0 for number in numbers])
