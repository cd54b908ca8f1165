"""What the columns of a step table are for, by their headings and, where those do not tell, by their cells. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from morenashi.indexer.combining import normal_form

from .mentions import find_references
from .model import Element
from .source_lines import are_marked_lines, find_marked_lines, parse_source_lines
from .targets import Targets
from .words import is_outcome, plain_id, says_nothing, word_key

_ID_WORDS = (
    "id stepid nodeid ステップid 手順id key キー 符号 記号 no no. # 番号 項番 手順番号 ステップ番号 工程番号 stepno "
    "code コード step ステップ node ノード 手順 工程"
).split()
# These head an id where nothing else does: they count the rows, or name rules or cases.
_ORDER_WORDS = "順序 順番 順 通番 連番 order seq sequence rule ルール 規則 case ケース".split()
# As it is written: StepId, 管理No., part no.; not Hybrid, Piano.
_ID_ENDING = re.compile(r"(?:(?:(?<![A-Za-z])(?:[Ii][Dd]|[Nn][Oo])|(?<=[a-z])(?:I[Dd]|N[Oo]))\.?|番号|コード)$")
_SOURCE = re.compile(
    r"(?:source|cited|evidence|reference)?(?:lines?|ranges?|行|行番号)|source(?:lines?|ranges?)?|evidence|citations?"
    r"|(?:根拠|出典|原文|参照|典拠|原典|引用|ソース)(?:の|となる)?(?:行(?:番号)?|箇所|\(行(?:番号)?\))"
    r"|根拠|出典|原文|参照|典拠|原典|ソース|(?:該当|対応|元の)行"
)
_SURE_SOURCE = re.compile(r"source(?:lines?|ranges?)|(?:根拠|出典|原文|参照|典拠|原典|引用)行(?:番号)?")
# What such a word is a part of heads lines if its cells say so: 参照元, Manual reference.
_SOURCE_WORD = re.compile(r"source|evidence|citation|reference|根拠|出典|原文|参照|典拠|原典|引用|ソース|該当箇所")
_REFERENCE = re.compile(
    r"参照|参照先|参照ステップ|関連|関連ステップ|関連手順|関連項目|see|seealso|refs?|references?|related"
)
_STEP = r"(?:ステップ|手順|工程|作業|タスク|活動|状態|ノード)"
_PREVIOUS = re.compile(
    rf"前|直前|先行|(?:前|直前|先行)(?:の|する)?(?:{_STEP}(?:id|番号|名)?|id|番号)|遷移元|from"
    r"|(?:prev(?:ious)?|prior)(?:steps?|tasks?|nodes?|ids?|states?)|prev|previous|predecessors?(?:ids?)?"
)
# These may also head other things: they count if a cell names a step.
_REQUIRED = re.compile(
    rf"(?:前提|依存)(?:の|する)?(?:{_STEP}(?:id|番号|名)?|id|番号)?|前提条件|依存(?:先|関係)|親(?:{_STEP}|id|番号)?|after"
    r"|depends(?:on)?|dependenc(?:y|ies)|blockedby|waits?(?:for|on)|prerequisites?|preconditions?|requires|parents?(?:steps?|tasks?|nodes?|ids?)?"
)
# Of these the ones that head nothing else; an edge has a `from`, and a part of anything a parent.
_SURELY_BEFORE = re.compile(
    rf"(?:先行|前提|依存)(?:の|する)?{_STEP}(?:id|番号|名)?|predecessors?(?:ids?)?|dependson|dependenc(?:y|ies)|blockedby"
    r"|(?:prev(?:ious)?|prior)(?:steps?|tasks?)|prerequisites?"
)
_NEXT = re.compile(
    r"(?:次|後続|遷移先|移動先|分岐先|行き?先|飛び先|進み先|ジャンプ先|next|goto|successors?$).*"
    r"|(?:goes|leads|proceeds?|continues?|jumps?|moves?|branch(?:es)?)to"
    r"|.*(?:遷移先|分岐先|移動先|行き先|の次|next|goto)|.*next(?:steps?|states?|status(?:es)?)"
    r"|.*(?<![一二三四五六七八九十年月日週順目高])次(?:の)?(?:ステップ|手順|工程|状態|ステータス)"
)
# The other way round of what a step is blocked by, which says it already.
_BLOCKING = re.compile(r"(?:un)?blocks")
# Where a table has both, each row is a step from one state to another.
_FROM = re.compile(
    r"遷移元|移行元|(?:現在の?|現|元の?|(?:遷移|変更)前の?)(?:状態|ステータス)"
    r"|from(?:states?|status|nodes?|steps?)?|(?:current|source|present|old)(?:state|status)"
)
# So do these, if they say the same in several rows: else they are the ids of these.
_STATE = re.compile(r"状態|ステータス|states?|status")
_TO = re.compile(
    r"遷移先|移行先|(?:次の?|新しい|(?:遷移|変更)後の?)(?:状態|ステータス)"
    r"|to(?:states?|status|nodes?|steps?)?|(?:next|target|new)(?:state|status)"
)
# Where one of a group leads to a step, the others are meant to.
_OPPOSITES = tuple(
    frozenset(words.split())
    for words in (
        "yes no true false はい いいえ then else", "y n", "真 偽", "可 否", "ok ng", "pass fail", "該当 非該当",
        "適合 不適合", "満たす 満たさない 満たさず", "あり なし", "有 無", "有り 無し", "合格 不合格", "成立 不成立",
        "承認 不承認 否認 却下", "許可 不許可", "成功 失敗 正常 異常 エラー", "一致 不一致", "有効 無効",
        "success failure error passed failed", "approved rejected", "valid invalid",
    )
)  # fmt: skip
# A mere number below these is that of a step.
_PLAIN_ANSWERS = _OPPOSITES[0]
_GROUP_OF = {word: group for group in _OPPOSITES for word in group}
# These may also head other things: they count if a cell points to a step.
_ANSWER = re.compile(
    rf"(?:on|if|case|条件)?({'|'.join(_GROUP_OF)}|otherwise|jump|to|targets?|結果|判定|分岐|以上|未満|超|以下)"
    r"(?:の場合|のとき|時|なら|ならば|→|は|\(.*\)|:.*)?"
)
# When a step is followed by those below, in other words: If it works, できなかった場合.
_CONDITION = re.compile(r"(?:if|when)\w.*|.*(?:場合|とき|[たれ]ば|たら|なら)は?")
_NAME = re.compile(r"name|title|label|名称|名前|タイトル|(?:手順|ステップ|工程|作業|処理|タスク|項目)名?")
# What stands further right is for nothing: each row, be it of two cells, would be asked for each of thousands.
_MOST_COLUMNS = 100
# Of thousands of cells that lead on, those of the first rows tell what they name.
_MOST_LOOKS = 20_000
_SITE_PATH = re.compile(r"[\s`\"']*/")
_ARROW_CELL = re.compile(r"\s*(?:[^→⇒]{0,20}[→⇒]|[-=]+>)")


@dataclass(frozen=True, slots=True)
class Columns:
    """Positions of the columns: the id's, the name's, and those of lines, next and previous steps, and references.

    `required` steps come before, be it long before: what they are followed by does not have to name them. `has_ends`
    says that a row is an edge: what it leads to is a step by that, too.
    """

    id: int
    name: int | None
    sources: tuple[int, ...]
    next: tuple[int, ...]
    previous: tuple[int, ...]
    required: tuple[int, ...]
    references: tuple[int, ...]
    has_ends: bool = False


class _Column(NamedTuple):
    """A heading in the form in which words are compared, without blanks, and the cells below it that say anything."""

    key: str
    cells: list[str]


def find_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns | None:
    """What each column is for; `None` if the table is no step table: no id, or neither steps nor lines are named."""
    columns = _read_columns(header, rows)
    id_column = _id_column(header, columns)
    ends = _find_ends(columns, id_column)
    if ends:
        id_column = ends[0]
    if id_column is None:
        return None
    ids = _steps_in(columns[id_column].cells)
    rest = {p: column for p, column in enumerate(columns) if p != id_column}
    references = tuple(p for p, (key, _) in rest.items() if _REFERENCE.fullmatch(key))
    previous = tuple(p for p, (key, _) in rest.items() if _PREVIOUS.fullmatch(key))
    required = tuple(p for p, (key, cells) in rest.items() if _REQUIRED.fullmatch(key) and _name_step(cells, ids))
    before = previous + required
    candidates = [p for p, (key, _) in rest.items() if p not in references + before and not _BLOCKING.fullmatch(key)]
    following = ends[1:] or _next_columns(columns, ids, candidates)
    taken = {*references, *before, *following}
    sources = tuple(p for p in rest if p not in taken and _is_source(rest[p], has_next=bool(following)))
    sources = sources or tuple(p for p in rest if p not in taken and are_marked_lines(rest[p].cells))
    # 参照 may head lines of the source as well as other steps: beside lines, a number that a step has is that step.
    are_lines_beside = any(_names_lines(rest[p].cells) for p in sources)
    sources += tuple(
        p
        for p in references
        if _names_lines(rest[p].cells) and not (are_lines_beside and _name_step(rest[p].cells, ids))
    )
    references = tuple(p for p in references if p not in sources)
    if not following and not sources and not any(_name_step(rest[p].cells, ids) for p in before):
        return None
    name = next((p for p, (key, _) in rest.items() if p not in taken and _NAME.fullmatch(key)), None)
    return Columns(id_column, name, sources, following, previous, required, references, bool(ends))


def find_source_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The columns of a table of any kind that name lines of the source."""
    return tuple(p for p, column in enumerate(_read_columns(header, rows)) if _is_source(column))


