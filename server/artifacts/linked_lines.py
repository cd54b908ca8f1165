"""Links of Markdown and of wikis to lines of a file, in the notation of plain text. Pure.

`[L12-L18](guide.md#L12-L18)` and `[[guide.md#L12-L18]]` are `guide.md#L12-L18`, `[L12](guide.md)` is `guide.md L12`,
`[guide.md](a/guide.md), line 12` is `a/guide.md, line 12`.
"""

import re

# Bounded, as very many may begin that nothing closes.
_LINK = re.compile(
    r"\[([^\[\]\n]{1,200})\]\([ ]{0,3}(?:<([^<>\n]{1,400})>|([^()\s<>]{1,400}))"
    r"(?:[ ]{1,3}[\"'][^\"'\n]{0,200}[\"'])?[ ]{0,3}\)"
)
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,400}\.[A-Za-z]\w{0,9})(#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]")
_PLACE = re.compile(r"L\d")
_SAID_LINES = re.compile(
    r"(?=.*[L行])(?=.*\d)(?:lines?|and|to|[L\d\s.,;:、・&〜~–—−行目第から-])+|\d{1,5}\s?[〜~–—−-]\s?\d{1,5}", re.I
)
_FILE = re.compile(r".+\.[A-Za-z]\w{0,9}")


def spell_out_links(text: str) -> str:
    """A text with each link to lines of a file, or to a file that it names, as that file and the lines."""
    if "](" in text:
        text = _LINK.sub(_spell_out, text)
    return _WIKI_LINK.sub(lambda link: _unspaced(link[1] + (link[2] or "")), text) if "[[" in text else text


def _spell_out(link: re.Match[str]) -> str:
    said, to = link[1].strip(), _unspaced(link[2] or link[3])
    path, _, place = to.partition("#")
    if path and _PLACE.match(place):
        return to
    if not _FILE.fullmatch(path):
        return link[0]
    if _SAID_LINES.fullmatch(said):
        return f"{path} {said}"
    before, named, behind = said.strip("*`").rpartition(path.rpartition("/")[2])
    return path + behind if named and (not before or before.endswith("/")) else link[0]


def _unspaced(path: str) -> str:
    """As a link writes a path: names of files in plain text have no blanks."""
    return path.replace(" ", "%20")
