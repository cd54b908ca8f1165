"""The lines of a text with their numbers, for whoever is to cite them: a model that counts lines errs. Pure."""

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def number_lines(text: str, first: int) -> str:
    """Each line, the piece of one at either end too, behind its number and a tab; `first` is that of the first."""
    return "".join(f"{number}\t{line}" for number, line in enumerate(_LINE.findall(text), first))
