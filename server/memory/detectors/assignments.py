"""Secrets that somebody calls so: `password: ...`, `API_KEY=...`, パスワードは..., `Authorization: Bearer ...`."""

import re
from collections.abc import Callable, Iterator

import re2

from .entropy import is_irregular
from .scanning import Span
from .strength import (
    can_be_bearer,
    can_be_key,
    can_be_password,
    has_sign_or_is_drawn,
    is_no_name,
    is_password_and_no_path,
    is_strong_and_no_path,
    is_strong_password,
    is_word_with_digits,
)
from .tokens import is_placeholder

# Of a value that ends its pattern, the pattern has the first characters alone, so that the next name may stand in the
# same run without blanks: {"password":"...","db_password":"..."}. The rest is read behind them.
_BEGIN_CHARS = 4
VALUE_BEGINS = f"([!-~]{{{_BEGIN_CHARS}}})"
# Quotes in a text that is quoted itself have strokes before them; in an address, = and : are %3D and %3A. Of any number
# are the blanks alone, with which people align what they write below each other: all of this is RE2.
_IS = (
    r"(?:[*_]{0,3}\\{0,3}[\"'`」』)]?\]?[ \t]*(?::=|=>|->|→|:|=|は、?|が、?| is |%3[AaDd]|value=)"
    r"[*_]{0,3}[ \t]*(?:\\{0,3}[\"'`「『(]|[bu]['\"])?"
    # Below, as YAML has texts of several lines.
    r"|[\"']?: {1,4}[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,40}"
    # The next field of an entry has the value: name: DB_PASSWORD, value: ...
    r"|[\"']?[:,]?\s{1,40}value: {1,4}[\"']?|[\"'],\s{0,20}[\"']value[\"']:\s{0,4}[\"'])"
)
_NEXT_ARGUMENT = r"[\"'], ?[\"']"
_CELL = r"[*`]{0,3}[ \t]*\|[ \t]*[*`\"']{0,3}"
_MARKUP = r"(?:</[A-Za-z0-9]{1,10}>\s{0,20}<[A-Za-z0-9]{1,10})?[^<>\n]{0,80}>"
_NAME_GOES_ON = r"s?[0-9]{0,2}(?:[-_][A-Za-z0-9]{1,12}){0,2}(?: ?\([^()\n]{1,16}\)| ?の[一-龥ァ-ヶ]{1,4})?"
_JAPANESE_GOES_ON = r"[ぁ-んァ-ヶ一-龥()]{0,8}?"
_KATAKANA_NAMES = "パスワード|パスフレーズ|パスコード"
_JAPANESE_NAME = f"(?:{_KATAKANA_NAMES}|合言葉)"
_PASSWORD_NAME = (
    rf"(?i)(?:(?:pass ?word|passwd|passphrase|pass ?code|pwd|(?:\b|_)pw|\bpass){_NAME_GOES_ON}"
    r"|(?-i:[A-Z0-9]_PASS|[a-z]Pw)"
    r"|\b(?:db|sql|smtp|mail|ftp|ssh|root|admin|user|login|auth|redis|ldap|proxy|sudo|ansible_become)_?pass"
    r"(?: ?\([^()\n]{1,16}\))?"
    rf"|{_JAPANESE_NAME}{_JAPANESE_GOES_ON})"
)
_PASSWORD = re2.compile(rf"{_PASSWORD_NAME}{_IS}{VALUE_BEGINS}")
_PASSWORD_AS_ARGUMENT = re2.compile(rf"{_PASSWORD_NAME}{_NEXT_ARGUMENT}{VALUE_BEGINS}")
_PASSWORD_IN_CELL = re2.compile(rf"{_PASSWORD_NAME}{_CELL}{VALUE_BEGINS}")
_PASSWORD_IN_MARKUP = re2.compile(rf"{_PASSWORD_NAME}{_MARKUP}([!-;=?-~]{{6,200}})</")
_FOR = r"(?: (?:for|of|on|in)(?: [\w.@-]{1,30}){1,3})?"
# Reset the password to X; a password is generated for Y: X; the password for Y was changed to X; パスワードをXに変更.
_PASSWORD_IN_ENGLISH = re2.compile(
    rf"(?i)(?:password|passwd|passphrase|passcode){_FOR}(?: (?:is|was|has been|will be)(?: now)?)?"
    rf"(?: (?:changed|updated|rotated) from| (?:set|changed|reset|updated|rotated|generated|created){_FOR})?(?: to)?"
    rf"[ \t:]{{1,2}}[\"'`(]?{VALUE_BEGINS}"
)
_PASSWORD_IN_JAPANESE = re2.compile(
    rf"(?:{_KATAKANA_NAMES})"
    r"(?:[を、]|[はが][ぁ-ん一-龥、]{0,12})[ \t]?[「『]?([!-~]{8,200})[ \t]?"
    r"[」』]?[ \t]?(?:[にへと](?:変|設|更|し|な|戻|リセット)|から)"
)
_PASSWORD_GIVEN = re2.compile(rf"{_JAPANESE_NAME}(?:として|に)は?、?[ \t]?[「『]?{VALUE_BEGINS}")
# X がパスワードです, Xをパスワードに設定, X as the password.
_PASSWORD_BEFORE = re2.compile(
    r"([!-~]{8,200}?)[」』\"'`)]{0,2}(?:[ \t]?(?:が|を)、?[ぁ-ん一-龥]{0,6}?"
    rf"(?:{_KATAKANA_NAMES})"
    r"(?:です|だ|に|と|。|$)| as (?:[a-z]{1,8} ){0,2}(?:password|passphrase|passcode)\b)"
)
_PASSWORD_WORD = r"(?:初期|仮|ログイン)?(?:パスワード|password|passwd|pw)"
# Behind blank lines or the dashes that make a heading.
_LINE_BELOW = r"\r?\n(?:[ \t]{0,8}(?:[-=]{3,80}[ \t]{0,8})?\r?\n){0,2}[-*>・•` \t]{0,8}"
# On the next line, as below a heading, a label, the beginning of a sentence, or パスワードは以下のとおりです。
_PASSWORD_BELOW = re2.compile(
    rf"(?im)(?:^[-#*> \t]{{0,8}}{_PASSWORD_WORD}[:* \t]{{0,4}}"
    rf"|{_PASSWORD_WORD}{_FOR}(?:(?: is| was)(?: now)?:?|は[、:]?|:)[* \t]{{0,4}}"
    rf"|パスワードは、?(?:以下|下記|次)[ぁ-ん一-龥、。:]{{0,12}})"
    rf"{_LINE_BELOW}[「『]?([!-~]{{8,200}})[」』]?[ \t]?(?:です)?[。 \t]{{0,8}}\r?$"
)
# Below a heading of that word, or as a paragraph of these two lines: one line among others may be a list of fields.
_PASSWORD_WORD_BELOW = re2.compile(
    rf"(?i)(?:(?:\A|\n)#{{1,6}}[ \t]{{1,4}}{_PASSWORD_WORD}[:* \t]{{0,4}}\r?\n(?:[ \t]{{0,8}}\r?\n){{0,2}}"
    rf"|(?:\A|\n[ \t]{{0,8}}\r?\n)[* \t]{{0,8}}{_PASSWORD_WORD}[:* \t]{{0,4}}\r?\n(?:[-=]{{3,80}}[ \t]{{0,8}}\r?\n)?)"
    r"[-*>・•` \t]{0,8}([!-9;-~]{8,200})[` \t]{0,8}(?:\r?\n[ \t]{0,8}\r?\n|\s{0,20}\z)"
)
# さくら2024: in letters that no other form of a value has, and digits enough for no number of a step.
_PASSWORD_IN_KANA = re2.compile(
    rf"{_JAPANESE_NAME}"
    r"(?:は、?|:|=)[ \t]?[「『]?([ぁ-んァ-ヶー]{2,12}[0-9]{3,8})"
    r"(?:[」』。、\s)]|です|だ|に(?:変|設|更|し|な|戻)|$)"
)
_PASSWORD_IN_BRACKETS = re2.compile(rf"{_PASSWORD_NAME}[ \t]?[(「『]([!-~]{{8,200}})[)」』]")
_PASSWORD_AFTER_BLANK = re2.compile(rf"(?:パスワード|\b(?i:pw))[ \t]{VALUE_BEGINS}")
_PAIR = re2.compile(
    rf"(?i)\b(?:id|user(?:name)?) ?[/・&] ?(?:pw|pass(?:word)?|パスワード){_IS}[!-~]{{1,40}}[ \t]{{1,2}}/"
    rf"[ \t]{{1,2}}{VALUE_BEGINS}"
)
# Log in with admin / X; ログインは admin/X; credentials are ken:X.
_LOGIN = re2.compile(
    r"(?i)(?:\b(?:log(?:ged)? ?in|sign(?:ed)? ?in|credentials?|creds|account)\b"
    r"|ログイン|サインイン|認証情報|アカウント)"
    rf"[^\n]{{0,24}}?[^!-9;-~][A-Za-z0-9_.@\\-]{{1,60}} ?[:/] ?{VALUE_BEGINS}"
)
# Of a user whom every system has, no more than a word with digits is taken for a password.
_LOGIN_OF_ADMIN = re2.compile(
    r"(?i)(?:\b(?:log ?in|sign ?in|credentials?|account)|ログイン(?:情報)?|サインイン|認証情報|アカウント)"
    r"[ \t]?(?::|=|は|→)[ \t]?"
    r"(?:admin(?:istrator)?|root|user|guest|test|demo|operator|manager|sa|postgres|oracle|ubuntu|pi)[0-9]{0,3}"
    rf"[ \t]{{1,2}}/[ \t]{{1,2}}{VALUE_BEGINS}"
)
_SECRET_GIVEN = re2.compile(rf"シークレット(?:キー)?(?:として|に)は?、?[ \t]?[「『]?{VALUE_BEGINS}")
_PATH_OR_PASSWORD = re2.compile(rf"(?:パス|PASS){_IS}{VALUE_BEGINS}")
# Of numbers that open something, or say that somebody has the telephone.
_PIN_NAME = (
    r"(?:暗証番号|\bpin(?: ?code| ?コード)?|pin番号|ピンコード"
    r"|(?:認証|確認|ワンタイム|解錠|開錠)コード|(?:解錠|開錠)番号"
    r"|(?:ドア|ゲート|金庫|キーボックス|宅配ボックス|オートロック)の?(?:コード|番号|解除番号)"
    r"|\b(?:verification|one[- ]time|door|gate|alarm|keypad) (?:pass)?code)"
)
_PIN = re2.compile(
    r"(?i)(?:(?:暗証番号|(?:解錠|開錠)(?:コード|番号)|\bpin ?コード"
    r"|(?:ドア|ゲート|金庫|キーボックス|宅配ボックス|オートロック)の?(?:コード|解除番号))を?[ \t]?[(「『]?"
    rf"|\b(?:door|gate|keypad) code[ \t]|{_PIN_NAME}(?:{_IS}|{_CELL}))"
    r"([0-9]{4,8}|[0-9](?:-[0-9]){3,7})(?:[^0-9A-Za-z.\-年月桁字]|\.(?:[^0-9]|$)|$)"
)
_PIN_CHANGED_TO = re.compile(r"[」』]?[ \t]?(?:から|→|->)[ \t]?[「『]?([0-9]{4,8})(?![0-9A-Za-z.年月桁字-])")
_KEY_NAME = (
    r"(?i)(?:(?:(?:api|license|subscription|instrumentation|master|admin|account|storage|app(?:lication)?"
    r"|(?:pre-?)?shared|private|encryption|signing|hmac|product|serial)[-_. ]?key|[?&]key"
    r"|access[-_ ]?(?:key|token)|api[-_ ]?secret|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|auth[-_ ]?token"
    r"|client[-_ ]?secret|token|credentials?|(?:\b|_)(?:psk|pat))"
    rf"{_NAME_GOES_ON}"
    r"|(?:api ?キー|api鍵|秘密鍵|暗号鍵|シークレット(?:キー)?"
    r"|(?:アクセス|共有|暗号化|ライセンス|プロダクト|シリアル|認証)キー|トークン|鍵)"
    rf"{_JAPANESE_GOES_ON})"
)
_KEY = re2.compile(rf"{_KEY_NAME}(?:{_IS}|{_MARKUP}){VALUE_BEGINS}")
_KEY_AS_ARGUMENT = re2.compile(rf"{_KEY_NAME}{_NEXT_ARGUMENT}{VALUE_BEGINS}")
_KEY_BELOW = re2.compile(
    rf"(?m)^[-#*> \t]{{0,8}}{_KEY_NAME}[:* \t]{{0,4}}{_LINE_BELOW}([!-~]{{12,500}}?)`?[ \t]{{0,8}}\r?$"
)
_KEY_IN_CELL = re2.compile(rf"\|[ \t*`]{{0,5}}{_KEY_NAME}{_CELL}{VALUE_BEGINS}")
_KEY_IN_BRACKETS = re2.compile(rf"{_KEY_NAME}[ \t]?[「『]([!-~]{{12,500}})[」』]")
_KEY_AFTER_BLANK = re2.compile(rf"{_KEY_NAME}[ \t]([!-<>-~]{{32,500}}={{0,2}})")
_HEADER = re2.compile(r"(?i)\b(?:bearer|basic|authorization: ?(?:token|apikey)) ([A-Za-z0-9+/._~-]{12,}={0,2})")
_AUTH = re2.compile(r"\"auth\"[ \t]{0,4}:[ \t]{0,4}\"([A-Za-z0-9+/]{12,}={0,2})\"")
_SESSION = re2.compile(
    rf"\b(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{{0,8}}|ASP\.NET_SessionId|connect\.sid)={VALUE_BEGINS}"
)
_COOKIES = re2.compile(r"(?i)\b(?:set-)?cookie[\"']?: ?([^\n]+)")
_COOKIE = re.compile(r"[\w-]=[\"']?([^\s;,\"']{12,})")
_LONGEST_RUN = 500
_MOST_NAMES, _LONGEST_NAME = 3, 200
_CHANGED_TO = re.compile(
    rf"[」』\"'`)]{{0,2}}[ \t]{{0,2}}(?:から|→|-{{1,2}}>|=>|(?<= )to )[ \t]{{0,2}}[「『\"'`(]{{0,2}}{VALUE_BEGINS}"
)
_RUN = re.compile("[!-~]+")
_VALUE = re.compile(r"(?:[^\s\"'`,;&<>()\[\]{}|\\]|&(?![A-Za-z_]\w*=))+")
# A stroke stands before what it takes as it is, here no line break or the like. Unquoted, what has a name ends it.
_QUOTED = {quote: re.compile(rf"((?:[^\\{quote}]|\\[^nrtu])+){quote}") for quote in "\"'`"}
_UNQUOTED = re.compile(r"(?:[^\\\"'`=:]|\\[^nrtux\"'`\\])+\Z")
_ENDS = ".,;:!?)]}>*_"
_EXPRESSION = re.compile(
    r"[A-Za-z_][\w.]*(?:[({]|\[(?!\^)|::|->)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|https?://|/|\.{1,2}/|--"
    r"|(?i:sha[0-9]{1,3}|md5|bcrypt|argon2\w*)[:-]|\$2[aby]\$|!(?:vault|secret|env|include|Ref|Sub|GetAtt|ImportValue)\b"
)
# What secrets are kept in or made with: パスワードは1Passwordで管理する.
_KEPT_THERE = re.compile(
    r" ?(?:で(?:管理|保管|生成|暗号化|ハッシュ)|に(?:保管|保存|格納|ある|あり|置)|から(?:取|読|得)|を参照)"
)
_KEEPER = "1password"
# password_hash_iterations=600000
_COUNTED = re.compile(
    r"(?:iterations?|rounds|timeout|ttl|age|length|days|seconds|count|cost|id)[\"']?[ \t:=>]*$", re.IGNORECASE
)


