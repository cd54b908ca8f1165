"""A user's dictionary in any encoding, and with lines that are broken."""

import pytest

from morenashi.indexer.dictionary_files import DictionaryFile, decode_dictionary

TEXT = "# 旅費の言い方\n旅費, 出張費\n路銀, 旅金\nサーバ, server\n漏洩, 漏えい\n"
LINES = TEXT.split("\n")
BROKEN = b"\x81\xff\xfe, \xa0"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp", "iso2022_jp"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_a_dictionary_is_read_in_the_encodings_of_documents(codec: str, line_break: str) -> None:
    file = decode_dictionary(TEXT.replace("\n", line_break).encode(codec))
    assert (file.text, file.unreadable) == (TEXT, ())
    assert (file.remarks == []) == codec.startswith("utf-8")


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp932", "euc_jp"])
def test_a_broken_line_takes_nothing_from_the_others(codec: str) -> None:
    lines = TEXT.encode(codec).split(b"\n")
    file = decode_dictionary(b"\n".join([*lines[:2], BROKEN, *lines[3:]]))
    assert file.text == "\n".join([*LINES[:2], "", *LINES[3:]])
    assert file.unreadable == (3,)
    assert file.remarks[-1] == "what cannot be read is passed over: line 3"


@pytest.mark.parametrize("codec", ["cp932", "euc_jp"])
def test_a_line_that_another_editor_has_added_makes_no_signs_of_the_others(codec: str) -> None:
    """As CP932 all of UTF-8 may be read, and says nothing."""
    file = decode_dictionary(TEXT.encode() + "届出, 届け出\n".encode(codec))
    assert file == DictionaryFile(TEXT + "\n", "utf-8", (len(LINES),))


def test_a_half_of_a_character_at_the_end_is_one_broken_line() -> None:
    assert decode_dictionary(TEXT.encode()[:-2]).unreadable == (5,)
    assert decode_dictionary(TEXT.encode("utf-16") + b"\x30").unreadable == (6,)


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\x00\x00\xff\xfe", "旅費, 路銀\n".encode("utf-32"), b"\xff\xff", b"\xff\xfe\xff"]
)
def test_what_is_no_text_says_nothing(data: bytes) -> None:
    file = decode_dictionary(data)
    assert file.text.strip() == ""
    assert file.unreadable


def test_of_many_broken_lines_the_first_are_named() -> None:
    file = decode_dictionary(TEXT.encode() + b"\xff\n" * 12)
    assert file.remarks == ["what cannot be read is passed over: line 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 2 more"]