def _read_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[_Column]:
    return [
        _Column(
            re.sub(r"[\s_\-]+", "", word_key(heading)),
            [row[position] for row in rows if position < len(row) and not says_nothing(row[position])],
        )
        for position, heading in enumerate(header[:_MOST_COLUMNS])
    ]


def _id_column(header: Sequence[str], columns: list[_Column]) -> int | None:
    has_yes = any(re.search(r"yes|はい", column.key) for column in columns)
    words = [word for word in _ID_WORDS if not (has_yes and word == "no")]
    spelt = [key if key in words else key.removesuffix(".") for key, _ in columns]
    found = [spelt.index(word) for word in words if word in spelt and _is_id_like(columns[spelt.index(word)].cells)]
    # Of several, as Node | Step, any may head the id.
    if len(found) > 1 and (led_to := _column_led_to(columns, found)) is not None:
        return led_to
    if found:
        return found[0]
    for position, (key, cells) in enumerate(columns):
        heading = plain_id(normal_form("NFKC", header[position]))
        if _ID_ENDING.search(heading) and not _NEXT.fullmatch(key) and _is_id_like(cells):
            return position
    if columns and not columns[0].key and _is_id_like(columns[0].cells):
        return 0
    if (led_to := _column_led_to(columns)) is not None:
        return led_to
    return next((p for p, (key, cells) in enumerate(columns) if key in _ORDER_WORDS and _is_id_like(cells)), None)


