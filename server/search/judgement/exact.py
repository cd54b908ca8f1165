"""Values that are one thing or another, and neither more nor less: true, info, 03-1234-5678. Pure."""

from typing import NamedTuple


class Exact(NamedTuple):
    """A value in one notation."""

    text: str

    @property
    def least(self) -> str:
        """The value: it is the least and the greatest."""
        return self.text

    @property
    def most(self) -> str:
        """The value."""
        return self.text

    def contradicts(self, other: "Exact") -> bool:
        """Whether nothing can have both."""
        return self.text != other.text
