"""English words as they are spelt on the other side of the ocean: serialisation and serialization, colour and color,
cancelled and canceled. Pure.
"""

import re

_WORD = re.compile("[a-z]{4,40}")
# What has an s on both sides, or, as all sizes but emphasize and its like, a z. Revise is such a word, and collectivise
# none; so are precise and criticise, compromise and customise, merchandise and standardise, advertise and prioritise.
_FIXED = re.compile(
    "[a-z]*(?:wis|(?<!i)vis|(?<![ai])cis|pris|(?:pro|pre|sur)mis|guis|franchis|(?:chan|para)dis"
    "|(?:adver|prac|exper|trea|chas|mor)tis|nois|rais|cruis|unris|spis|eis)(?:e[sdr]?|ers|ing|able)"
    "|(?![a-z]*(?:empha|the)siz)[a-z]*siz[a-z]+"
)
_ISE = re.compile(r"([a-z]{3,}(?:i|ly|ry))([sz])(e|es|ed|er|ers|ing|able|ation|ations|ational)")
# A stem and its endings, with what the British write between, and what the Americans.
_PAIRS = tuple(
    (re.compile(f"({stems})({british}|{american})({ends})"), british, american)
    for stems, british, american, ends in (
        (
            "behavi|col|fav|flav|harb|hon|hum|lab|neighb|rum|vap|arm|endeav",
            "our",
            "or",
            "|s|ed|ing|ite|ites|able|al|ally|ful|less|er|ers|hood",
        ),
        ("cancel|label|level|model|travel|signal|channel|total|dial|tunnel|panel", "l", "", "ed|ing|er|ers"),
        ("cent|fib|met|lit", "re", "er", "|s"),
        ("licen|defen|offen|preten", "c", "s", "e|es"),
        ("catalog|dialog|analog", "ue", "", "|s"),
        ("judg|acknowledg", "e", "", "ments?"),
        ("enrol|fulfil", "", "l", "|s|ments?"),
        ("instal", "", "l", "ments?"),
        ("art", "e", "i", "facts?"),
        ("gr", "e", "a", "y|yed|yscale"),
    )
)


def english_spellings(text: str) -> list[str]:
    """A normalised text with its English words as they are spelt on the other side, if any is spelt otherwise there."""
    other = _WORD.sub(lambda match: _other_spelling(match[0]), text)
    return [other] if other != text else []


def _other_spelling(word: str) -> str:
    if match := _ISE.fullmatch(word):
        stem, letter, ending = match.groups()
        return word if _FIXED.fullmatch(word) else f"{stem}{'z' if letter == 's' else 's'}{ending}"
    for pattern, british, american in _PAIRS:
        if match := pattern.fullmatch(word):
            stem, written, ending = match.groups()
            return f"{stem}{american if written == british else british}{ending}"
    return word