def _column_led_to(columns: list[_Column], among: Sequence[int] | None = None) -> int | None:
    """The first column, `among` some or all, that one of next or previous steps names, whatever its heading: 状態, 問,
    タスク."""
    leading = [
        position
        for position, (key, _) in enumerate(columns)
        if _NEXT.fullmatch(key) or _answer(key) in _PLAIN_ANSWERS or _SURELY_BEFORE.fullmatch(key)
    ]
    others = sorted(set(range(len(columns))) - set(leading)) if among is None else among
    said = [cell for position in leading for cell in columns[position].cells][: _MOST_LOOKS // max(len(others), 1)]
    for position in others:
        cells = columns[position].cells
        if _is_id_like(cells) and _name_step(said, _steps_in(cells)):
            return position
    return None


def _find_ends(columns: list[_Column], id_column: int | None) -> tuple[int, ...]:
    """The columns of where rows lead from and to, if the rows are edges: some lead on from where others lead to, and
    none of these cells names a row by an id of its own. A mere from and to may head anything: only with lines.
    """
    named = (p for p, column in enumerate(columns) if _FROM.fullmatch(column.key) or _is_repeated_state(column))
    origin = next(named, None)
    target = next((p for p, (key, _) in enumerate(columns) if _TO.fullmatch(key)), None)
    if origin is None or target is None:
        return ()
    (from_, origins), (to, targets) = columns[origin], columns[target]
    if (from_, to) == ("from", "to") and not any(map(_is_source, columns)):
        return ()
    if id_column not in (None, origin, target):
        ids = _steps_in(columns[id_column].cells)
        if _name_step([*origins, *targets], ids):
            return ()
    return (origin, target) if _name_step(targets, _steps_in(origins)) else ()


def _is_repeated_state(column: _Column) -> bool:
    return bool(_STATE.fullmatch(column.key)) and len(set(column.cells)) < len(column.cells)


def _is_id_like(cells: list[str]) -> bool:
    """Short, and mostly different."""
    return bool(cells) and max(map(len, cells)) <= 60 and len(set(cells)) * 2 > len(cells)


def _steps_in(cells: Iterable[str]) -> Targets:
    """The steps that these cells are the ids of."""
    return Targets(Element(cell, 0) for cell in cells)


def _name_step(cells: Iterable[str], ids: Targets) -> bool:
    """Whether one of these cells names a step."""
    return any(target.kind == "element" for cell in cells for target in ids.find(cell))


def _names_lines(cells: Iterable[str]) -> bool:
    return any(map(parse_source_lines, cells))


def _next_columns(columns: list[_Column], ids: Targets, candidates: list[int]) -> tuple[int, ...]:
    answers = {position: _answer(columns[position].key) for position in candidates}
    found = []
    for position in candidates:
        (key, cells), answer = columns[position], answers[position]
        if _NEXT.fullmatch(key):
            is_next = not _is_prose(cells, ids)
        elif _heads_sources(key):
            is_next = False
        else:
            numbers = answer in _PLAIN_ANSWERS or _has_opposite(answer, answers.values())
            pointing = [cell for cell in cells if _points(cell, ids, numbers=numbers)]
            is_next = _does_one_lead(pointing, ids) if answer else _do_most_lead(pointing, len(cells), ids)
        if is_next:
            found.append(position)
    leading = [answers[position] for position in found]
    conditions = [p for p in candidates if _CONDITION.fullmatch(columns[p].key) and _do_all_lead(columns[p].cells, ids)]
    # One alone may as well count days.
    found += conditions if len(conditions) > 1 else []
    return tuple(p for p in candidates if p in found or _has_opposite(answers[p], leading))


def _is_prose(cells: list[str], ids: Targets) -> bool:
    """Whether all cells say in words what is to be done, or name a path of a site, and neither lead to a step nor name
    an outcome, nor what could be mistaken for a step."""
    paths = [cell for cell in cells if _SITE_PATH.match(cell) and not ids.leads(cell)]
    said = [cell for cell in cells if cell not in paths]
    found = [target for cell in said for target in ids.find(cell, following="")]
    leads = any(target.kind in ("element", "file") or is_outcome(target.name) for target in found)
    return len(found) + len(paths) > 1 and not leads and not any(map(ids.resemble, said))


def _answer(key: str) -> str:
    """The answer that a heading stands for, empty if it is none."""
    match = _ANSWER.fullmatch(key)
    return match[1] if match else ""


def _has_opposite(answer: str, answers: Iterable[str]) -> bool:
    group = _GROUP_OF.get(answer, frozenset())
    return any(other in group and other != answer for other in answers)


def _does_one_lead(pointing: list[str], ids: Targets) -> bool:
    """Whether a cell leads to a step, or to what is shaped as one; 否→是正 says what is to be done."""
    return any(ids.leads(cell) or ids.resemble(cell) for cell in pointing)


def _do_most_lead(pointing: list[str], total: int, ids: Targets) -> bool:
    """Whether most of all cells lead on, and one to a step. One that refers to it (M03 参照) does not lead there."""
    leading = sum(not find_references(cell, ids) for cell in pointing)
    return leading * 2 > total and leading >= 2 and _name_step(pointing, ids)


def _do_all_lead(cells: list[str], ids: Targets) -> bool:
    """Whether one cell leads to a step, and each to one, to what is shaped as one, or to an end."""
    leading = [cell for cell in cells if ids.leads(cell)]
    return bool(leading) and all(cell in leading or is_outcome(cell) or ids.resemble(cell) for cell in cells)


def _points(cell: str, ids: Targets, *, numbers: bool) -> bool:
    """Whether a cell visibly names a step: an arrow and a target, or an id; a mere number if `numbers` may be ids."""
    if _ARROW_CELL.match(cell):
        return bool(ids.find(cell))
    return ids.leads(cell) and (numbers or not cell.strip().isdigit())


def _is_source(column: _Column, *, has_next: bool = False) -> bool:
    key, cells = column
    if not _heads_sources(key):
        return bool(_SOURCE_WORD.search(key)) and any(map(find_marked_lines, cells))
    return bool(_SURE_SOURCE.fullmatch(key)) or has_next or _names_lines(cells)


def _heads_sources(key: str) -> bool:
    """Whether a heading is one of lines, be it without what stands in brackets: Evidence (lines), 出典（手引き.md）."""
    readings = key, re.sub(r"[()]", "", key), re.sub(r"\([^()]*\)", "", key)
    return any(map(_SOURCE.fullmatch, readings))