def find_assigned_secrets(text: str) -> Iterator[Span]:
    """Values that are called passwords, keys or tokens and can be such."""
    for pattern, can_be in _FORMS:
        yield from find_values(pattern, can_be, text)
    for match in _PIN.finditer(text):
        yield match.span(1)
        if after := _PIN_CHANGED_TO.match(text, match.end(1)):
            yield after.span(1)
    yield from (match.span(1) for match in _PASSWORD_IN_KANA.finditer(text))
    for header in _COOKIES.finditer(text):
        yield from (cookie.span(1) for cookie in _COOKIE.finditer(text, *header.span(1)) if can_be_key(cookie[1]))


def find_values(pattern: "re2._Regexp", can_be: Callable[[str], bool], text: str) -> Iterator[Span]:
    """Where a pattern finds a value (group 1) that can be a secret: no expression, no placeholder."""
    end = 0
    for match in pattern.finditer(text):
        for named, start, said in _named(pattern, match, text):
            # What the first of them reaches into is masked, and was looked at: a text of names alone is no square.
            if start < end:
                break
            if found := _end_of_secret(can_be, text, named, start, _run_of(said, start, text)):
                end = found
                yield start, end
                if after := _changed_to(can_be, text, end):
                    end = after[1]
                    yield after
                break


