"""A question without the marks of Markdown around its words: `**ownership**`, `[ownership](ch04.md)`. Pure.

Who copies from a document copies them, too, and asks for the word. `*.md`, `**kwargs`, `__init__` and what is quoted
stay what they are, and so does a part of names: `_ID_`.
"""

import re

# Alone or behind a bracket or a Japanese character, and not in front of what makes a path or a pattern of it.
_BEGINS = "(?<![!-'*-~])"
_ENDS = r"(?![A-Za-z0-9_/*(\[{]|\.[A-Za-z0-9])"
_EMPHASIS = re.compile(
    rf'"[^"]*"|{_BEGINS}(?:(?P<stars>\*{{1,3}})(?=\w)(?P<strong>[^*"]{{0,200}}\w)(?P=stars)'
    rf'|~~(?=\w)(?P<struck>[^~"]{{0,200}}\w)~~'
    rf'|_(?=[^\W_])(?P<weak>[^_"]{{2,200}}[^\W_])_){_ENDS}'
)
# A place in a file, a page or another site; of `[x](y)` in a program nothing is left out.
_LINK = re.compile(r'"[^"]*"|(?<![\w)\]])!?\[(?P<words>[^\[\]"]{1,200})\]\((?=[^()\s"]{0,200}[/.#:])[^()\s"]{1,500}\)')
# <https://example.com>, an address that Markdown makes a link of.
_AUTOLINK = re.compile(r'"[^"]*"|<(?P<address>https?://[^\s<>"]{1,500})>')


def without_marks(question: str) -> str:
    """A question as it is written, without those marks and without what its links lead to."""
    told = _LINK.sub(lambda found: found["words"] or found[0], question)
    told = _AUTOLINK.sub(lambda found: found["address"] or found[0], told)
    return _EMPHASIS.sub(_marked, told)


def _marked(found: re.Match[str]) -> str:
    weak = found["weak"]
    return found["strong"] or found["struck"] or (weak if weak and not weak.isupper() else found[0])
