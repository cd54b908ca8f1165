"""What a text says is so, or is not so, so that two texts can be seen to contradict. Pure.

Read only where a sentence says it plainly of something that it names, and ends there:
契約社員は通勤手当の対象とする against 契約社員は通勤手当の対象外とする. All that is said of it has to be the same.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .subjects import case_before, name_subject

# By what it begins with, what is said, of which matter, and whether it is denied.
_SAID = (
    ("対象", "対象", "対象(?:とする|とします|となる|となります|である|です|に含む|に含める|に含まれる)"),
    ("適用", "適用", "適用(?:する|します|される|されます)"),
    ("必要", "必要", "必要(?:とする|である|です)"),
    ("必須", "必要", "必須(?:とする|である|です)?"),
    ("要す", "必要", "要する"),
    ("支給", "支給", "支給(?:する|します|される|されます)"),
    ("許可", "可", "許可(?:する|します|される|されます|されて(?:いる|います))"),
    ("認め", "可", "認め(?:る|ます|られる)"),
    ("可能", "可", "可能(?:である|です)"),
    ("可と", "可", "可とする"),
    ("でき", "可", "でき(?:る|ます)"),
)
_DENIED = (
    ("対象", "対象", "対象外(?:とする|とします|となる|となります|である|です)?"),
    ("対象", "対象", "対象(?:と|に)は?(?:しない|しません|ならない|なりません|含まない|含めない|含まれない)"),
    ("対象", "対象", "対象ではな(?:い|く)"),
    ("適用", "適用", "適用(?:しない|しません|されない|されません|外とする|除外とする)"),
    ("不要", "必要", "不要(?:とする|である|です)?"),
    ("必要", "必要", "必要(?:としない|は?ない|は?ありません|ではない)"),
    ("要し", "必要", "要しない"),
    ("支給", "支給", "支給(?:しない|しません|されない|されません)"),
    ("許可", "可", "許可(?:しない|しません|されない|されません|されて(?:いない|いません))"),
    ("認め", "可", "認め(?:ない|ません|られない)"),
    ("禁止", "可", "禁止(?:する|します|とする|です|である|される|されます|されて(?:いる|います))"),
    ("不可", "可", "不可(?:とする|である|です)"),
    ("でき", "可", "でき(?:ない|ません)"),
)
_PATTERNS = {
    head: [
        (what, is_so, re.compile(f"(?:{pattern}) ?(?:[。)|]|$)"))
        for is_so, patterns in ((True, _SAID), (False, _DENIED))
        for begin, what, pattern in patterns
        if begin == head
    ]
    for head, *_ in _SAID + _DENIED
}
# One of these is in all that says that something is not so.
_DENYING = ("ない", "ません", "なく", "外", "禁止", "不", " not", "never", "n't", "prohibited")
_TOPIC = re.compile("(?<!又)(?<!また)(?:は|が|も)、?(?P<matter>[^。、,;:()\n|はがも]{0,20}?)(?:は|も)?\\Z")
_ENGLISH_WORDS = ("allowed", "permitted", "covered", "eligible", "required", "refundable", "prohibited")
_ALLOWED = ("allowed", "permitted", "prohibited")
_ENGLISH_BEFORE = re.compile(r" (?:is|are)(?P<not> not| never|n't)? \Z")
_ENDS = re.compile(r"[.;)|]|$")
_LONGEST_PREDICATE, _LONGEST_NOT = 30, 12


class Verdict(NamedTuple):
    """Of a `subject`, something `what` is so or not, in regard to `regard`: all of it normalised words of one line."""

    subject: str
    regard: str
    what: str
    is_so: bool

    @property
    def matter(self) -> tuple[str, str, str]:
        """What two verdicts agree in if they are about the same."""
        return self.subject, self.regard, self.what


def may_deny(line: str) -> bool:
    """Whether it is worth looking for a verdict that is not so."""
    # Not one pattern: looked for one by one, words are found ten times as fast.
    return any(map(line.__contains__, _DENYING))


def read_verdicts(line: str) -> Iterator[Verdict]:
    """What a normalised line says is so, or is not."""
    yield from _read_english(line)
    if not line.isascii():
        yield from _read_japanese(line)


def _read_japanese(line: str) -> Iterator[Verdict]:
    for head, patterns in _PATTERNS.items():
        # One search a head is quicker than a pattern that is tried at every character.
        at = line.find(head)
        while at >= 0:
            for what, is_so, pattern in patterns:
                if pattern.match(line, at) and (topic := _TOPIC.search(line, max(at - _LONGEST_PREDICATE, 0), at)):
                    regard = case_before(line, 0, topic.start()) + topic["matter"]
                    if subject := name_subject(line, 0, topic.start()):
                        yield Verdict(subject, regard, what, is_so)
            at = line.find(head, at + 1)


def _read_english(line: str) -> Iterator[Verdict]:
    for word in _ENGLISH_WORDS:
        at = line.find(word)
        while at >= 0:
            if (said := _ENGLISH_BEFORE.search(line, max(at - _LONGEST_NOT, 0), at)) and _ENDS.match(
                line, at + len(word)
            ):
                subject = name_subject(line, 0, said.start(), is_english=True)
                if subject:
                    is_so = (said["not"] is None) != (word == "prohibited")
                    yield Verdict(subject, "", "allowed" if word in _ALLOWED else word, is_so)
            at = line.find(word, at + 1)
