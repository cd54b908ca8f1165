"""Where expressions of the exception dictionary stand. Pure."""

import re
from collections.abc import Iterator


class ExceptionFinder:
    """Finds dictionary expressions, longest first; Latin ones as whole words."""

    def __init__(self, expressions: tuple[str, ...]) -> None:
        ordered = sorted(expressions, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, ordered)) or r"(?!)")

    def find(self, text: str) -> Iterator[tuple[int, str]]:
        """(0-based line, expression) for each hit in a normalised text, each pair once."""
        seen = set()
        line = position = 0
        for match in self._pattern.finditer(text):
            line += text.count("\n", position, match.start())
            position = match.start()
            if (line, match[0]) not in seen:
                seen.add((line, match[0]))
                yield line, match[0]


def _as_pattern(expression: str) -> str:
    before = r"(?<![a-z0-9])" if expression[0].isascii() and expression[0].isalnum() else ""
    after = r"(?![a-z0-9])" if expression[-1].isascii() and expression[-1].isalnum() else ""
    return before + re.escape(expression) + after
