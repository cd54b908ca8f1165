"""Texts made to stall a detector. They run in a process of their own that is ended when it takes as much processor
time as only more than linear work can need: at this size, linear work takes a hundredth of it."""

import pytest

from ...limited_work import RunWithin

CPU_SECONDS, CHARACTERS = 24, 40_000
_PROGRAM = f"""
import sys
from morenashi.server.memory.redaction import redact
for unit in sys.argv[1:]:
    text = (unit * ({CHARACTERS} // len(unit) + 1))[:{CHARACTERS}]
    redact(text)
"""
UNITS = {
    "digits": ["1-", "0-", "090-", "0 0 ", "(0", "+1 (", "1", "１－", "123-4567 ", "1234 ", "4111 1111 1111 1111 "],
    "signs": ["a@", "a@b.", "@", "(at)a.", "★", "〒1", "ー", "=", "/", "://a:"],
    "letters": [
        "a",
        "A1b",
        "sk-",
        "AKIA",
        "eyJa.",
        "xoxb-1-",
        "http://x/aA1aA1aA1aA1aA1aA1aA1aA1/",
        "あ",
        "\u200b",
        "𝐚",
        "a\u0332",
        "0\u00ad",
    ],
    "words": [
        "password=",
        "パスワードは",
        "token: ",
        "bearer ",
        "電話",
        "個人番号1234",
        "mysql -u x -p",
        "sha256-",
        "cookie: a=",
        "recovery codes: a1b2-c3d4 ",
        "mnemonic: legal winner ",
        "otp ",
        "user:aA1aA1aA1@a.",
        "net use /user:a ",
        "echo a:aA1aA1 |",
        "echo aA1aA1 | sudo ",
        "net use aA1aA1 ",
        "a:5432:b:c:aA1",
        "backup codes: 1234 5678 ",
        "username a secret ",
        "sk-xxxx",
        "login a/aA1#",
        "login ",
        "login: admin / ",
        "\n\npassword\n",
        "# password\naA1",
        "パスワードはさくら1",
        "recovery code 1",
        "暗証番号1-",
        "htpasswd -b a ",
        "123456-",
        "パスワードは先週から",
        "auth=('a', '",
        "name: password\n value: ",
        "password" + " " * 999,
        "|token" + "\t" * 999,
        "password: |\n  ",
        "aA1# as the ",
        "aA1aA1aA#がパ",
        "a?key=aA1-",
        " -u 'a:",
        "http -a ",
        "mailto:aA1aA1aA1@a.a ",
    ],
    "tables": [
        'password,"\n"a,',
        "phone;tel\n",
        "個人番号\t1\n",
        "|password",
        "|password\\|",
        "password|a\n",
        ",password\n",
        "<password>",
        "password to ",
        "cookie: a=",
    ],
    "lines": ["sk-" + "aA1" * 20 + "\n", "090-\n", "password\n", "sk-aA1aA1aA1aA1aA1aA1 "],
    "escapes": [
        "\\",
        "\\n",
        "\\u0031",
        "&#64;",
        "&",
        "%31",
        "%E9",
        "\x1b[",
        "\x1b[0",
        "—",
        "\r",
        "password=aB3#xK9,",
        'password="a,',
        "password=a(,\\\\",
    ],
    "blocks": ["-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN ", "-----BEGIN CERTIFICATE-----\n", "-----END "],
}


@pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)
def test_hostile_texts_are_done_in_linear_work(run_within: RunWithin, units: list[str]) -> None:
    run_within(CPU_SECONDS, _PROGRAM, *units)


@pytest.mark.parametrize("attributes", ["{name: values}", "{'name': name, 'value': values}"])
def test_what_a_long_name_calls_many_values_is_masked_in_linear_work(run_within: RunWithin, attributes: str) -> None:
    run_within(
        5,
        f"""
from morenashi.server.memory.masking import mask_words
from morenashi.server.memory.policy import parse_policy
policy = parse_policy("version: 1\\nboundary_classes: {{}}")
name, values = 8_000 * "key " + "password", 2_000 * ["none"] + ["S3cr3t!pw9"]
assert "S3cr3t!pw9" not in str(mask_words({attributes}, policy))
""",
    )
