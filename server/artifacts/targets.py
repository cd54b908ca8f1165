"""What a cell or a phrase points to: `→M08`, `はい→M02、いいえ→M03`, `01b.md`, `REJECT`. Pure.

Whatever names an element leads there. Of the rest, a terminal is told from a missing element so:

- the artifact declares it as a terminal, or it is a word for an end or an outcome (`words.py`);
- in prose, the ids of this artifact all have a digit and it has none: it is said in words, no mistyped id;
- in prose, it is upper-case letters alone and no id of the artifact is.

What is shaped like a file's name is a file. All else is an element that is not there.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import islice

from morenashi.indexer.combining import normal_form

from .model import Element, Target
from .words import is_outcome, plain_text, says_following, says_nothing, word_key

_ARROW = re.compile(r"\s*(?:<br\s*/?>)?\s*(?:→|⇒|➡\ufe0f?|⇨|➔|➜|⟶|▶|►|-{1,2}>|={1,2}>)\s*")
_SEPARATOR = re.compile(
    r"<br\s*/?>|[\n;、，,|。]|\s+/\s+|(?<=[\w)])/(?=\w)|\s+(?:or|and|else)\b[:\s]\s*|又は|または|及び|および|もしくは"
    r"|あるいは|&|(?<=へ)\s+|(?:(?<=[^\W\d])|(?<=\b[Ss]tep \d)|(?<=\b[Ss]tep \d\d))\.\s+(?=[A-Z])"
)
_FILE = re.compile(r"[^\s:：→<>|、，,;]+\.(?:md|markdown|json|txt|tsv|csv|mmd|mermaid)(?:#\S*)?", re.I)
_GOING = re.compile(
    r"^(?:(?:otherwise|else|then)\s+)?"
    r"(?:(?:go(?:es)?|jumps?|skips?|moves?|proceeds?|returns?|loops?|sends?|forwards?)?\s*(?:back\s+)?to|goto"
    r"|continues?\s+(?:at|with)|restarts?\s+(?:at|from)|repeats?|otherwise|else|then|see|step)\s*[:：]?\s+(?:step\s+)?|^次は\s*",
    re.I,
)
_GOING_JAPANESE = re.compile(
    r"\s*(?:へ|に)(?:\s*(?:進む|進み|戻る|戻り|戻す|戻し|差し?戻す|差し?戻し|返す|返し|回す|回し|送る|送り|移る|移り|移行|移動|遷移"
    r"|行く|行き|飛ぶ|飛び|続く|続き|分岐|引き?継ぐ|引き?継ぎ))?(?:する|します|ます)?[。.]?$"
)
# What goes with a step, and leads nowhere by itself: 不備があれば受付へ, Approve if correct.
_WHEN = re.compile(r".*(?:場合|とき|時|なら|ならば|れば|たら)(?:は|には)?\s*")
_IF = re.compile(r"\b(?:if|when|unless)\b", re.I)
_MERE_IF = re.compile(r"(?:if|when|unless)\b(?!.*\bto\b).*", re.I)
_DOING = re.compile(r"(?:を(?:行う|行います|実施する|実施します|実行する|実行します)|する|します)$")
_REMARK = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_REMARKS = re.compile(r"[(（][^()（）]*[)）]")
_COLON = re.compile(r"[:：]")
_BETWEEN_NAMES = re.compile(r"[・·と\s]+")
NAMED_STEP = r"(?:ステップ|手順|工程|項番)\s*\d+(?:[-.]\d+)*"
_TOKEN = re.compile(rf"{NAMED_STEP}|(?<![A-Za-z0-9])[A-Za-z]{{0,8}}[-_.]?\d+(?:[-_.]\d+)*[A-Za-z]?(?![A-Za-z0-9])")
# Step 3 route table, not step 3 of the guide.
_STEP_WITH_WORDS = re.compile(r"step\s+(\d+(?:[-.]\d+)*[a-z]?)(?!\S|\s+(?:of|in)\b)", re.I)
# 不備があれば1(へ戻る)
_LAST_NUMBER = re.compile(r"(?<=[ぁ-んァ-ヶ一-龠 ])\d+$")
# M01 受付, 1. 受付, Step 1: Login
_ID_AND_NAME = re.compile(
    r"(?:(?:ステップ|手順|工程|項番|step|no\.?|#)\s*)?([A-Za-z]{0,8}[-_.]?\d+(?:[-_.]\d+)*[A-Za-z]?)(?:\s*[.:)、]\s*|\s+)(?=\D)(.+)",
    re.I | re.S,
)
# M02〜M05, 手順2から4; M-02-M-05 may be parted in three places.
_THROUGH = re.compile(r"[〜~–—-]|から|through", re.I)
_MOST_PARTINGS = 10
# In a table of thousands of rows each may lead to all: of more, only both ends are meant.
_LONGEST_RANGE = 50
_CAPITALS = re.compile(r"[A-Z][A-Z _-]+")
_NAMED_NUMBER = re.compile(r"(?:ステップ|手順|工程|項番|番号|steps?|no\.?|#)\s*(?=\d)", re.I)


NO_TABLES: Mapping[str, int] = {}


class Targets:
    """The elements of one structure, as what is written may name them.

    `step_tables` says in how many tables of the file, this one included, an id is a step's (`tables.count_tables`):
    what is a step of another one ends the flow here. It is one for all tables of a file, which may be thousands.
    `is_prose`: people wrote it, in words; else what names no element is a mistake.
    """

    def __init__(
        self,
        elements: Iterable[Element],
        terminals: Iterable[str] = (),
        step_tables: Mapping[str, int] = NO_TABLES,
        *,
        is_prose: bool = True,
    ) -> None:
        self._is_prose = is_prose
        self._ids: dict[str, str] = {}
        self._names: dict[str, str | None] = {}
        for element in elements:
            self._ids.setdefault(word_key(element.id), element.id)
            # 手順2 may be led to as 2.
            for name in (*element.names, *split_id(element.id), _NAMED_NUMBER.sub("", element.id)):
                key = word_key(name)
                # A name that two elements have names neither.
                self._names[key] = element.id if self._names.get(key, element.id) == element.id else None
        self._in_order = list(self._ids.values())
        self._positions = {id: position for position, id in enumerate(self._in_order)}
        self._terminals = {word_key(terminal) for terminal in terminals}
        self._step_tables = step_tables
        self._shapes = {_shape(key) for id in self._ids for key in (id, *split_id(id)[:1])}
        self._longest = 2 * max(map(len, self._ids), default=0)
        self._all_numbered = all(re.search(r"\d", key) for key in self._ids)

    def find(self, text: str, following: str | None = None) -> list[Target]:
        """All that a cell points to. `following` is the element below, for cells that say "next"."""
        text = _plain(text)
        if whole := self.find_one(text):
            return [whole]
        if says_nothing(text):
            return []
        found: list[Target] = []
        for piece in _pieces(text):
            found += self._find_before_clauses(piece)
            found += self._find_in_piece(piece, following)
        return list(dict.fromkeys(found))

    def find_one(self, text: str) -> Target | None:
        """The element that a text as a whole names, if it names one."""
        key = word_key(text)
        if element := self._ids.get(key) or self._names.get(key):
            return Target("element", element)
        return None

    def leads(self, text: str) -> bool:
        """Whether a part of a text leads to an element and says nothing else: Step 2, go to M03, 不備があれば受付へ."""
        return any(self._find_named(_led_to(piece)) for piece in _pieces(_plain(text)))

    def resemble(self, text: str) -> bool:
        """Whether all that a text names, or an id in it, is shaped as ids of elements are: M08, where M01 is one. What
        is more than twice as long as any is a phrase: Japanese ones have no blanks that would tell."""
        if self.find_mentions(text):
            return True
        named = (_NAMED_NUMBER.sub("", _bare(_led_to(piece))) for piece in _pieces(_plain(text)))
        return all(_shape(key) in self._shapes and len(key) <= self._longest for key in map(word_key, named))

    def find_mentions(self, text: str) -> list[Target]:
        """The ids that stand in a free text: those of elements, and those shaped like them that are none."""
        found = []
        for token in _TOKEN.findall(normal_form("NFKC", text)):
            number = _NAMED_NUMBER.sub("", token)
            if number == token and not re.search("[A-Za-z]", token):
                continue
            target = self.find_one(token) or self.find_one(number)
            if target or not self._shapes.isdisjoint((_shape(word_key(token)), _shape(word_key(number)))):
                found.append(target or Target("missing", token))
        return list(dict.fromkeys(found))

    def find_step(self, named: str) -> Target | None:
        """The element of a number that is named as a step's (手順5, step 5); what is missing if others have numbers."""
        number = _NAMED_NUMBER.sub("", named)
        target = self.find_one(number)
        return target or (Target("missing", named) if _shape(number) in self._shapes else None)

    def _find_before_clauses(self, piece: str) -> list[Target]:
        """What a piece leads to before its last clause: 適合→M03 不適合→M04. Only ids and names: others are words."""
        arrow = _ARROW if _ARROW.search(piece) else _COLON
        ends = map(_without_last_word, arrow.split(piece)[1:-1])
        return [target for end in ends for target in self._find_ids(end)]

    def _find_ids(self, text: str) -> list[Target]:
        """The element that a text names, in words around it; else the ids that stand in it."""
        named = self._find_named(text)
        return [named] if named else self.find_mentions(text)

    def _find_named(self, text: str) -> Target | None:
        named = (self.find_one(reading) or self.find_one(_NAMED_NUMBER.sub("", reading)) for reading in _readings(text))
        return next(filter(None, named), None)

    def _find_in_piece(self, piece: str, following: str | None) -> list[Target]:
        candidate = _led_to(piece)
        if named := self._find_named(candidate):
            return [named]
        if named := self._find_before_its_name(candidate):
            return [named]
        if (step := _STEP_WITH_WORDS.match(candidate)) and (named := self.find_one(step[1])):
            return [named]
        stated = _bare(re.split(r"[:：]\s+|：", candidate)[-1])
        if not stated:
            # All of it stands in brackets.
            return self._find_ids(candidate.strip("()（） "))
        candidate = stated
        if says_nothing(candidate):
            return []
        if says_following(candidate):
            return [Target("element", following)] if following else []
        if file := _FILE.fullmatch(candidate):
            stem = file[0].split("#")[0].rpartition(".")[0].rpartition("/")[2]
            return [self.find_one(stem) or Target("file", file[0])]
        return self._find_range(candidate) or self._find_in_words(candidate)

    def _find_range(self, text: str) -> list[Target]:
        """The elements from one to a later one, in the order in which they stand: M02〜M05, steps 2-4."""
        for through in islice(_THROUGH.finditer(text), _MOST_PARTINGS):
            ends = text[: through.start()], text[through.end() :]
            from_, to = (self.find_one(_NAMED_NUMBER.sub("", end.strip())) for end in ends)
            if from_ is None or to is None:
                continue
            first, last = self._positions[from_.name], self._positions[to.name]
            if first < last < first + _LONGEST_RANGE:
                return [Target("element", id) for id in self._in_order[first : last + 1]]
        return []

    def _find_before_its_name(self, text: str) -> Target | None:
        """M02 of `M02: 承認`, where nothing that is led to stands behind the colon."""
        before, _, after = text.partition(":")
        is_id = _TOKEN.fullmatch(before) and re.search("[A-Za-z]", before)
        return self._find_named(before) if is_id and after and not self._find_ids(after) else None

    def _find_in_words(self, candidate: str) -> list[Target]:
        key = word_key(candidate)
        if key in self._terminals or self._step_tables.get(key, 0) > (key in self._ids):
            return [Target("terminal", candidate)]
        # A middle dot, a blank and と also stand within names.
        parts = _BETWEEN_NAMES.split(_REMARKS.sub(" ", candidate).strip())
        if all(named := [self.find_one(_NAMED_NUMBER.sub("", part)) for part in parts]):
            return list(filter(None, named))
        if mentions := self.find_mentions(candidate):
            return mentions
        if (number := _LAST_NUMBER.search(candidate)) and (step := self.find_one(number[0])):
            return [step]
        if _WHEN.fullmatch(candidate) or _MERE_IF.fullmatch(candidate):
            return []
        if _shape(key) in self._shapes and re.search(r"\d", key):
            return [Target("missing", candidate)]
        return [Target("terminal" if self._is_said_in_words(candidate, key) else "missing", candidate)]

    def _is_said_in_words(self, candidate: str, key: str) -> bool:
        if is_outcome(candidate):
            return True
        if not self._is_prose:
            return False
        if self._all_numbered and not re.search(r"\d", key):
            return True
        return bool(_CAPITALS.fullmatch(candidate)) and not any(map(_CAPITALS.fullmatch, self._ids.values()))