def _named(pattern: "re2._Regexp", match: "re2._Match", text: str) -> Iterator[tuple[int, int, str]]:
    """Where a name and its value begin, and the value as far as the pattern has it. And the same of what is a name
    itself, and was lost as the value of that one: credentials: {token: ...}.
    """
    named, start, said = match.start(), match.start(1), match[1]
    yield named, start, said
    for _ in range(_MOST_NAMES):
        inner = pattern.search(text[start : start + _LONGEST_NAME]) if len(said) == _BEGIN_CHARS else None
        if inner is None or inner.start() >= _BEGIN_CHARS:
            return
        named, start, said = start + inner.start(), start + inner.start(1), inner[1]
        yield named, start, said


def _end_of_secret(can_be: Callable[[str], bool], text: str, named: int, start: int, run: str) -> int | None:
    """Where a value ends that begins here and can be a secret."""
    value = _VALUE.match(run)
    if value is None or _is_expression(run, text[start + len(run) : start + len(run) + 1]) or is_placeholder(run):
        return None
    if value[0].lower() == _KEEPER:
        return None
    if value[0].isdigit() and _COUNTED.search(text, named, start):
        return None
    if _KEPT_THERE.match(text, start + len(value[0])) and not has_sign_or_is_drawn(value[0]):
        return None
    drawn = _drawn_password(run, text[start - 1]) if can_be in _PASSWORDS else ""
    if len(drawn) > len(value[0]):
        return start + len(drawn)
    # Without the marks around what Markdown emphasises, and the end of a sentence.
    if can_be(value[0].lstrip("*_").rstrip(".:!?*_")):
        return start + len(value[0]) if len(value[0]) < _LONGEST_RUN else _end_of_value(text, start)
    return None


