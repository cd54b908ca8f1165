"""How keys and tokens are written beside what calls them so: `API_KEY=...`, トークンは..., `Authorization: Bearer`."""

import re2

from .said_values import CELL, IS, JAPANESE_GOES_ON, LINE_BELOW, MARKUP, NAME_GOES_ON, NEXT_ARGUMENT, VALUE_BEGINS
from .secret_values import Form
from .strength import can_be_bearer, can_be_key, is_no_name

_KEY_NAME = (
    r"(?i)(?:(?:(?:api|license|subscription|instrumentation|master|admin|account|storage|app(?:lication)?"
    r"|(?:pre-?)?shared|private|encryption|signing|hmac|product|serial)[-_. ]?key|[?&]key"
    r"|access[-_ ]?(?:key|token)|api[-_ ]?secret|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|auth[-_ ]?token"
    r"|client[-_ ]?secret|token|credentials?|(?:\b|_)(?:psk|pat))"
    rf"{NAME_GOES_ON}"
    r"|(?:api ?キー|api鍵|秘密鍵|暗号鍵|シークレット(?:キー)?"
    r"|(?:アクセス|共有|暗号化|ライセンス|プロダクト|シリアル|認証)キー|トークン|鍵)"
    rf"{JAPANESE_GOES_ON})"
)
_KEY = re2.compile(rf"{_KEY_NAME}(?:{IS}|{MARKUP}){VALUE_BEGINS}")
_KEY_AS_ARGUMENT = re2.compile(rf"{_KEY_NAME}{NEXT_ARGUMENT}{VALUE_BEGINS}")
_KEY_BELOW = re2.compile(
    rf"(?m)^[-#*> \t]{{0,8}}{_KEY_NAME}[:* \t]{{0,4}}{LINE_BELOW}([!-~]{{12,500}}?)`?[ \t]{{0,8}}\r?$"
)
_KEY_IN_CELL = re2.compile(rf"\|[ \t*`]{{0,5}}{_KEY_NAME}{CELL}{VALUE_BEGINS}")
_KEY_IN_BRACKETS = re2.compile(rf"{_KEY_NAME}[ \t]?[「『]([!-~]{{12,500}})[」』]")
_KEY_AFTER_BLANK = re2.compile(rf"{_KEY_NAME}[ \t]([!-<>-~]{{32,500}}={{0,2}})")
_HEADER = re2.compile(r"(?i)\b(?:bearer|basic|authorization: ?(?:token|apikey)) ([A-Za-z0-9+/._~-]{12,}={0,2})")
_AUTH = re2.compile(r"\"auth\"[ \t]{0,4}:[ \t]{0,4}\"([A-Za-z0-9+/]{12,}={0,2})\"")
_SESSION = re2.compile(
    rf"\b(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{{0,8}}|ASP\.NET_SessionId|connect\.sid)={VALUE_BEGINS}"
)
_SECRET_GIVEN = re2.compile(rf"シークレット(?:キー)?(?:として|に)は?、?[ \t]?[「『]?{VALUE_BEGINS}")

KEY_FORMS: tuple[Form, ...] = (
    (_KEY, can_be_key),
    (_KEY_AS_ARGUMENT, can_be_key),
    (_KEY_BELOW, can_be_key),
    (_KEY_IN_CELL, can_be_key),
    (_KEY_IN_BRACKETS, can_be_key),
    (_KEY_AFTER_BLANK, can_be_key),
    (_SESSION, can_be_key),
    (_SECRET_GIVEN, is_no_name),
    (_HEADER, can_be_bearer),
    (_AUTH, can_be_bearer),
)