def has_arrow(text: str) -> bool:
    """Whether something is led to by an arrow."""
    return bool(_ARROW.search(_plain(text)))


def split_id(text: str) -> tuple[str, ...]:
    """Id and name of a step, where one text says both: M01 受付, 1. 受付, Step 1: Login. Else nothing."""
    match = _ID_AND_NAME.fullmatch(plain_text(text).strip().strip("*`"))
    return match.groups() if match else ()


def _plain(text: str) -> str:
    """Line by line, with single blanks and none at the ends: of very many, all would be gone through from each."""
    return "\n".join(line for line in (" ".join(line.split()) for line in plain_text(text).split("\n")) if line)


def _pieces(text: str) -> list[str]:
    """What separators set apart in a plain text; those in brackets, and in the path of a file at its end, do not."""
    last = _ARROW.split(text)[-1]
    file = last if _FILE.fullmatch(last) else ""
    rest = text.removesuffix(file)
    pieces = _SEPARATOR.split(_REMARKS.sub("", rest) if _SEPARATOR.search(rest) else rest)
    pieces[-1] += file
    return [piece for piece in map(str.strip, pieces) if piece]


def _led_to(piece: str) -> str:
    """What stands behind its last arrow, without the bracket that was opened before that: `はい(→受付)`."""
    text = _ARROW.split(piece)[-1].strip()
    return text.rstrip(")]") if text.endswith((")", "]")) and not {"(", "["} & set(text) else text


def _readings(text: str) -> tuple[str, ...]:
    """What a piece may name: all of it, or what is left without the words for when, for going there, for doing it."""
    after_colon = re.split(r"[:：]\s*", text)[-1]
    return text, _bare(text), _bare(after_colon), _DOING.sub("", _bare(_without_condition(text)))


def _without_condition(text: str) -> str:
    before = _WHEN.match(text)
    return _IF.split(text[before.end() :] if before else text, maxsplit=1)[0]


def _bare(text: str) -> str:
    """Without what says that one goes there, and without a remark behind it."""
    text = _REMARK.sub("", text)
    text = _GOING.sub("", _GOING_JAPANESE.sub("", text))
    return text.lstrip().rstrip(" \t。.")


def _without_last_word(text: str) -> str:
    """What stands before the last blank or middle dot; nothing if there is none."""
    return text[: max(text.rfind(" "), text.rfind("・"), text.rfind("·"), 0)].rstrip(" ・·")


def _shape(key: str) -> str:
    """Runs of digits, of Latin letters and of others, each as one character: m08 and b12 have the same shape."""
    return re.sub(r"[^\W\da-z_]+", "あ", re.sub(r"[a-z]+", "a", re.sub(r"\d+", "9", key)))