def _changed_to(can_be: Callable[[str], bool], text: str, end: int) -> Span | None:
    """The value that came in the place of a secret which ends here: パスワードを X から Y に, password: X -> Y."""
    match = _CHANGED_TO.match(text, end)
    if match is None:
        return None
    start = match.start(1)
    is_one = can_be_key if can_be is can_be_key else is_word_with_digits
    after = _end_of_secret(is_one, text, start, start, _run_of(match[1], start, text))
    return (start, after) if after else None


def _run_of(said: str, start: int, text: str) -> str:
    """What stands there without a blank, as far as the pattern has it or, of `VALUE_BEGINS`, as far as it goes."""
    whole = _RUN.match(text, start, start + _LONGEST_RUN)
    return whole[0] if whole and len(said) == _BEGIN_CHARS else said


def _drawn_password(run: str, before: str) -> str:
    """A password with brackets, commas and the like in it, which else end a value: to its quote, or as far as no blank
    comes, if no name has another value there. Only as irregular as those drawn by lot are, and no pattern.
    """
    if before in _QUOTED:
        match = _QUOTED[before].match(run)
        whole = match[1] if match else ""
    else:
        match = _UNQUOTED.match(run)
        whole = match[0].rstrip(_ENDS) if match else ""
    return whole if is_strong_password(whole) and is_irregular(whole) and whole[0] != "^" else ""


