"""Whether a value that is called a password or a key can be one: no word, no name in a program, no date. Pure."""

import re

from .entropy import has_all_kinds, is_irregular

_DIGIT, _LETTER, _SIGN = re.compile("[0-9]"), re.compile("[A-Za-z]"), re.compile(r"[!#$%&*+=?@^~]")
# A UUID, a digest's worth of hexadecimal digits, 32 or 64 bytes in base 64, what joins a cluster, the key of a product.
_KEY_SHAPE = re.compile(
    r"[A-Za-z0-9+/_-]{43}=$|[A-Za-z0-9+/]{86}==$|[a-z0-9]{6}\.[a-z0-9]{16}$"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|[0-9a-f]{32,}$|[0-9A-F]{32,}$"
    r"|(?=[A-Z-]*[0-9])(?=[0-9-]*[A-Z])[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,6}$"
)
_PARTS = re.compile(r"[A-Za-z0-9+/]{12,}")
_LETTER_DIGIT = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_LEAST_CHANGES, _LEAST_KEY = 4, 12
# So long a string that is called a key has to look less drawn by lot than one that is called nothing;
# not with a dot, as names in programs have it: ed25519.Ed25519PrivateKey.
_LONG_KEY, _LAXER = 20, (0.75, 0.3)
_LOWER, _UPPER_OR_SIGN = re.compile("[a-z]"), re.compile(r"[A-Z!#$%&*+=?@^~_-]")
_ALGORITHM = re.compile(
    r"(?:hmac|pbkdf2|scrypt|bcrypt|argon2|oauth|base|(?:sha|md|aes|rsa|utf)[-_]?)[0-9_$-]", re.IGNORECASE
)
_DATE = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}")


def has_sign_or_is_drawn(value: str) -> bool:
    """No name with a number in it, such as Argon2id."""
    return _SIGN.search(value) is not None or _is_drawn(value)


def can_be_password(value: str) -> bool:
    """Whether a value that is called a password is no mere word."""
    if len(value) < 6 or _DATE.match(value):
        return False
    kinds = sum(kind.search(value) is not None for kind in (_DIGIT, _LETTER, _SIGN))
    return kinds > 1 or value.isdigit() or _is_drawn(value)


def is_no_name(value: str) -> bool:
    """Whether a value that stands beside the word can be a password, and no name of a thing."""
    return is_strong_password(value) and has_sign_or_is_drawn(value)


def is_strong_and_no_path(value: str) -> bool:
    """Whether a value behind a name and a stroke can be its password: admin/..."""
    return is_strong_password(value) and is_password_and_no_path(value)


def is_password_and_no_path(value: str) -> bool:
    """Whether a value that is called パス can be a password: the word is short for path, too."""
    return can_be_password(value) and _SIGN.search(value) is not None and "/" not in value


def is_strong_password(value: str) -> bool:
    """What nobody would take for the next word of a sentence."""
    kinds = (_LOWER, _DIGIT, _UPPER_OR_SIGN)
    is_strong = len(value) >= 8 and all(kind.search(value) for kind in kinds)
    # Of passwords drawn by lot one in nine has no digit.
    is_strong = is_strong or (_SIGN.search(value) is not None and _is_drawn(value))
    return is_strong and _ALGORITHM.match(value) is None and can_be_password(value)


def is_word_with_digits(value: str) -> bool:
    """What people make up, like kirakira2024: for where hardly anything but a password stands."""
    is_mixed = _LETTER.search(value) is not None and _DIGIT.search(value) is not None
    return len(value) >= 8 and is_mixed and _ALGORITHM.match(value) is None and can_be_password(value)


def can_be_key(value: str) -> bool:
    """A string drawn by lot, in whatever alphabet: it is called a key here."""
    if len(value) < _LEAST_KEY:
        return False
    if has_all_kinds(value):
        is_drawn = is_irregular(value, *(_LAXER if len(value) >= _LONG_KEY and "." not in value else ()))
    else:
        # Of 20 letters and digits drawn by lot one in thirty has no digit.
        is_drawn = len(value) >= _LONG_KEY and is_irregular(value)
    return is_drawn or _KEY_SHAPE.match(value) is not None or any(map(_is_mixed, _PARTS.findall(value)))


def can_be_bearer(value: str) -> bool:
    """Whether a value behind Bearer or Basic can be a credential."""
    return any((_DIGIT.search(part) and _LETTER.search(part)) or _is_drawn(part) for part in _PARTS.findall(value))


def _is_drawn(value: str) -> bool:
    """Letters alone, in cases that change as in no name."""
    return len(value) >= _LEAST_KEY and is_irregular(value)


def _is_mixed(part: str) -> bool:
    """Letters and digits that change more often than in the names that people make up."""
    return len(_LETTER_DIGIT.findall(part)) >= _LEAST_CHANGES
