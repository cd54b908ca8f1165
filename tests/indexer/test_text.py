"""Normalisation: what is equal to what, and what stays apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.references.reference import plain_normal
from morenashi.indexer.text import count_lines, normalise, unify_line_breaks

from .texts import texts

FAMILIES = {
    "-": "-‐‑‒–—―−─━﹘⸺⸻－",
    "~": "~〜～∼∿〰",
    "・": "・･·•‧∙⋅●◦᛫",
    "/": "/／⁄∕╱⧸\\＼",
    "(": "([{（［｛「『【〔〈《〖〘〚｟❨❪⟨⟪｢",
    ")": ")]}）］｝」』】〕〉》〗〙〛｠❩❫⟩⟫｣",
    '"': '"＂“”„‟«»〝〞〟″',
    "'": "'＇‘’‚‛`´′",
}
MEMBERS = [(variant, head) for head, family in FAMILIES.items() for variant in family]


@pytest.mark.parametrize(("variant", "head"), MEMBERS, ids=[f"U+{ord(m[0]):04X}" for m in MEMBERS])
def test_every_member_of_a_family_becomes_its_representative(variant: str, head: str) -> None:
    assert normalise(f"甲{variant}乙") == f"甲{head}乙"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ｔｈｅ　ＡＰＩ", "the api"),
        ("ｻｰﾊﾞｰ", "サーバー"),
        ("ガ", "ガ"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("a\u0301\u0302 Łø x\u0304", "a lo x"),
        ("Й ά が", "й ά が"),
        ("第３条", "第3条"),
        ("Ⅲ", "iii"),
        ("①", "1"),
        ("㌔", "キロ"),
        ("ﬁle", "file"),
        ("¼", "1/4"),
    ],
)
def test_width_case_and_compatibility_forms_are_unified(written: str, expected: str) -> None:
    assert normalise(written) == expected


def test_the_long_vowel_mark_is_a_letter_and_no_hyphen() -> None:
    assert normalise("サーバー") == "サーバー"
    assert normalise("サーバ‐") == "サーバ-"


def test_small_and_large_kana_stay_apart() -> None:
    assert normalise("ツ") != normalise("ッ")


def test_composed_and_decomposed_kana_are_equal() -> None:
    assert normalise("か\u3099") == normalise("が") == "が"


@pytest.mark.parametrize("blank", [" ", "\t", "\u3000", "\xa0", "\u2003", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_any_white_space_but_the_line_feed_is_one_blank(blank: str) -> None:
    assert normalise(f"a{blank}{blank}b") == "a b"


@pytest.mark.parametrize("control", ["\x00", "\x01", "\x1b", "\x1f", "\x7f", "\x80"])
def test_a_control_character_is_a_blank(control: str) -> None:
    assert normalise(f"a{control}b") == "a b"


@pytest.mark.parametrize(
    "invisible",
    [
        "\u00ad",
        "\u200b",
        "\u200c",
        "\u200d",
        "\u2060",
        "\u202a",
        "\u2066",
        "\ufe0f",
        "\ufeff",
        "\u3164",
        "\U000e0041",
        "\U000e0100",
    ],
)
def test_an_invisible_character_is_dropped(invisible: str) -> None:
    assert normalise(f"旅{invisible}費") == "旅費"


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("髙橋", "高橋"),
        ("山﨑", "山崎"),
        ("𠮷野", "吉野"),
        ("橫濱", "横濱"),
        ("\u2ea0法", "民法"),
        ("\u2ed1さ", "長さ"),
    ],
)
def test_a_character_that_is_drawn_in_two_ways_is_one(written: str, normal: str) -> None:
    assert normalise(written) == normal
    long = f"ｱ{'あ' * 5_000}"
    assert normalise(written + long) == normal + normalise(long)
    assert plain_normal(written) == normal


def test_emphasis_marks_and_punctuation_stay() -> None:
    assert normalise("**注意**、次。") == "**注意**、次。"


@given(texts)
def test_normalisation_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_normalisation_of_any_string_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(texts)
def test_every_line_feed_stays(text: str) -> None:
    assert normalise(text).count("\n") == text.count("\n")


@given(texts)
def test_a_line_normalises_as_it_does_alone(text: str) -> None:
    assert normalise(text).split("\n") == [normalise(line) for line in text.split("\n")]


def test_every_character_is_the_same_in_a_long_text_as_in_a_short_one() -> None:
    lines = [f"か{chr(code)}x" for code in range(0x20, 0x30000) if not 0xD800 <= code < 0xE000]
    short = (normalise("\n".join(lines[first : first + 50])) for first in range(0, len(lines), 50))
    assert normalise("\n".join(lines)) == "\n".join(short)


@given(st.text() | texts)
def test_a_long_text_normalises_as_its_parts_do(text: str) -> None:
    """The long way looks at each distinct character once: it must say the same."""
    filling = "かなと漢字、と句読点。\n" * 200
    assert normalise(f"{text}\n{filling}") == f"{normalise(text)}\n{filling}"


@given(st.text(st.characters(categories=["Lu", "Ll", "Lt"])))
def test_case_makes_no_difference(text: str) -> None:
    assert normalise(text.casefold()) == normalise(text)


@given(texts)
def test_a_normalised_text_has_no_control_character_and_no_double_blank(text: str) -> None:
    normal = normalise(text)
    assert "  " not in normal
    assert all(character >= " " or character == "\n" for character in normal)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_line_breaks_are_line_feed_carriage_return_and_both(line_break: str) -> None:
    text = unify_line_breaks(f"一{line_break}二{line_break}")
    assert (text, count_lines(text)) == ("一\n二\n", 2)


@pytest.mark.parametrize("no_break", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_nothing_else_breaks_a_line(no_break: str) -> None:
    text = unify_line_breaks(f"一{no_break}二")
    assert count_lines(text) == 1
    assert "\n" not in normalise(text)


def test_mixed_line_breaks_count_once_each() -> None:
    assert unify_line_breaks("a\r\n\r\nb\r\rc\n\rd") == "a\n\nb\n\nc\n\nd"


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("\n\n", 2)])
def test_a_final_line_break_starts_no_further_line(text: str, lines: int) -> None:
    assert count_lines(text) == lines
