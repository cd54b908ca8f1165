"""What a number is said of, if a sentence states it. Pure.

Read only where the words are plain: a noun phrase, a particle or a verb that equates, the number, its unit, the end of
the sentence.
"""

import re
from typing import NamedTuple

from morenashi.server.search.question.counting_marks import MARKS

from .bounds import ENGLISH_BOUNDS, Bound, bound_of, take_from_english, take_from_name
from .inflections import IRREGULAR
from .subjects import case_before, english_case_before, name_subject
from .wording import plain

# Before a particle: 又は, もしくは only join.
NO_OR = "(?<!又)(?<!また)(?<!若しく)(?<!もしく)(?<!あるい)"
# Of what the number is: 1日につき2,000円, 毎月25日, 年2回, 年に2回, 月額5,000円.
_PER = (
    f"(?:[1一](?:[日泊年回人名件台週]|[{MARKS}]?月|時間)(?:に?つき|に|[当あ]たり)?、?"
    "|毎[年月週日回]|[年月日]額|年間?に?|[月週]に?)"
)
# And the mark of 1か月, 1ヶ月.
_PER_WORD = re.compile(f"(?:に?つき|[当あ]たり|に)、?|(?<=[1一])[{MARKS}](?=月)")
_BOUND = f"(?P<bound>{_PER}?(?P<word>最大|最小|最低|最長|最高|上限|下限|原則|約)?)満?"
_IS_JAPANESE = re.compile(rf"(?:{NO_OR}(?P<by>は)、?|が、?|[:=|]) *{_BOUND} *\Z")
# From what day or of what the number is counted: 申請期限は出張日の14日前, 精算期限は帰着後7日以内.
_IS_COUNTED = re.compile(rf"{NO_OR}(?P<by>は)、?(?P<bound>[^。、,;:()\n|はが]{{1,12}}(?:の|から|より|後))(?P<word>)\Z")
_IS_ENGLISH = re.compile(
    r" (?:is|are|lasts?|takes?|costs?|(?:must|shall|will|should) be|expires? (?:after|in)|equals?"
    r"|(?:(?:must|shall|will|should) )?(?:have|has|contains?)|(?P<by_default>defaults? to))"
    r" (?P<bound>(?:(?:[a-z]+ed|kept|made|paid|sent|set) )?"
    rf"(?:within|every|after|for|{ENGLISH_BOUNDS}|(?<=(?:ed|et) )(?:to|at)) )?\Z"
)
# Of what besides: 10 dollars for students, 50 usd per month.
_OF_WHAT = re.compile(r"[^.,;:()|]{0,60}(?=[.,;:()|]|$)")
_PER_EACH = re.compile(r"^ ?(?:/|(?:per|an?|each|every)\b) ?")
IS_STATED = re.compile(
    " ?(?:程度)?(?:で(?:す|ある|あり|した)|と(?:する|し|します|なる|なります|なって)|に(?:なる|なります)|だ)?"
    " ?(?:[。、)(|]|$)"
)
# What is done in the time, or with the sum, if that is only a verb: 3日以内に行う, 千円を支給する, 1年間保存する.
_IS_DONE = re.compile(
    r"(?:[にを]|が(?=上限|下限|限度)|で(?!あ)|(?=ごとに|毎に|[\u4e00-\u9fff]))(?P<verb>[^。、,;:()\n|をはが0-9]{1,16})(?:。|$)"
)
# 週3日を限度とする is 週3日までとする, 5万円を上限として支給する is 5万円まで支給する.
_IS_A_BOUND = re.compile("^(?P<word>限度|上限|下限)(?:として|と(?:する|します|なる|なります)$|で(?:す|ある|あります)$)")
# 8文字以上で設定する is 8文字以上とする.
_GIVES_A_VALUE = re.compile("(?:設定|指定|登録|入力|作成)$")
_DEFAULT = re.compile("default (?=.)")
_BY_DEFAULT = "by default"
_JAPANESE_DEFAULT = re.compile(
    "(?P<name>.{2,})の(?:既定値?|デフォルト値?|初期値)|(?:既定|デフォルト|初期設定)の(?P<other>.{2,})"
)
# We issue the card within 30 days; replace the filter every 6 months.
_IS_ACTIVE = re.compile(
    r"(?:^|[.;:] |, )(?:[-*] )?(?:(?:(?P<agent>we|you)(?: (?:will|must|shall|should))? |please )?)"
    r"(?P<verb>(?!(?:do|does|are|is|have|has|not|never|may|can)\b)[a-z]{3,}) "
    r"(?P<article>(?:the|your|our|all|each|every|an?) )?"
    r"(?P<object>[a-z][a-z -]{2,40}) (?P<bound>within|every|after|for) \Z"
)
_LONGEST_ACTIVE = 90
_BEFORE_A_TIME = ("within ", "every ", "after ", "for ")
_PARTICIPLE = re.compile(f"(?:[a-z]+ed|{'|'.join(IRREGULAR)})(?= )")
_ENDING = re.compile("(?:ed|e)$")
LONGEST_PREDICATE = 30
# Looked at up to its fourth bar: a line may have thousands, each before a number.
_HAS_SEVERAL_COLUMNS = re.compile(r"(?:[^|]*\|){4}")


