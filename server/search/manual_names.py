"""What a manual is called by its id: debian-policy is the Debian Policy, and the Debian Policy Manual. Pure."""

import re
from collections.abc import Iterable, Sequence

from morenashi.indexer.text import normalise

_JOINTS = re.compile("[-_. ]+")
# What any manual is.
_A_MANUAL = re.compile(" (?:manual|guide|handbook|book|documentation|docs?|help|faq|cli)$")
_LANGUAGE = re.compile(" (?:ja|jp|en|english|japanese)$")


def manuals_called(names: Iterable[str], manual_ids: Sequence[str]) -> tuple[str, list[str]]:
    """The longest of these normalised names that any manual is called by, and the manuals."""
    ids: dict[str, list[str]] = {}
    for manual_id in manual_ids:
        ids.setdefault(_words(normalise(manual_id)), []).append(manual_id)
    called = ((name, _words(name)) for name in sorted(names, key=len, reverse=True))
    found = ((name, ids.get(words) or ids.get(_A_MANUAL.sub("", words))) for name, words in called)
    return next(((name, manuals) for name, manuals in found if manuals), ("", []))


def names_of_manual(manual_id: str) -> tuple[str, ...]:
    """Its name, normalised, without what joins its words: of yii2-guide-en also without what says its language, and
    that it is a manual.
    """
    name = _words(normalise(manual_id))
    without_language = _LANGUAGE.sub("", name)
    names = (name, without_language, _A_MANUAL.sub("", without_language))
    return tuple(map(without_joints, dict.fromkeys(names)))


def without_joints(name: str) -> str:
    """nextjs of next.js and next-js."""
    return _JOINTS.sub("", name)


def _words(name: str) -> str:
    return _JOINTS.sub(" ", name).strip()
