"""Passwords in commands and statements, where no name stands before them: mysql -p..., IDENTIFIED BY '...'."""

import re
from collections.abc import Iterator

import re2

from .said_values import VALUE_BEGINS
from .scanning import Span
from .secret_values import find_values
from .strength import can_be_key, can_be_password, is_strong_password

_USER = r"[A-Za-z0-9_.\\-]{1,40}"
_OPTION = re2.compile(
    r"(?:\b(?:mysql|mysqldump|mariadb|7za?|7zz)\b[^\n]{0,80}? -p|\bsshpass -p ?|--pass(?:word|phrase)?[ =]"
    r"|\b(?:docker|podman) login\b[^\n]{0,80}? -p |\b(?:un)?zip\b[^\n]{0,80}? -P "
    r"|\bmongo(?:sh|dump|restore|export|import)?\b[^\n]{0,80}? -p |\bredis-cli\b[^\n]{0,80}? -a "
    r"|\b(?:isql|sqlcmd|bcp)\b[^\n]{0,80}? -P |\bsmbclient\b[^\n]{0,80}? -U [\"']?[^\s%]{1,80}%"
    r"|\baz login\b[^\n]{0,120}? -p |\bldap[a-z]{3,8}\b[^\n]{0,120}? -w "
    rf"|\bhtpasswd (?:-[A-Za-z]{{1,8}} ){{0,4}}-[A-Za-z]{{0,6}}b[A-Za-z]{{0,6}} (?:[^\s]{{1,80}} )?{_USER} "
    r"|\bssh-keygen\b[^\n]{0,80}? -N |\b(?:sqlplus|impdp|expdp) [A-Za-z0-9_]{1,40}/"
    r"|-(?:store|key)pass[ =]|-pass(?:in|out)? pass:"
    rf"|(?: -u ?| --user[ =]|\bhttps? [^\n]{{0,80}}?-a )[\"']?{_USER}:"
    rf"|\bnet user {_USER} |\bnet use\b[^\n]{{0,80}}? /user:{_USER} )"
    rf"[\"']?{VALUE_BEGINS}"
)
_STATEMENT = re2.compile(rf"(?i)\b(?:IDENTIFIED (?:WITH \w{{1,40}} )?BY|WITH PASSWORD) [\"']{VALUE_BEGINS}")
# Lines of the settings of Redis, LDAP, routers, images and .netrc, which have a blank for a sign; what a code for a
# wireless network holds. Some of them read like sentences.
_SETTING = re2.compile(
    rf"(?:\b(?:requirepass|masterauth|(?:bind|root)pw|snmp-server community|login [^\s]{{1,80}} password"
    rf"|(?:ENV|ARG|setx?) [A-Z0-9_]{{0,40}}(?:PASSWORD|PASSWD|PWD|_PASS))[ \t]{{1,8}}|\bWIFI:[^\s]{{0,120}}?;P:)"
    rf"[\"']?{VALUE_BEGINS}"
)
_ROUTER = re2.compile(
    rf"\b(?:enable|username {_USER}(?: privilege [0-9]{{1,2}})?) (?:secret|password)(?: [0-9])? {VALUE_BEGINS}"
)
_BEFORE_USER = re2.compile(r"(?i)\bnet use\b[^\n]{0,80}? ([!-~]{4,64}) /u(?:ser)?:")
_ECHOED = re2.compile(
    r"\becho (?:-n )?[\"']?([!-~]{4,200}?)[\"']? ?\| ?"
    r"(?:sudo [^\n|]{0,20}?-[A-Za-z]{0,4}S\b|[^\n|]{1,80}? --password-stdin\b)"
)
# host:port:database:user:password, as .pgpass has it.
_ENTRY = re2.compile(r"(?:^|[\s\"'`(「])[\w.*-]{1,80}:(?:[0-9]{2,5}|\*):[\w.*-]{1,40}:[\w.*-]{1,40}:([^\s:]{8,200})")
_PIPED = re2.compile(rf"\b{_USER}:([!-~]{{4,200}}?)[\"']? ?\| ?(?:sudo )?chpasswd\b")
# auth=("user", "..."): as libraries for HTTP take it.
_PAIR = re2.compile(rf"(?i)\bauth ?[=:] ?[(\[][\"']{_USER}[\"'], ?[\"']{VALUE_BEGINS}")
_BEFORE_HOST = re2.compile(
    rf"(?:^|[\s\"'`(「:：=])(?:{_USER}):([^\s:/@\"'<>]{{8,200}})@"
    r"(?:(?:[A-Za-z0-9-]{1,60}\.){1,6}[A-Za-z0-9]{1,24}\b|tcp\()"
)
# mailto:Taro2Yamada@example.jp, 2014-08-22:<an id of a message>: nobody is called so.
_NO_USER = re.compile(
    r"\b(?:mailto|e-?mail|mail|address|from|to|b?cc|reply-?to|return-path|sender|recipient|contact|author|owner|user"
    r"|account|smtp|imap|sips?|xmpp|acct|[0-9][0-9.-]*):\Z",
    re.IGNORECASE,
)
_LONGEST_NO_USER = 16
_LOGIN = re2.compile(
    r"(?:\b(?:login|authtoken|add-authtoken)[ \t]|--(?:auth-?)?token[ =]|--api-?key[ =]"
    r"|--(?:client-)?secret(?:-(?:access-)?key)?[ =])"
    r"(?:--[a-z-]{1,20}[ =])?([!-~]{20,500})"
)


def find_in_commands(text: str) -> Iterator[Span]:
    """Values that a program or a server would take for a password or a token."""
    for pattern in (_OPTION, _SETTING, _BEFORE_USER, _STATEMENT, _ECHOED, _PAIR, _PIPED):
        yield from find_values(pattern, can_be_password, text)
    for pattern in (_ROUTER, _ENTRY):
        yield from find_values(pattern, is_strong_password, text)
    for start, end in find_values(_BEFORE_HOST, is_strong_password, text):
        if _NO_USER.search(text, max(start - _LONGEST_NO_USER, 0), start) is None:
            yield start, end
    yield from find_values(_LOGIN, can_be_key, text)