class SaidOf(NamedTuple):
    """`case` is what the quantity depends on besides. With a `bound`, the number is the most or least of it; `name` is
    what the sentence calls it.
    """

    name: str
    subject: str
    case: str
    bound: Bound


def said_of(line: str, start: int, number: re.Match[str]) -> SaidOf | None:
    """What a number is said of, if the sentence states it. Nothing before `start` counts."""
    return _said_in_japanese(line, start, number) or _said_in_english(line, start, number)


def _said_in_japanese(line: str, start: int, number: re.Match[str]) -> SaidOf | None:
    is_stated, done = IS_STATED.match(line, number.end()), _IS_DONE.match(line, number.end())
    if number["gap"] == "-" or not (is_stated or done):
        return None
    verb = "" if is_stated or done is None else done["verb"]
    for form in (_IS_JAPANESE, _IS_COUNTED):
        predicate = form.search(line, max(start, number.start() - LONGEST_PREDICATE), number.start())
        if predicate is None or not (is_stated or predicate["by"]):
            continue
        # In a table of several columns it is their heads that say what the numbers are of.
        if "|" in predicate[0] and _HAS_SEVERAL_COLUMNS.match(line):
            continue
        subject = name_subject(line, start, predicate.start())
        if subject and not _is_setting(subject, predicate[0], number):
            case = case_before(line, start, predicate.start())
            return _told_in_japanese(subject, case, predicate, number["limit"], verb)
    return None


def _told_in_japanese(subject: str, case: str, predicate: re.Match[str], limit: str | None, verb: str) -> SaidOf:
    """Of a subject, by its name, the words before the number, the limit behind it, and what is done."""
    named, bound = take_from_name(subject)
    if default := _JAPANESE_DEFAULT.fullmatch(named):
        named, case = default["name"] or default["other"], f"{case}{_BY_DEFAULT}"
    is_bound = _IS_A_BOUND.match(verb)
    for word in (limit, predicate["word"], is_bound and is_bound["word"]):
        bound = bound_of(word or "") or bound
    per = _PER_WORD.sub("", predicate["bound"])
    if bound_of(predicate["word"] or ""):
        per = per.removesuffix(predicate["word"])
    done = _GIVES_A_VALUE.sub("", plain(_IS_A_BOUND.sub("", verb)))
    return SaidOf(subject, named, case + per.replace("一", "1") + done, bound)


def _is_setting(subject: str, sign: str, number: re.Match[str]) -> bool:
    """Whether it is a line of some configuration (`scrape_interval: 15s`), which holds where that is in use."""
    return sign.strip() in (":", "=") and subject.isascii() and " " not in subject and not number["gap"]


def _said_in_english(line: str, start: int, number: re.Match[str]) -> SaidOf | None:
    of_what = _OF_WHAT.match(line, number.end())
    read = _passive(line, start, number) or _active(line, start, number)
    if read is None or of_what is None:
        return None
    subject, begin, before, is_default = read
    done, of, bound = take_from_english(before, of_what[0])
    done = _PARTICIPLE.sub(lambda verb: _stem(verb[0]), done, count=1)
    named, named_bound = take_from_name(subject)
    by_default = _BY_DEFAULT if is_default or _DEFAULT.match(named) else ""
    case = english_case_before(line, start, begin), done, _PER_EACH.sub("per ", of), by_default
    told = " ".join(part.strip() for part in case if part.strip())
    return SaidOf(subject, _DEFAULT.sub("", named).removesuffix("s"), told, bound or named_bound)


def _passive(line: str, start: int, number: re.Match[str]) -> tuple[str, int, str, bool] | None:
    """Of what a number is said to be, where that ends, what is done in it, and whether it is a default."""
    predicate = _IS_ENGLISH.search(line, max(start, number.start() - LONGEST_PREDICATE), number.start())
    subject = predicate and name_subject(line, start, predicate.start(), is_english=True)
    if not predicate or not subject:
        return None
    return subject, predicate.start(), predicate["bound"] or "", predicate["by_default"] is not None


def _active(line: str, start: int, number: re.Match[str]) -> tuple[str, int, str, bool] | None:
    """The same of what somebody does with it."""
    if not line.endswith(_BEFORE_A_TIME, start, number.start()):
        return None
    said = _IS_ACTIVE.search(line, max(start, number.start() - _LONGEST_ACTIVE), number.start())
    if said is None or not (said["agent"] or said["article"]):
        return None
    subject = name_subject(said["object"], 0, len(said["object"]), is_english=True)
    return (subject, said.start("verb"), f"{_stem(said['verb'])} {said['bound']}", False) if subject else None


def _stem(verb: str) -> str:
    """One form of what is done and has to be done: issued and issue."""
    stem = _ENDING.sub("", IRREGULAR.get(verb, verb))
    return stem[:-1] if stem[-1:] == stem[-2:-1] else stem
