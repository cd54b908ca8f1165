"""Strings that no person made up: long, of mixed kinds of characters, without words in them."""

import math
import re
from collections import Counter
from collections.abc import Iterator

import re2

from .scanning import Span

MIN_CHARS = 24
_LONGEST = 512
_RUN = re2.compile(rf"[A-Za-z0-9+/_-]{{{MIN_CHARS},}}={{0,2}}")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_CHANGE = re.compile(r"(?<=[a-z])(?=[^a-z])|(?<=[A-Z])(?=[^A-Z])|(?<=[0-9])(?=[^0-9])|(?<=[+/_=-])(?=[^+/_=-])")
_PART = re.compile(r"[A-Za-z0-9+]{12,}")
_KINDS = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
# Digests, public keys, pictures, also on the line below their name; what stands in the path of an address, and not on
# the line below it: `$` would be before a line break, too.
_PUBLIC_BEFORE = re.compile(
    r"(?:(?:(?:sha-?[0-9]{1,3}|md5)(?:[-:=_ ]|: |[\"']?[:=] ?[\"'])|\bh1:|blake[23][bs]?:|;base64,|ssh-[a-z0-9-]{2,20} "
    r"|ecdsa-[a-z0-9-]{4,30} |public[-_ ]?key[\"']? ?[:=] ?[\"']?|integrity[\"']?[:=] ?[\"']?|etag:? ?(?:W/)?[\"']?"
    r"|fingerprint:? ?|checksum:? ?|digest:? ?)\n?|://[!#-&(-;=?-~]*)\Z",
    re.IGNORECASE,
)
# The last are names as compilers of C++ and Rust write them: _ZNSt6vectorIiE4sizeEv.
_PUBLIC = re.compile(r"(?i:sha[0-9]{1,3}[-=]|md5[-=]|blake[23][bs]?[-=]|AAAA)|_{1,3}Z[A-Z0-9]")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}(?:PUBLIC KEY|SIGNATURE|CERTIFICATE(?: REQUEST)?|X509 CRL)(?: BLOCK)?"
    r"-----[A-Za-z0-9+/=\s:.,()-]*"
)
_WINDOW = 200


def find_random_strings(text: str) -> Iterator[Span]:
    """Runs of characters that look drawn by lot."""
    blocks = [match.span() for match in _PUBLIC_BLOCK.finditer(text)]
    for match in _RUN.finditer(text):
        while blocks and blocks[0][1] <= match.start():
            del blocks[0]
        if blocks and blocks[0][0] <= match.start():
            continue
        before = text[max(match.start() - _WINDOW, 0) : match.start()]
        if _looks_random(match[0]) and not _PUBLIC.match(match[0]) and not _PUBLIC_BEFORE.search(before):
            yield match.span()


def _looks_random(text: str) -> bool:
    """Whether a string has digits and letters of both cases side by side, and they change as often as by lot; or a part
    of it does that is long enough by itself, whatever words it is the end of.
    """
    # A path or a name with underscores has its digits apart from its words.
    parts = [part for part in _PART.findall(text) if has_all_kinds(part)]
    return bool(parts) and (is_irregular(text) or any(len(part) >= MIN_CHARS and is_irregular(part) for part in parts))


def has_all_kinds(text: str) -> bool:
    """Whether digits, small letters and capitals are all there."""
    return all(kind.search(text) for kind in _KINDS)


def is_irregular(text: str, most_in_words: float = 0.65, least_changes: float = 0.34) -> bool:
    """Whether kinds of characters change as often as by lot, and hardly make words.

    Of 62 characters at random, two neighbours are of different kinds six times in ten, and a third of them stands in
    runs that look like words; names in programs are the other way round. The bounds take 97 of 100 random strings
    of 24 characters, 99 of longer ones, and of 47 MB of programs and manuals a few dozen strings, most of them keys.
    """
    sample = text.rstrip("=")[:_LONGEST]
    if len(sample) < 2:
        return False
    in_words = sum(len(word) for word in _WORD.findall(sample)) / len(sample)
    changes = len(_CHANGE.findall(sample)) / len(sample)
    return (
        in_words <= most_in_words
        and changes >= least_changes
        and _entropy(sample) >= 0.8 * math.log2(min(len(sample), 62))
    )


def _entropy(text: str) -> float:
    """Bits a character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
