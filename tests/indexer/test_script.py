"""Which script a text is in, and that the index keeps it."""

import pytest

from morenashi.indexer.documents import parse_document
from morenashi.indexer.script import script_of_question, script_of_text


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("届出は三日以内に行う。", "japanese"),
        ("サーバーの設定は /etc/morenashi/config.toml に書き、systemctl restart で反映する。", "japanese"),
        ("layer (レイヤー) means one of the sheets that an image is made of, with a mode and an opacity.", "latin"),
        ("the quick brown fox", "latin"),
        ("1, 2, 3。", None),
        ("", None),
    ],
)
def test_a_text_is_japanese_if_a_tenth_of_its_letters_are(text: str, script: str | None) -> None:
    assert script_of_text(text) == script


def test_all_of_a_long_text_counts() -> None:
    beginning, end = "english words only. " * 5_000, "日本語の文。" * 5_000
    assert script_of_text(beginning) == "latin"
    assert script_of_text(beginning + end) == script_of_text(end + beginning) == "japanese"


@pytest.mark.parametrize(
    ("question", "script"), [("gimp の起動", "japanese"), ("gimp start", "latin"), ("42", None), ("", None)]
)
def test_a_question_is_japanese_if_anything_in_it_is(question: str, script: str | None) -> None:
    assert script_of_question(question) == script


def test_the_words_of_a_json_document_count_as_they_are_read() -> None:
    escaped = b'{"a": "\\u65e5\\u672c\\u8a9e\\u306e\\u6587"}'.replace(b"\\\\", b"\\")
    assert parse_document(escaped, "json", None).script == "japanese"


def test_a_document_in_full_width_letters_is_latin() -> None:
    assert parse_document("ＡＢＣ ＤＥＦ\n".encode(), "md", None).script == "latin"
