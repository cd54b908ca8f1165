"""What a text says is so, or is not so, so that two texts can be seen to contradict. Pure.

Read only where a sentence says it plainly of something that it names, and ends there:
契約社員は通勤手当の対象とする against 契約社員は通勤手当の対象外とする. All that is said of it has to be the same.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .statements import name_subject

# What is said, and what denies it.
_SAID = {
    "対象": (
        "対象(?:とする|とします|となる|となります|である|です|に含む|に含める|に含まれる)",
        "対象(?:外(?:とする|とします|となる|となります|である|です)?|(?:と|に)は?(?:しない|しません|ならない|なりません)"
        "|に(?:は)?(?:含まない|含めない|含まれない)|ではない|ではありません)",
    ),
    "適用": ("適用(?:する|します|される|されます)", "適用(?:しない|しません|されない|されません|外とする|除外とする)"),
    "必要": (
        "(?:必要(?:とする|である|です)|必須(?:とする|である|です)?|要する)",
        "(?:不要(?:とする|である|です)?|必要(?:としない|は?ない|は?ありません|ではない)|要しない)",
    ),
    "可": (
        "(?:許可する|許可します|認める|認めます|認められる|可能である|可能です|可とする|できる|できます)",
        "(?:許可しない|許可しません|認めない|認めません|認められない|禁止する|禁止します|禁止とする|不可とする|不可である"
        "|できない|できません)",
    ),
}
_VERDICT = re.compile(
    "(?:"
    + "|".join(f"(?P<{name}>{so})|(?P<{name}_not>{not_so})" for name, (so, not_so) in _SAID.items())
    + ")(?: ?(?:[。)|]|$))"
)
_TOPIC = re.compile("(?<!又)(?<!また)(?:は|が|も)、?(?P<matter>[^。、,;:()\n|はがも]{0,20}?)(?:は|も)?\\Z")
_ENGLISH = re.compile(
    r" (?:is|are)(?P<not> not| never|n't)? (?P<what>allowed|permitted|covered|eligible|required|refundable|prohibited)"
    r"(?=[.;)|]|$)"
)
_MAY_SAY = re.compile("対象|適用|必[要須]|不[要可]|要[すし]|許可|認め|可[能と]|でき|禁止| (?:is|are)(?: |n't)")
_LONGEST_PREDICATE = 30


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


def read_verdicts(line: str) -> Iterator[Verdict]:
    """What a normalised line says is so, or is not."""
    if _MAY_SAY.search(line) is None:
        return
    for match in _VERDICT.finditer(line):
        topic = _TOPIC.search(line, max(match.start() - _LONGEST_PREDICATE, 0), match.start())
        subject = topic and name_subject(line, 0, topic.start())
        if topic and subject:
            what = match.lastgroup or ""
            yield Verdict(subject, topic["matter"], what.removesuffix("_not"), not what.endswith("_not"))
    for match in _ENGLISH.finditer(line):
        if subject := name_subject(line, 0, match.start(), is_english=True):
            is_prohibited = match["what"] == "prohibited"
            what = "allowed" if match["what"] in ("permitted", "prohibited") else match["what"]
            yield Verdict(subject, "", what, (match["not"] is None) != is_prohibited)