def _end_of_value(text: str, start: int) -> int:
    value = _VALUE.match(text, start)
    return value.end() if value else start


def _is_expression(run: str, behind: str) -> bool:
    """Whether a program would say that, and not a person: who adds something in brackets does not call a function."""
    match = _EXPRESSION.match(run)
    return match is not None and not (match[0].endswith("(") and match.end() == len(run) and behind > "\x7f")


_PASSWORDS = (can_be_password, is_strong_password)
_FORMS: tuple[tuple["re2._Regexp", Callable[[str], bool]], ...] = (
    (_PASSWORD, can_be_password),
    (_PASSWORD_AS_ARGUMENT, is_strong_password),
    (_PASSWORD_IN_CELL, is_strong_password),
    (_PASSWORD_IN_MARKUP, can_be_password),
    (_PASSWORD_IN_ENGLISH, is_strong_password),
    (_PASSWORD_IN_JAPANESE, is_strong_password),
    (_PASSWORD_GIVEN, is_no_name),
    (_PASSWORD_BEFORE, is_no_name),
    (_PASSWORD_BELOW, is_strong_password),
    (_PASSWORD_WORD_BELOW, is_word_with_digits),
    (_PASSWORD_IN_BRACKETS, is_strong_password),
    (_PASSWORD_AFTER_BLANK, is_strong_password),
    (_PAIR, can_be_password),
    (_PATH_OR_PASSWORD, is_password_and_no_path),
    (_KEY, can_be_key),
    (_KEY_AS_ARGUMENT, can_be_key),
    (_KEY_BELOW, can_be_key),
    (_KEY_IN_CELL, can_be_key),
    (_KEY_IN_BRACKETS, can_be_key),
    (_KEY_AFTER_BLANK, can_be_key),
    (_SESSION, can_be_key),
    (_SECRET_GIVEN, is_no_name),
    (_LOGIN, is_strong_and_no_path),
    (_LOGIN_OF_ADMIN, is_word_with_digits),
    (_HEADER, can_be_bearer),
    (_AUTH, can_be_bearer),
)
