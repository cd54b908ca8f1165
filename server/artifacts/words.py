"""The words that artifacts use for beginnings, ends, outcomes and "nothing follows", Japanese and English. Pure."""

import re

from morenashi.indexer.combining import normal_form

_STARTS = frozenset("start begin entry 開始 スタート 始め はじめ 始端 入口".split())
_ENDS = frozenset(
    "end stop exit finish finished done complete completed terminate fin 終了 終わり おわり 完了 終 終端 出口".split()
)
_OUTCOMES = frozenset(
    """
    reject rejected accept accepted approve approved deny denied pass passed fail failed ok ng return abort cancel
    cancelled error success terminal allow refuse hold pending exclude excluded include included out_of_scope
    却下 棄却 承認 不承認 否認 許可 不許可 可 不可 可能 不可能 合格 不合格 該当 非該当 該当なし 対象 対象外 適用
    不適用 適用外 適用なし 中止 保留 差戻し 差し戻し 差戻 返却 受理 不受理 成功 失敗 エラー 処理終了 手続終了 課税
    非課税 不課税 免税 除外
    """.split()
)
_OUTCOME_ENDINGS = re.compile(
    r"(?:終了|完了|終わり|却下|棄却|承認|不可|許可|合格|対象外|中止|保留|差し?戻し?|受理|END)$"
)
_OUTCOME_IN_ENGLISH = re.compile(r"(?:end|stop|terminate|reject|deny|cancel|abort)\b|.*\bends$")
# 却下する, 対象外とします, 差し戻す, 終える: the same in a sentence.
_VERB_ENDING = re.compile(
    r"(?<=[一-龠ァ-ヶー])(?:[とに]?(?:する|します|なる|なります)|される|されます)$|(?<=戻)(?:す|します)$"
)
_ENDING = re.compile(r"(?<=終)(?:わる|わります|える|えます)$")
_NOTHING = frozenset("- -- --- ー — – ― − / n/a na none null nil なし 無し 無 ない × x 〃 \\ ・ * ∅".split()) | {""}
_FOLLOWING = frozenset(
    "次 次へ 次に進む 次へ進む 次の手順 次の手順へ 次のステップ 次のステップへ 次の行 次行 next continue 続行 ↓".split()
)
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)|\[\[([^\[\]|]+)\|[^\[\]]*\]\]")
# What makes 1️⃣ of 1.
_KEYCAP = re.compile("[\ufe0f\u20e3]")
_MARKUP = re.compile(r"[*_`~]{1,3}(?=[^\s*_`~])|(?<=\S)[*_`~]{1,3}")
_MOST_LAYERS = 10
_WRAPPED = re.compile(r"[\[({「『【<\"'](.*)[\])}」』】>\"']", re.S)


def word_key(text: str) -> str:
    """The form in which ids and words are compared: as `plain_text`, casefold, without emphasis, quotes or brackets
    around it."""
    key = _MARKUP.sub(_kept_underscore, plain_text(text)).strip().casefold()
    for _ in range(_MOST_LAYERS):
        if not (wrapped := _WRAPPED.fullmatch(key)):
            break
        key = wrapped[1].strip()
    return " ".join(key.split())


def plain_text(text: str) -> str:
    """NFKC, with the text of a link for the link, the page of a wiki link, and 1 for 1️⃣."""
    return normal_form("NFKC", _KEYCAP.sub("", _LINK.sub(_said_by_link, text)))


def plain_id(text: str) -> str:
    """An id as it is shown: without a link, emphasis or code marks around it."""
    return _LINK.sub(_said_by_link, text).strip().strip("*`").strip()


def is_start_word(text: str) -> bool:
    """Whether it is said of a beginning: 開始, "Start: on line"."""
    key = word_key(text)
    return key in _STARTS or bool(re.match(r"(?:開始|スタート|start)(?:\b|[:：(（、 ]|$)", key))


def is_mark(text: str) -> bool:
    """Whether it is the mere word for a beginning or an end, which states nothing of the source."""
    key = word_key(text)
    return key in _STARTS or key in _ENDS


def is_outcome(text: str) -> bool:
    """Whether it is an end or an outcome, in words: END, REJECT, 申請を却下する."""
    said = _VERB_ENDING.sub("", _ENDING.sub("了", text.strip().rstrip("。.")))
    key = word_key(said)
    is_word = key in _ENDS or key in _OUTCOMES
    return is_word or bool(_OUTCOME_ENDINGS.search(said) or _OUTCOME_IN_ENGLISH.match(key))


def says_nothing(text: str) -> bool:
    """Whether it says that nothing follows: empty, a dash, なし."""
    return word_key(text) in _NOTHING or normal_form("NFKC", text).strip() in _NOTHING


def says_following(text: str) -> bool:
    """Whether it says: the one below."""
    return word_key(text) in _FOLLOWING


def _said_by_link(match: re.Match[str]) -> str:
    return match[1] or match[2]


def _kept_underscore(match: re.Match[str]) -> str:
    """Underscores belong to names more often than to emphasis."""
    return match[0] if set(match[0]) == {"_"} and len(match[0]) == 1 else ""
