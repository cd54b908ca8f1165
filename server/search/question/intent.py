"""What the caller wants of the subject: as given, or inferred from how the question is put. Pure.

An intent changes what is expected of the candidates (a facet that none of them has is a gap) and,
a little, how they rank.
"""

import re
from typing import Literal

Intent = Literal["definition", "procedure", "eligibility", "exceptions", "compare", "unknown"]

_WHAT_IS = "what(?: is| are|'?s|'re)"
# What is no thing that could be defined.
_NO_THING = "(?:said|written|known|all|new|wrong|up|(?:the|an?) (?:(?:[a-z]+ )?way|purpose|point|idea|use))"

# Tried in this order: a question for the exceptions to a procedure is one for exceptions.
_SIGNS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "exceptions",
        re.compile(
            r"例外|除外|対象外|適用(?:しない|されない|除外)|この限りで(?:は)?ない|但し書|ただし書|免責"
            r"|(?:から|は)除かれ|対象(?:に|と)は?なら(?:な[いく]|ず)|(?:受けられ|支給(?:し|され)|認められ|もらえ)ない"
            r"|\b(?:exceptions?|exclu(?:de|ded|ding|sions?)|unless|not (?:apply|eligible|covered|included))\b"
        ),
    ),
    ("compare", re.compile(r"違い|どう違|比較|相違|使い分け|\b(?:versus|vs|differ|differences?|compared?)\b")),
    (
        "eligibility",
        re.compile(
            r"対象者|要件|資格|条件|受けられる|該当(?:する(?:か|の)|しますか)|できますか|対象(?:に|と)な(?:る|り)"
            r"|\b(?:eligib\w+|qualif\w+|requirements?|allowed to|who (?:can|may))\b"
        ),
    ),
    (
        "procedure",
        re.compile(
            r"手順|手続|方法|(?<!考)(?<!あ)(?<!在)[いきぎしちにびみりえけげせてねべめれ]方(?![\u4e00-\u9fff])|の(?:仕方|しかた)|するには|どうやって|どうすれば|設定する"
            r"|\b(?:how (?:to|do|can|should)|steps?|procedure)\b"
        ),
    ),
    (
        "definition",
        re.compile(
            r"(?<!こ)とは|の(?:定義|意味|意義)|何ですか|って(?:何|なに|なん)"
            rf"|\b(?:{_WHAT_IS}(?! {_NO_THING}\b)|definition|meaning)\b"
        ),
    ),
)

# What a text has that answers such a question.
_FACETS: dict[Intent, re.Pattern[str]] = {
    "definition": re.compile(
        r"とは[、,(]|\)とは|を(?:いう|意味する|指す)|定義|\b(?:is an?|are|means|refers to|is called)\b"
    ),
    "procedure": re.compile(
        # Not `\s*`: it would go on over all blank lines from each of them.
        r"(?m)^[^\S\n]*(?:[0-9]+[.)] |\([0-9]+\))|手順|手続|次のように|以下のように|しなければならない|してください"
        r"|\b(?:first|then|run|follow|steps?)\b"
    ),
    "eligibility": re.compile(
        r"対象|要件|資格|条件|場合に限り|に限る|ことができる|に該当する|でき(?:ます|ません|ない)|てはならない|なければならない"
        r"|(?:許可|承認|承諾|同意)(?:を(?:得|受け)|が(?:なけれ|必要))|認め(?:る|ます|ない|ません|られ)|禁止"
        r"|\b(?:must|eligible|qualif\w+|requires?|only if)\b"
    ),
}

# What a question calls it, and a text that answers need not: 出張旅費の例外 is answered by ただし.
_NAMES: dict[Intent, frozenset[str]] = {
    "definition": frozenset(("定義", "意味", "意義", "definition", "meaning")),
    "procedure": frozenset(("手順", "方法", "procedure", "steps")),
    "eligibility": frozenset(("条件", "要件", "eligibility", "eligible", "requirements")),
    "exceptions": frozenset(("例外", "除外", "対象外", "exception", "exceptions", "exclusions")),
    "compare": frozenset(
        ("違い", "比較", "相違", "相違点", "difference", "differences", "differ", "compare", "compared")
    ),
}
# 作り方, 届け出方: a text that says how it is done need not call it so.
_IS_WAY = re.compile("[\u4e00-\u9fff\u3041-\u3096]{1,4}[いきぎしちにびみりえけげせてねべめれ]方|仕方|しかた")

