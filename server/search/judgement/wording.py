"""What a Japanese sentence says, whatever its politeness, its commas and its particles. Pure.

精算書は、5日までに提出してください is 精算書を5日までに提出する.
"""

import re

# Takes up what stands before it, and points nowhere else: 副業は、これを認めない.
_RESUMES = re.compile("(?<=[はも])、?これを")
# 紛失した場合には, 紛失した際に, 紛失したら; not 国際.
_CASE = re.compile("(?<=[ぁ-ん])(?:(?:場合|際)(?:において)?に?は?|とき(?:には?|は)|(?<=[ただ])ら(?=、))")
_SLIGHT = str.maketrans("へ", "に", "はもがをの、,\"' ")
_ADVERBS = ("一切", "必ず", "特に")
# Looked for at the end, one by one, the longer ones first: ten times as fast as by one pattern.
_IS_SO = ("であります", "である", "です", "とします", "とする", "となります", "となる", "だ")
_HAS_TO = (
    *("こととします", "こととする", "ものとします", "ものとする"),
    *("こと", "必要があります", "必要がある", "べきである"),
)
_ROWS = tuple(str.maketrans(row, "うくぐすつぬぶむる") for row in ("いきぎしちにびみり", "わかがさたなばまら"))
_POLITE = re.compile("(?P<end>[てで]い|.)ます$")
OBLIGED = "(?:な(?:ければ|くては)(?:なら|なり|いけ)|ないといけ)(?:ない|ません)"
"""Behind what has to be done."""
_OBLIGED = re.compile(f"(?P<end>.){OBLIGED}$")
_ASKED = re.compile("(?P<end>[^いっん])てください$")
# Which of several verbs it is, its sound does not tell: 送って is of 送る, 買って of 買う.
_ASKED_BY_SOUND = re.compile("(?P<sound>[っいん])[てで]ください$")
_SOUNDS = str.maketrans("うつるくぐぬぶむ", "っっっいいんんん")
_DOES = ("する", "す")


def without_resuming(sentence: str) -> str:
    """A sentence without a これを that takes up its own topic."""
    return _RESUMES.sub("", sentence) if "これを" in sentence else sentence


def bare(said: str) -> str:
    """A part of a sentence without what only joins its words."""
    for adverb in _ADVERBS:
        said = said.replace(adverb, "")
    return in_one_case(said).translate(_SLIGHT)


def in_one_case(said: str) -> str:
    """A part of a sentence in which what supposes a case does so in one way: 紛失した場合には is 紛失したとき."""
    return _CASE.sub("とき", said)


def plain(predicate: str) -> str:
    """The end of a sentence in one form: 提出します, 提出してください and 提出しなければならない are 提出."""
    end = _without(_without(predicate, _HAS_TO), _IS_SO)
    if end.endswith("ます"):
        end = _POLITE.sub(lambda verb: _dictionary_form(verb["end"], 0), end)
    elif "なければ" in end or "なくては" in end or "ないと" in end:
        end = _OBLIGED.sub(lambda verb: _dictionary_form(verb["end"], 1), end)
    elif end.endswith("ください"):
        end = _ASKED.sub(
            lambda verb: "す" if verb["end"] == "し" else f"{verb['end']}る", _ASKED_BY_SOUND.sub(r"\g<sound>", end)
        )
    return _without(end, _DOES)


def by_sound(predicate: str) -> str:
    """What `plain` makes of the end of a sentence with its verb as before て: 送る is 送っ, as 送ってください is."""
    return predicate[:-1] + predicate[-1:].translate(_SOUNDS)


def _without(text: str, endings: tuple[str, ...]) -> str:
    if not text.endswith(endings):
        return text
    return next(text.removesuffix(ending) for ending in endings if text.endswith(ending))


def _dictionary_form(stem: str, row: int) -> str:
    if stem == "し":
        return "す"
    other = stem if len(stem) > 1 else stem.translate(_ROWS[row])
    return other if other != stem else f"{stem}る"
