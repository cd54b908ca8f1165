r"""`\w`, `\d`, `\s` and `\b` of an expression, for texts of any script: to RE2 they are ASCII. Pure.

Letters of all scripts, full-width digits and the ideographic space belong to them. Between characters of a script
without blanks there are no word boundaries: a `\b` beside a character that is not ASCII is one already.
"""

import re

# None ends in a character that a hyphen behind it would make the first of a range, as in [\w-.].
_WORD, _DIGIT, _SPACE = r"_\p{L}\p{M}\p{N}", "0-9０-９", r"\s\p{Z}"
_CLASSES = {
    r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]", r"\d": f"[{_DIGIT}]", r"\D": f"[^{_DIGIT}]", r"\s": f"[{_SPACE}]",
    r"\S": f"[^{_SPACE}]",
}  # fmt: skip
# In a class there is no way to write that it is none of several.
_IN_CLASS = {r"\w": _WORD, r"\d": _DIGIT, r"\s": _SPACE}
_PART = re.compile(
    r"\\Q.*?(?:\\E|$)|(?P<needless>\\b(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])\\b)|(?P<escape>\\.)"
    r"|(?P<class>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\])",
    re.S,
)
_ESCAPE = re.compile(r"\\.", re.S)


def widen(expression: str) -> str:
    """The expression with classes of all scripts for those of ASCII. It takes what it took, and more."""
    return _PART.sub(_widened, expression)


def _widened(match: re.Match[str]) -> str:
    if match["needless"]:
        return ""
    if match["escape"]:
        return _CLASSES.get(match[0], match[0])
    return _ESCAPE.sub(lambda escape: _IN_CLASS.get(escape[0], escape[0]), match[0]) if match["class"] else match[0]
