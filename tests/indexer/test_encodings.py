"""Bytes to text: the right one, or none."""

import codecs
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.encodings import (
    Decoded,
    FileEncoding,
    UndecodableError,
    decode,
    decode_blocks,
    find_encoding,
    new_decoder,
)
from morenashi.indexer.text import unify_line_breaks

from ..workspaces import require_devset

LAW = """# 旅費規程

## 第一条（目的）

この規程は、役員及び社員が社命により出張する場合の旅費について定めるものとする。
ただし、国外の出張については、別に定めるところによる。

## 第二条（宿泊料）

宿泊料は、一泊につき一万円を限度として、その実費を支給する。
"""
GUIDE = """# リクエスト

```php
$request = Yii::$app->request;
$get = $request->get(); // $_GET と等価
$id = $request->get('id', 1);
```

| プロパティ | 値 |
| --- | --- |
| [[yii\\web\\Request::url|url]] | `/admin/index.php/product?id=100` |
| [[yii\\web\\Request::hostInfo|hostInfo]] | `https://example.com` |

<div class="options"><h4>悪い例</h4></div>

```vue-html
<input
  type="text"
  :style="{width:sidebarWidth+'px'}">
```
"""
LEGACY = ["cp932", "euc_jp", "iso2022_jp"]


def test_utf_8_is_read() -> None:
    assert decode(LAW.encode()) == Decoded(LAW, "utf-8")


def test_an_empty_file_is_an_empty_text() -> None:
    assert decode(b"").text == ""


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_a_byte_order_mark_says_the_encoding_and_is_gone(mark: bytes, encoding: str) -> None:
    assert decode(mark + LAW.encode(encoding)).text == LAW


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_latin_utf_16_needs_no_mark(encoding: str) -> None:
    text = "# Setup\n\nInstall the server – twice.\n"
    assert decode(text.encode(encoding)) == Decoded(text, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [LAW, GUIDE, "# 第一条\n"], ids=["law", "guide", "short"])
def test_japanese_utf_16_without_a_mark_is_read_rightly_or_refused(text: str, encoding: str) -> None:
    assert _decode_or_none(text.encode(encoding)) in (text, None)


@pytest.mark.parametrize(
    "data",
    [
        LAW.encode("utf-32"),
        "a guide to expenses\n".encode("utf-32-le"),
        "a guide to expenses\n".encode("utf-32-be"),
        "a guide to expenses\n".encode("utf-16-le") + b"\n",
        "a guide\x02 to expenses\n".encode("utf-16-be"),
    ],
    ids=[
        "utf-32 with a mark",
        "utf-32-le",
        "utf-32-be",
        "utf-16 and half a character",
        "utf-16 with a control character",
    ],
)
def test_letters_that_nul_sets_apart_are_refused_and_no_text_of_single_letters(data: bytes) -> None:
    with pytest.raises(UndecodableError):
        decode(data)
    with pytest.raises(UndecodableError):
        find_encoding(lambda: [data])


@pytest.mark.parametrize("text", ["cut off by a power failure" + "\0" * 5_000, "one\0NUL in between", "\0\0"])
def test_a_text_that_has_nul_somewhere_is_a_text(text: str) -> None:
    assert decode(text.encode()).text == text
    assert find_encoding(lambda: [text.encode()]) == FileEncoding("utf-8")


def test_utf_16_with_half_a_character_is_refused() -> None:
    with pytest.raises(UndecodableError):
        decode(codecs.BOM_UTF16_LE + "総則".encode("utf-16-le") + b"\x00")


@pytest.mark.parametrize("encoding", LEGACY)
@pytest.mark.parametrize("text", [LAW, LAW.replace("\n", "\r\n"), GUIDE], ids=["law", "crlf", "guide"])
def test_a_legacy_encoding_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", LEGACY)
def test_a_short_legacy_file_is_recognised(encoding: str) -> None:
    text = "# 第三章　雑則\n\n附則\n"
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", LEGACY[:2])
@pytest.mark.parametrize("shift", ["", "x"])
def test_a_long_legacy_file_is_recognised_wherever_its_characters_fall(shift: str, encoding: str) -> None:
    text = shift + "この規程は旅費について定める" * 5_000
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("text", ["端末は \x1b$B を送る。\n", "cost: \x1b$ 5\n"], ids=["japanese", "ascii"])
def test_an_escape_character_in_utf_8_is_no_other_encoding(text: str) -> None:
    assert decode(text.encode()).text == text


NEC = "# 旅費規程\n\n第Ⅲ章　①宿泊料は㈱髙島屋及び山﨑商店の№１による。\n"
# The same in EUC-JP as Windows writes it, by hand: two rows of JIS X 0208 are one of CP932.
NEC_IN_EUC = bytes.fromhex(
    "2320 ceb9c8f1b5acc4f8 0a0a c2e8adb7becf a1a1 ada1bdc9c7f1cec1a4cf adea fce2 c5e7b2b0b5daa4d3bbb3 f9f5"
    "bea6c5b9a4ce ade2 a3b1 a4cba4e8a4eba1a3 0a"
)


def test_what_nec_and_ibm_added_is_read_in_euc_jp() -> None:
    assert decode(NEC_IN_EUC) == Decoded(NEC, "euc_jp")


