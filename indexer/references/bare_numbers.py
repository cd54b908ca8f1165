"""Places that English text names by a number alone: see 2.3, as described in 4.3, paragraph 3.1, go to step 5.2. Pure.

They count where a heading or a numbered paragraph of the document has that number: any other may be a version.
"""

import re
from collections.abc import Iterator, Set

from morenashi.indexer.text import normalise

from .reference import Reference

_DOTTED = r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,5}"
_SAYS = "described|defined|listed|specified|given|stated|outlined|explained|covered|set out|set forth|shown|provided"
_RULE = "procedures?|process|steps|rules|requirements|instructions|conditions|criteria|exceptions|limits"
_CITATION = re.compile(
    r"(?<![\w.])(?:[Ss]ee(?: also)?|[Rr]efer to|[Pp]er|[Cc]f\.|[Pp]aragraphs?|[Ss]ubsections?|[Ss]teps?|[Ii]tems?"
    r"|[Pp]oints?|[Rr]epeat(?: from)?|[Cc]ontinue (?:with|at|from)|[Gg]o (?:back )?to|[Rr]eturn to"
    r"|requirements of|[Ii]n accordance with|[Aa]ccording to|[Pp]ursuant to"
    rf"|(?:{_SAYS}|{_RULE})(?: above| below)? (?:in|under))[ \t]{{1,2}}"
    # And what goes on with it: 2.1, 2.2 and 2.4.
    rf"(?P<numbers>{_DOTTED}(?:(?:, | and | or |, and | to |[–-]){_DOTTED}){{0,9}})(?![\w%]|\.[0-9])"
)
_NUMBER = re.compile(_DOTTED)
MAY_CITE = re.compile(r"[0-9]\.[0-9]")
# 2.3 of the Handbook, 2.3 in RFC 9110.
_OF_ANOTHER = re.compile(r"[ \t]{1,2}(?:of|in|to) (?:the )?[A-Z\[\"“]")


def find_bare_numbers(line: int, text: str, known: Set[str]) -> Iterator[Reference]:
    """The references of a line."""
    for match in _CITATION.finditer(text):
        if _OF_ANOTHER.match(text, match.end()):
            continue
        for number in _NUMBER.finditer(match["numbers"]):
            name = f"section {number[0]}"
            if name in known:
                place = match.start("numbers") + number.start()
                yield Reference(line, place, "section", None, normalise(number[0]), None, name)
