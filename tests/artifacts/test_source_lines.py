"""`source_lines` in every notation of the contract (§3)."""

import pytest

from morenashi.server.artifacts.source_lines import are_marked_lines, find_source_lines, parse_source_lines

ONE = ((12, 18),)
TWO = ((12, 18), (40, 40))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12-18", ONE),
        ("12-18, 40", TWO),
        ("L12-L18", ONE),
        ("L12–18", ONE),
        ("１２～１８", ONE),
        ("12〜18行", ONE),
        ("12行目から18行目", ONE),
        ("第12行〜第18行", ONE),
        ("12-18行<br>40行", TWO),
        ("L12-L18,<br/>L40、", TWO),
        ("第12-18行、第40行", TWO),
        ("第12行目から第18行目まで", ONE),
        ("12 to 18", ONE),
        ("12..18", ONE),
        ("lines 12-18", ONE),
        ("source_lines: 12-18", ONE),
        ("source_lines: [12, 18]", ONE),
        ("source\\_lines: 12-18", ONE),
        ("guide.md 12-18", ONE),
        ("12-18.", ONE),
        ("(12-18), (40)", TWO),
        ("[12-18], [40]", TWO),
        ("12-18、40", TWO),
        ("12-18; 40", TWO),
        ("12-18 40", TWO),
        ("L12-L18,L40", TWO),
        ("guide.md:12-18", ONE),
        ("sub/01b.md#L12-L18", ONE),
        ("(12-18)", ONE),
        ("`12-18`", ONE),
        ("12-18 (前段)", ONE),
        ("Article 7, lines 12-18", ONE),
        ("§ 4.2, line 12-18", ONE),
        ("[12-18, 40]", TWO),
        ("[[12, 18], [40, 40]]", TWO),
        ('["12-18", 40]', TWO),
        ('[{"start_line": 12, "end_line": 18}, {"start_line": 40, "end_line": 40}]', TWO),
        ([[12, 18], [40, 40]], TWO),
        (["12-18", "L40"], TWO),
        ([12, 18], ONE),
        ([{"start": 12, "end": 18}], ONE),
        ({"start_line": 12, "end_line": 18}, ONE),
        ({"lines": "12-18"}, ONE),
        (40, ((40, 40),)),
        ("18-12", ((18, 12),)),
        ("L.12-L.18", ONE),
        ("ll. 12-18", ONE),
        ("Lines: 12-18", ONE),
        ("第39条第1項（L12-L18）", ONE),
        ("第39条 12-18行、40行目", TWO),
        ("第39条1項（L12-L18）、2項（L40）", TWO),
        ("lines 12-18を参照", ONE),
    ],
)
def test_a_field_names_lines(value: object, expected: object) -> None:
    assert tuple(span[:2] for span in parse_source_lines(value)) == expected


@pytest.mark.parametrize(
    "value",
    ["", "-", "未定", "TBD", "第3条", "see chapter 3", "民法 第12条", "3行3列", "L2機", None, True, [], {}, "1.5", 1.5],
)
def test_what_is_no_notation_names_none(value: object) -> None:
    assert parse_source_lines(value) == ()