def test_what_nec_and_ibm_added_is_read_in_iso_2022_jp() -> None:
    data = b'# \x1b$B%^%K%e%"%k\x2d\x21\x2d\x6a\x1b(B no. 1\n'
    assert decode(data) == Decoded("# マニュアル①㈱ no. 1\n", "iso2022_jp")


def test_no_other_place_outside_the_standard_is_read_in_euc_jp() -> None:
    for unassigned in (b"\xad\xbf", b"\xa9\xa1", b"\xfe\xfe", b"\xad"):
        with pytest.raises(UnicodeDecodeError):
            new_decoder(FileEncoding("euc_jp")).decode("旅費".encode("euc_jp") + unassigned, final=True)


def test_iso_2022_jp_with_a_set_that_is_not_read_is_refused_and_no_ascii() -> None:
    half_width_katakana = b"# \x1b$B5,Dx\x1b(I12\x1b(B\n"
    with pytest.raises(UndecodableError):
        decode(half_width_katakana)
    with pytest.raises(UndecodableError):
        find_encoding(lambda: [half_width_katakana[:3], half_width_katakana[3:]])


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_what_nec_and_ibm_added_is_read_wherever_a_block_ends(size: int) -> None:
    blocks = [NEC_IN_EUC[start : start + size] for start in range(0, len(NEC_IN_EUC), size)]
    assert find_encoding(lambda: blocks) == FileEncoding("euc_jp")
    assert "".join(decode_blocks(blocks, FileEncoding("euc_jp"))) == NEC


def test_half_width_katakana_in_cp932_are_recognised() -> None:
    text = "# ﾏﾆｭｱﾙ\n\n電源ボタンを押して、ﾒﾆｭｰから設定を選択します。\n保存するにはOKを押します。\n"
    assert decode(text.encode("cp932")).text == text


@pytest.mark.parametrize("text", ["Don’t panic: it’s easy.\n", "Das Gerät läuft.\n", "10 ±2 °C, ©Acme\n"])
def test_a_western_encoding_whose_bytes_fit_by_chance_is_refused(text: str) -> None:
    with pytest.raises(UndecodableError):
        decode(text.encode("cp1252"))


@pytest.mark.parametrize("encoding", LEGACY[:2])
def test_a_text_that_dos_has_ended_is_read(encoding: str) -> None:
    assert decode(LAW.encode(encoding) + b"\x1a").text == f"{LAW}\x1a"


@pytest.mark.parametrize("encoding", LEGACY[:2])
@pytest.mark.parametrize("text", ["A社 5月\n", "# API設定\n", "It’s 5 ℃ → ok\n"])
def test_a_japanese_file_of_few_japanese_characters_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("length", [64, 1000, 100_000])
def test_random_bytes_are_refused(length: int) -> None:
    with pytest.raises(UndecodableError):
        decode(random.Random(length).randbytes(length))


def test_utf_8_with_one_broken_byte_is_refused() -> None:
    data = bytearray(LAW.encode())
    data[len("# 旅".encode()) + 1] = 0xFF
    with pytest.raises(UndecodableError):
        decode(bytes(data))


def test_a_picture_is_refused() -> None:
    with pytest.raises(UndecodableError):
        decode(
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00\x5c\x72\xa8\x66"
        )


@given(st.text())
def test_any_utf_8_text_without_nul_is_read_as_it_is(text: str) -> None:
    text = text.replace("\0", "").removeprefix("\ufeff").replace("\x1b", "")
    assert decode(text.encode()).text == text


@given(st.binary(max_size=200))
def test_any_bytes_are_a_text_or_refused(data: bytes) -> None:
    text = _decode_or_none(data)
    assert text is None or "\ufffd" not in text or "\ufffd".encode() in data


def test_the_odd_files_hold_one_text_in_every_encoding() -> None:
    files = sorted(require_devset("wide", "odd").glob("enc_*"))
    found = {file.name: unify_line_breaks(decode(file.read_bytes()).text) for file in files}
    assert len(found) == 5
    assert set(found.values()) == {found["enc_lone_cr__ryokan.md"]}
    assert found["enc_lone_cr__ryokan.md"].startswith("# 旅館業法\n")


@pytest.mark.parametrize("encoding", LEGACY[:2])
def test_japanese_manuals_are_recognised_in_legacy_encodings(encoding: str) -> None:
    differing = []
    for file in sorted(require_devset().rglob("*.md")):
        data = _encode_japanese(file.read_bytes(), encoding)
        if data is not None and _decode_or_none(data) != data.decode(encoding):
            differing.append(file.name)
    assert differing == []


def _decode_or_none(data: bytes) -> str | None:
    try:
        return decode(data).text
    except UndecodableError:
        return None


def _encode_japanese(utf_8: bytes, encoding: str) -> bytes | None:
    """A Japanese text in another encoding, its beginning; `None` if it is not Japanese or does not fit."""
    try:
        text = utf_8.decode()[:40_000]
        return text.encode(encoding) if len(_KANA.findall(text)) > 20 else None
    except UnicodeError:
        return None


_KANA = re.compile("[\u3041-\u309f]")
