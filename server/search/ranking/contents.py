"""Tables of contents and indexes: lists of links that hold every word, and say nothing of any. Pure."""

import re
from collections.abc import Iterable

from .scored_text import DESTINATION

_FEWEST, _SHARE = 8, 0.8
# An item of a list that ends with links, and before them says little.
_LINK = rf"\([^()\n]{{1,200}}\){DESTINATION}"
_ENTRY = re.compile(rf"^ *(?:[-*+] |[0-9]+[.)] )?[^()\n]{{0,60}}(?:{_LINK}[ ,、|]*)+$", re.M)
_LINE = re.compile(r"^(?!#).*\S", re.M)


def is_contents(texts: Iterable[str]) -> bool:
    """Whether these normalised passages of a section are such a list and little else."""
    text = "\n".join(texts)
    if text.count(")(") < _FEWEST:
        return False
    entries = len(_ENTRY.findall(text))
    return entries >= _FEWEST and entries >= _SHARE * len(_LINE.findall(text))