@pytest.mark.parametrize("piece", ["source_lines ", "a.", "a", "(L", "1-"])
def test_a_cell_of_any_length_is_read(piece: str) -> None:
    assert parse_source_lines(piece * 20_000) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("受付<br>source_lines: 12-18", ONE),
        ("受付 source_lines=12-18, 40 を見る", TWO),
        ("受付 (L12-L18)", ONE),
        ("受付 [L12]", ((12, 12),)),
        ("受付 (L12-18, L40)", TWO),
        ("受付 (L12-18, 40)", TWO),
        ("受付（第12行）", ((12, 12),)),
        ("受付 L12〜L18、L40", TWO),
        ("source_lines: [[12, 18], [40, 40]] 受付", TWO),
        ('"source_lines": "12-18"', ONE),
        ("受付（根拠：12〜18行）", ONE),
        ("受付（source_lines: 12-18（第3条）、40（第4条））", TWO),
        ("source_lines: 12-18 (§ 3), 40", TWO),
        ("source_lines: 12-18 (§ 3), 40 days", ONE),
        ("source_lines: 12-18（前文）、40名で行う", ONE),
        ("受付（12〜18行）", ONE),
        ("受付 (lines 12-18)", ONE),
        ("source lines 12-18", ONE),
        ("**source_lines**: 12-18", ONE),
        ("source_lines: 12-18; source_lines: 40", TWO),
        ("受付 guide.md:12-18 のとおり", ONE),
        ("受付 (guide.md:12-18, 40)", TWO),
        ("受付 `guide.md` L12-18, L40", TWO),
        ("受付 (guide.md, lines 12-18)", ONE),
        ("手引き.md の12〜18行目に従う", ONE),
        ("受付〔L12-18〕", ONE),
        ("受付 ※L12-18、L40", TWO),
        ("受付<br/>📄 L12-18、L40", TWO),
        ("受付\nL12", ((12, 12),)),
        ("Intake (see lines 12 through 18)", ONE),
        ("受付（出典：guide.md、12〜18行）", ONE),
        ("受付（guide.md 12-18）", ONE),
        ("受付（guide.md: 12-18）", ONE),
        ("Intake, as said on lines 12-18 of guide.md", ONE),
        ("Intake (L12-L18 in `guide.md`)", ONE),
        ("受付（第9条第1項、12〜18行）", ONE),
        ("受付（第9条 12〜18行、40行）", TWO),
        ("受付 (第7条, L12)", ((12, 12),)),
        ("受付（根拠: 第7条 12行目）", ((12, 12),)),
        ("Intake (Article 7, lines 12-18)", ONE),
        ("Intake (§ 4.2, line 12)", ((12, 12),)),
        ("Intake (lines: 12-18, 40)", TWO),
        ("Intake (cf. L12)", ((12, 12),)),
        ("Intake (see lines 12-18 and 40)", TWO),
        ("Intake (cf. lines 12-18, and 40)", TWO),
        ("Intake (Art. 7, lines 12-18)", ONE),
        ("Intake — L12-18", ONE),
        ("Intake — lines 12-18 and 40", TWO),
        ("受付 — 12〜18行", ONE),
        ("Intake - L12-L18, L40", TWO),
        ("受付――L12", ((12, 12),)),
        ("受付<br>第4条 L12-18、L40", TWO),
        ("Intake<br/>Section 4.2, L12", ((12, 12),)),
        ("受付（L12-18を参照）", ONE),
        ("40行目を除き、L12-L18", ONE),
        ("受付は40名まで — 12〜18行", ONE),
        ("at most 40 — L12-L18", ONE),
        ("受付 guide.md:12-18, 40", TWO),
        ("guide.md L12-18: 受付の手順", ONE),
        ("手引き.md12〜18行目", ONE),
        ("[受付](https://example.com/guide.rst#L12-L18)を行う", ONE),
    ],
)
def test_a_text_names_lines(text: str, expected: object) -> None:
    assert tuple(span[:2] for span in find_source_lines(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "受付",
        "L2 スイッチ",
        "第12条-第18条",
        "12-18",
        "根拠: 第3条",
        "source_lines:",
        "M12-M18",
        "HTML5",
        "（3行）",
        "L2",
        "Escalate to L2",
        "Cache\nL2 of the processor",
        "example.com:443",
        "guide.md 2026",
        "guide.md, 12 pages",
        "guide.md 12-18 pages",
        "(guide.md 2026)",
        "guide.md:12:5",
        "the lines 12-18 of the poem",
        "L2 of guide",
        "Tier-L2",
        "Support\nsee the section on L2",
        "from tier 1 - L2 and others",
        "(Tier 1, L2)",
        "（3章、5頁）",
        "（第3条、5行政区）",
        "(Section 4, 12)",
        "L1-L3機器",
        "実行 5.後始末",
        "stats.jsonl.1",
    ],
)
def test_a_text_without_lines_names_none(text: str) -> None:
    assert find_source_lines(text) == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("guide.md:12-18", [(12, 18, "guide.md")]),
        ("guide.md:1-3, 7, 規程/旅費.md#L4", [(1, 3, "guide.md"), (7, 7, "guide.md"), (4, 4, "規程/旅費.md")]),
        ("12, guide.md 40", [(12, 12, None), (40, 40, "guide.md")]),
        ("guide.md:12〜18行、2_b.md:4", [(12, 18, "guide.md"), (4, 4, "2_b.md")]),
        ("章、節.md:4", [(4, 4, "章、節.md")]),
        ("[L12-L18](guide.md#L12-L18)", [(12, 18, "guide.md")]),
        ("[guide.md:12-18](手引き/guide.md), 40", [(12, 18, "手引き/guide.md"), (40, 40, "手引き/guide.md")]),
        ('[12-18](<手引き/my guide.md> "手引き")', [(12, 18, "手引き/my%20guide.md")]),
        ("[[guide.md#L12|受付]]", [(12, 12, "guide.md")]),
        ("[[12, 18]]", [(12, 18, None)]),
        ("`guide.md` L12-18", [(12, 18, "guide.md")]),
        ("【guide.md 12-18】", [(12, 18, "guide.md")]),
        ("guide.md（12〜18行）", [(12, 18, "guide.md")]),
        ("guide.md, lines 12-18", [(12, 18, "guide.md")]),
        ("lines 12-18 and 40 of guide.md", [(12, 18, "guide.md"), (40, 40, "guide.md")]),
        ({"path": "guide.md", "lines": "12-18"}, [(12, 18, "guide.md")]),
        ([{"file": "guide.md", "start_line": 4, "end_line": 5}], [(4, 5, "guide.md")]),
        ("(guide.md:4), (rules.md:5)", [(4, 4, "guide.md"), (5, 5, "rules.md")]),
        ("（guide.md:4）（rules.md 5行目）", [(4, 4, "guide.md"), (5, 5, "rules.md")]),
        ("[guide.md:4] [rules.md:5]", [(4, 4, "guide.md"), (5, 5, "rules.md")]),
        ("L4 (guide.md L5)", [(4, 4, None), (5, 5, "guide.md")]),
        ("4 (guide.md L5)", [(4, 4, None), (5, 5, "guide.md")]),
        ("4 (see guide.md:5)", [(4, 4, None)]),
        ("(L4) (L5) (guide.md L6)", [(4, 4, None), (5, 5, None), (6, 6, "guide.md")]),
        ("手引き.mdの4〜5行", [(4, 5, "手引き.md")]),
        ("手引き.mdの:4", [(4, 4, "手引き.md")]),
        ("手引き.mdの第3条 L4", [(4, 4, "手引き.md")]),
    ],
)
def test_a_field_says_what_file_its_lines_are_of(value: object, expected: object) -> None:
    assert list(parse_source_lines(value)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("受付（source_lines: guide.md:12-18, b.md:4）", [(12, 18, "guide.md"), (4, 4, "b.md")]),
        ("source_lines: guide.md:12-18 (§ 3), 4", [(12, 18, "guide.md"), (4, 4, "guide.md")]),
        ("受付（手引き/guide.md L12-L18）", [(12, 18, "手引き/guide.md")]),
        ("[受付](guide.md#L12-L18)", [(12, 18, "guide.md")]),
        ("受付 ([L12-L18](guide.md#L12-L18))", [(12, 18, "guide.md")]),
        ("受付 [lines 12-18](guide.md)", [(12, 18, "guide.md")]),
        ("受付 [手引き/guide.md](../手引き/guide.md), L12", [(12, 12, "../手引き/guide.md")]),
        ("受付は[手引き](guide.md)による (L12)", [(12, 12, None)]),
        ("受付 [L12](#受付)", [(12, 12, None)]),
        ("受付 L12-L18, L40 of guide.md", [(12, 18, "guide.md"), (40, 40, "guide.md")]),
        ("受付 (lines 12-18, 40 of guide.md)", [(12, 18, "guide.md"), (40, 40, "guide.md")]),
        ("受付（guide.md 第2条第1項、L12）", [(12, 12, "guide.md")]),
        ("受付 guide.md § 2.1 (L12)", [(12, 12, "guide.md")]),
        ("guide.md の受付 (L12)", [(12, 12, None)]),
        ("受付は「手引き/guide.md:12-18」による", [(12, 18, "手引き/guide.md")]),
        ('受付 (see "guide.md:12")', [(12, 12, "guide.md")]),
        ("受付 (`手引き/guide.md`:12-18)", [(12, 18, "手引き/guide.md")]),
        ("Intake follows lines 12-18 of `guide.md`.", [(12, 18, "guide.md")]),
        ("受付 source_lines: 001_a.md:12, 002_b.md:4", [(12, 12, "001_a.md"), (4, 4, "002_b.md")]),
        ("受付 source_lines: 12, 01b.md#L4", [(12, 12, None), (4, 4, "01b.md")]),
        ("受付（根拠: guide.md:12-18、規程/02_b.md:4）", [(12, 18, "guide.md"), (4, 4, "規程/02_b.md")]),
        ("source_lines: guide.md L12 / b.md L4", [(12, 12, "guide.md"), (4, 4, "b.md")]),
        ("受付（guide.md:12-18、b.md:4）", [(12, 18, "guide.md"), (4, 4, "b.md")]),
    ],
)
def test_a_text_says_what_file_its_lines_are_of(text: str, expected: object) -> None:
    assert list(find_source_lines(text)) == expected


@pytest.mark.parametrize(
    ("texts", "are_lines"),
    [
        (["L1-3", "L4"], True),
        (["l1-l3", "l4"], True),
        (["lines 1-3", "line 4"], True),
        (["1-3", "4"], False),
        (["L1", "L2"], False),
        (["第1条", "L1-3"], False),
    ],
)
def test_a_column_of_nothing_but_lines_is_told_by_the_marks_before_them(texts: list[str], *, are_lines: bool) -> None:
    assert are_marked_lines(texts) is are_lines


@pytest.mark.parametrize("levels", [100, 600, 100_000])
def test_json_that_lies_in_itself_thousands_of_times_ends_no_audit(levels: int) -> None:
    """JSON's parser takes more levels than functions that call themselves do."""
    assert parse_source_lines("[" * levels + "12" + "]" * levels) in ((), ((12, 12, None),))