_ASKED = re.compile(
    r"^(.+?)(?:とは|(?:の| )(?:定義|意味|意義)|(?:は|って)(?:何|なに|なん)| (?:definition|meaning)\b)"
    rf"|\b(?:{_WHAT_IS}|(?:definition|meaning) of)\b(.+)"
)
_BEFORE_SUBJECT = re.compile(r"^.*(?:における|において|にいう|でいう|[、,:;。])|^(?:an?|the) ")
# A word before a name that makes it that of a kind; one that only begins a phrase makes none.
_KIND = re.compile(
    "(?<![a-z0-9])(?!(?:an?|the|this|that|these|those|each|every|all|any|some|such|one|our|your|its|their|and|or|but|nor"
    "|as|of|for|in|on|at|by|to|with|from|into|than|then|so|if|when|where|while|because|since|though|although"
    "|whether|also|here|thus|called|named) )[a-z][a-z0-9-]*[*'\"]{0,2} $"
)
_LONGEST_WORD = 40
_EDGES = " ?!。.()\"'*"
# What an item begins with, in brackets or not: 四の二, (3), イ, ①; and what stands between a name and what it means.
_ITEM = r"(?:[-*+] )?(?:\(?(?:[0-9]+|[一二三四五六七八九十百]+(?:の[一二三四五六七八九十]+)*|[ア-ン])[).]?[ 、])?"
_IN_BRACKETS = r"(?: ?\([^()\n]{1,60}\))?"
# A backtick is ' once normalised.
_MARK = r"(?:\*\*|__|')"
# Without the mark of a list before it, 'x': y is a line of a program.
_MARK_BEFORE = rf"(?:[-*+] {_MARK}{{1,2}}|(?:\*\*|__){_MARK}?)"
_SAYS = r"(?: ?: |\n{1,2} ?: | - )"
_SCRIPTS = ("a-z0-9", "\u4e00-\u9fff\u3400-\u4dbf々〆", "\u30a1-\u30fa\u30fc")


def infer_intent(question: str) -> Intent:
    """The intent of a normalised question; `unknown` if nothing in it says one."""
    return next((intent for intent, sign in _SIGNS if sign.search(question)), "unknown")


def defining_expression(question: str) -> re.Pattern[str] | None:
    """Finds "X とは", "「X」という", "をX と呼ぶ", "X is a", ... for the X that a normalised question is about;
    `None` without one. Also an item of a list of definitions, as statutes and glossaries have them: "三 X …をいう",
    "**X**: …", "- X: …"; and a row of a table of two columns, "| X | … |". What stands behind the name there is some
    words and not a value.

    X is the phrase before とは or after "what is", as a whole: a text that says what a word inside it means
    is no answer. A longer word that ends in X is another one.
    """
    subject = subject_of(question)
    if not subject:
        return None
    before = next((f"(?<![{script}])" for script in _SCRIPTS if re.match(f"[{script}]", subject)), "")
    if subject.isascii():
        # What signs join to it is a name of something else: a log-transport is no definition of transport.
        before += "(?<![a-z0-9][-_./@])"
    name = re.escape(subject)
    if subject.isascii() and subject[-1].isalpha():
        # One of them, or several: "what is a precursor" is answered by **Precursors**: …
        name = re.escape(subject.removesuffix("s")) + "s?"
    return re.compile(
        rf"{before}(?<!規定する){name}[)\"'*]*(?:とは|を(?:いう|指す)|という(?:[。)]|$)|,? (?:is|are|means) )"
        rf"|^ ?{_ITEM}{name}{_IN_BRACKETS} [^\n]{{1,2000}}をいう"
        rf"|[を、][(\"'*]{{0,3}}{name}[)\"'*]{{0,3}}と(?:いう|いいます|呼ぶ|呼びます|称する|総称する)"
        rf"|^ ?[-*+] {name}{_IN_BRACKETS} ?: ?(?=[^\n]{{0,80}}[^\n0-9]{{8}})"
        rf"|^ ?{_MARK_BEFORE}{name}{_IN_BRACKETS}{_MARK}{{1,2}}{_IN_BRACKETS}{_SAYS}"
        rf"|^ ?(?:[-*+] )?{name}{_IN_BRACKETS}\n{{1,2}} ?: "
        rf"|^ ?\| ?{_MARK}{{0,2}}{name}{_MARK}{{0,2}}{_IN_BRACKETS} ?\| ?(?=[^|\n]*[^|\n0-9]{{8}})[^|\n]+\| ?$",
        re.M,
    )


def telling_expression(question: str) -> re.Pattern[str] | None:
    """Finds "X は…です" or "…をX とする", a sentence that says what the X of a normalised question is, if perhaps
    not all of it.
    """
    subject = subject_of(question)
    if not subject or subject.isascii():
        return None
    return re.compile(
        rf"{re.escape(subject)}[)\"'*]*は[^。\n]{{2,200}}(?:です|である|とする|とします|だ)(?:。|$)"
        rf"|を[(\"'*]{{0,3}}{re.escape(subject)}[)\"'*]{{0,3}}と(?:する|します)(?:。|$)",
        re.M,
    )


def names_kind(text: str, start: int) -> bool:
    """Whether what a normalised text says from there on is said of a kind of it, as a word before shows: a dirty read,
    pool workers; not a read, the workers.
    """
    return _KIND.search(text, max(start - _LONGEST_WORD, 0), start) is not None


def subject_of(question: str) -> str:
    """What is to be defined; the whole question if nothing in it says that something is."""
    asked = _ASKED.search(question)
    phrase = next(filter(None, asked.groups()), "") if asked else question
    return _BEFORE_SUBJECT.sub("", phrase.strip(_EDGES)).strip(_EDGES)


def is_name_of(intent: Intent, term: str) -> bool:
    """Whether a normalised term only says what the intent says anyhow."""
    return term in _NAMES.get(intent, ()) or (intent == "procedure" and _IS_WAY.fullmatch(term) is not None)


def has_facet(intent: Intent, text: str) -> bool:
    """Whether a normalised text has what the intent asks for. Intents without such a mark: always."""
    facet = _FACETS.get(intent)
    return facet is None or facet.search(text) is not None


def expects_facet(intent: Intent) -> bool:
    """Whether texts are looked through for the intent."""
    return intent in _FACETS
