"""A text read as the program would that takes it: \\n as a line break, &#64; and %40 as @, \\u3000 as a blank.

The letters of an escape are no part of the word behind it (`...\\n090-1234-5678` in a text of JSON), nor are two words
one that are set apart by what nobody sees or by the dash of a sentence.
"""

import re
from html.entities import html5
from urllib.parse import unquote

from morenashi.indexer.text import INVISIBLE

from .folding import UNSEEN, Folded, fold, rewrite

# A text of JSON within one of JSON has each stroke twice. Signs behind a stroke are Markdown, JSON or a shell.
_ESCAPE = re.compile(
    r"(?P<colour>\\{1,8}(?:u001b|x1b|033|e)\[[0-9;]{0,20}[A-Za-z])"
    r"|\\{1,8}(?:u(?P<unit>[0-9A-Fa-f]{4})|x(?P<byte>[0-9A-Fa-f]{2})|(?P<control>[nrtfvb])|(?P<sign>[!-/:-@\[\]-`{-~]))"
    r"|&(?P<entity>#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"
    r"|(?P<bytes>%[0-7][0-9A-Fa-f]|%[CDcd][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2})"
    rf"|(?P<apart>{UNSEEN}|—|[―─━]{{2,3}})"
)
# Most texts have none of these, and are looked at for one character alone.
_MAY_BEGIN = re.compile(f"[\\\\&%\x1b—―─━{INVISIBLE}]")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "b": "\b"}
_UNKNOWN = "\ufffd"
_SURROGATES, _LAST = range(0xD800, 0xE000), 0x10FFFF


def read_escapes(text: str) -> Folded | None:
    """The text, folded, with what its escapes stand for; `None` if it has none."""
    begin = _MAY_BEGIN.search(text)
    if begin is None or _ESCAPE.search(text, begin.start()) is None:
        return None
    read = rewrite(text, _ESCAPE, _read)
    folded = fold(read.text)
    return Folded(folded.text, folded.pieces, of=read)


def _read(match: re.Match[str]) -> str:
    written = match[match.lastgroup or 0]
    match match.lastgroup:
        case "unit" | "byte":
            return _character(int(written, 16))
        case "control":
            return _CONTROLS[written]
        case "entity":
            return _entity(written)
        case "bytes":
            return unquote(written)
        case "apart" | "colour":
            return " "
    return written


def _entity(name: str) -> str:
    if not name.startswith("#"):
        return html5.get(f"{name};", f"&{name};")
    return _character(int(name[2:], 16) if name[1] in "xX" else int(name[1:]))


def _character(code: int) -> str:
    return chr(code) if code <= _LAST and code not in _SURROGATES else _UNKNOWN
