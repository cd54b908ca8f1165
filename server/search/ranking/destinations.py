"""Texts without where their links lead: that is nothing they say, and mostly the same words again. Pure."""

import re

# Of normalised text, where [Guide](/guide.md) is (guide)(/guide.md): two pairs of brackets side by side, with a sign of
# paths in the second.
_DESTINATION = re.compile(r'(?<=\))\((?=[^()\s]{0,500}[/#.])[^()\s]{1,500}(?: "[^"\n]{0,200}")?\)')


def without_destinations(text: str) -> str:
    """The normalised text with the words of its links alone: `(guide)` of `[Guide](/guide.md "Guide")`."""
    return _DESTINATION.sub("", text) if ")(" in text else text
