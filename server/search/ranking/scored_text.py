"""What of a passage is scored: its caption twice, and nothing of where its links lead. Pure.

That is nothing the passage says, and mostly the same words again.
"""

import re

from .captions import weigh_caption

# Of normalised text, where [Guide](/guide.md) is (guide)(/guide.md): two pairs of brackets side by side, with a sign of
# paths in the second.
DESTINATION = r'(?<=\))\((?=[^()\s]{0,500}[/#.])[^()\s]{1,500}(?: "[^"\n]{0,200}")?\)'
"""A pattern for where a link leads to."""
_DESTINATION = re.compile(DESTINATION)


def scored_text(text: str) -> str:
    """The normalised text of a passage as it is scored: of `[Guide](/guide.md "Guide")` the `(guide)`."""
    text = weigh_caption(text)
    return _DESTINATION.sub("", text) if ")(" in text else text
