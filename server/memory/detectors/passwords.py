"""How passwords are written beside what calls them so: `password: ...`, パスワードは..., `login: admin / ...`."""

import re2

from .said_values import CELL, IS, JAPANESE_GOES_ON, LINE_BELOW, MARKUP, NAME_GOES_ON, NEXT_ARGUMENT, VALUE_BEGINS
from .secret_values import Form
from .strength import (
    can_be_password,
    is_no_name,
    is_password_and_no_path,
    is_strong_and_no_path,
    is_strong_password,
    is_word_with_digits,
)

_FOR = r"(?: (?:for|of|on|in)(?: [\w.@-]{1,30}){1,3})?"
_KATAKANA_NAMES = "パスワード|パスフレーズ|パスコード"
_JAPANESE_NAME = f"(?:{_KATAKANA_NAMES}|合言葉)"
_PASSWORD_NAME = (
    rf"(?i)(?:(?:pass ?word|passwd|passphrase|pass ?code|pwd|(?:\b|_)pw|\bpass){NAME_GOES_ON}"
    r"|(?-i:[A-Z0-9]_PASS|[a-z]Pw)"
    r"|\b(?:db|sql|smtp|mail|ftp|ssh|root|admin|user|login|auth|redis|ldap|proxy|sudo|ansible_become)_?pass"
    r"(?: ?\([^()\n]{1,16}\))?"
    rf"|{_JAPANESE_NAME}{JAPANESE_GOES_ON})"
)
_PASSWORD = re2.compile(rf"{_PASSWORD_NAME}{IS}{VALUE_BEGINS}")
_PASSWORD_AS_ARGUMENT = re2.compile(rf"{_PASSWORD_NAME}{NEXT_ARGUMENT}{VALUE_BEGINS}")
_PASSWORD_IN_CELL = re2.compile(rf"{_PASSWORD_NAME}{CELL}{VALUE_BEGINS}")
_PASSWORD_IN_MARKUP = re2.compile(rf"{_PASSWORD_NAME}{MARKUP}([!-;=?-~]{{6,200}})</")
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
# On the next line, as below a heading, a label, the beginning of a sentence, or パスワードは以下のとおりです。
_PASSWORD_BELOW = re2.compile(
    rf"(?im)(?:^[-#*> \t]{{0,8}}{_PASSWORD_WORD}[:* \t]{{0,4}}"
    rf"|{_PASSWORD_WORD}{_FOR}(?:(?: is| was)(?: now)?:?|は[、:]?|:)[* \t]{{0,4}}"
    rf"|パスワードは、?(?:以下|下記|次)[ぁ-ん一-龥、。:]{{0,12}})"
    rf"{LINE_BELOW}[「『]?([!-~]{{8,200}})[」』]?[ \t]?(?:です)?[。 \t]{{0,8}}\r?$"
)
# Below a heading of that word, or as a paragraph of these two lines: one line among others may be a list of fields.
_PASSWORD_WORD_BELOW = re2.compile(
    rf"(?i)(?:(?:\A|\n)#{{1,6}}[ \t]{{1,4}}{_PASSWORD_WORD}[:* \t]{{0,4}}\r?\n(?:[ \t]{{0,8}}\r?\n){{0,2}}"
    rf"|(?:\A|\n[ \t]{{0,8}}\r?\n)[* \t]{{0,8}}{_PASSWORD_WORD}[:* \t]{{0,4}}\r?\n(?:[-=]{{3,80}}[ \t]{{0,8}}\r?\n)?)"
    r"[-*>・•` \t]{0,8}([!-9;-~]{8,200})[` \t]{0,8}(?:\r?\n[ \t]{0,8}\r?\n|\s{0,20}\z)"
)
# さくら2024: in letters that no other form of a value has, and digits enough for no number of a step.
PASSWORD_IN_KANA = re2.compile(
    rf"{_JAPANESE_NAME}"
    r"(?:は、?|:|=)[ \t]?[「『]?([ぁ-んァ-ヶー]{2,12}[0-9]{3,8})"
    r"(?:[」』。、\s)]|です|だ|に(?:変|設|更|し|な|戻)|$)"
)
_PASSWORD_IN_BRACKETS = re2.compile(rf"{_PASSWORD_NAME}[ \t]?[(「『]([!-~]{{8,200}})[)」』]")
_PASSWORD_AFTER_BLANK = re2.compile(rf"(?:パスワード|\b(?i:pw))[ \t]{VALUE_BEGINS}")
_PAIR = re2.compile(
    rf"(?i)\b(?:id|user(?:name)?) ?[/・&] ?(?:pw|pass(?:word)?|パスワード){IS}[!-~]{{1,40}}[ \t]{{1,2}}/"
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
_PATH_OR_PASSWORD = re2.compile(rf"(?:パス|PASS){IS}{VALUE_BEGINS}")

PASSWORD_FORMS: tuple[Form, ...] = (
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
    (_LOGIN, is_strong_and_no_path),
    (_LOGIN_OF_ADMIN, is_word_with_digits),
)
