"""What is read of lines before they are compared: sentences that go on, items, the cells of tables."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.alike import read_values
from morenashi.server.search.judgement.blocks import (
    are_answers,
    are_in_one_block,
    is_told_with_a_case,
    names_its_thing,
    says_much,
)
from morenashi.server.search.judgement.claims import Marks, marks_of
from morenashi.server.search.judgement.measures import spell_out
from morenashi.server.search.judgement.negations import read_assertions, read_denials
from morenashi.server.search.judgement.sentences import outside_tables
from morenashi.server.search.judgement.tables import read_tables, words_of
from morenashi.server.search.judgement.wrapped import unwrap

from ..limited_work import RunWithin


@given(st.lists(st.text("ab、,.。|>#- \n", max_size=70), min_size=1, max_size=8), st.integers(0, 7))
def test_an_unwrapped_line_holds_the_line_and_parts_of_those_beside_it(lines: list[str], at: int) -> None:
    texts = normalise("\n".join(lines)).split("\n")
    at %= len(texts)
    assert texts[at].lstrip() in unwrap(texts, at)
    assert unwrap([texts[at]], 0) == texts[at]


WRAPPED = [f"line {number} of a text that is wrapped at a width of so many" for number in range(6)]


@pytest.mark.parametrize(
    ("lines", "at", "whole"),
    [
        (WRAPPED[:3], 2, " ".join(WRAPPED[:3])),
        (WRAPPED[:3], 0, " ".join(WRAPPED[:3])),
        (WRAPPED, 4, " ".join(WRAPPED[1:])),
        ([f"{WRAPPED[0]}. And", "more"], 1, "And more"),
        ([f"{WRAPPED[0]}. And {WRAPPED[1]}", "more"], 1, f"And {WRAPPED[1]} more"),
        (["申請者は、", "書面を出す。"], 1, "申請者は、書面を出す。"),
        (["申請者は,", "書面を出す。"], 1, "申請者は, 書面を出す。"),
        (["申請者は", "書面を出す。"], 1, "書面を出す。"),
        ([f"{WRAPPED[0]} |", "below a table"], 1, "below a table"),
        ([f"{WRAPPED[0]}|", "below a table"], 1, "below a table"),
        ([f"# {WRAPPED[0]}", "below a heading"], 1, "below a heading"),
    ],
)
def test_a_sentence_is_whole_where_it_goes_on_from_line_to_line(lines: list[str], at: int, whole: str) -> None:
    assert unwrap(lines, at) == whole


@pytest.mark.parametrize("following", ["", "- an item", "## Heading", "| a | b |", "3. a step", "> quoted"])
def test_a_line_ends_where_another_block_begins(following: str) -> None:
    line = "a line that is as long as the lines of text that is wrapped at a width"
    assert unwrap([line, following], 0) == line
    assert unwrap([f"{line}.", "another sentence"], 0) == f"{line}."
    assert unwrap(['{"a": "a value that is as long as the lines of text are",', '"b": 1}'], 1) == '"b": 1}'
    assert unwrap([line, "goes on. and on"], 0) == f"{line} goes on."


@pytest.mark.parametrize(
    ("between", "is_one"),
    [
        (["- 休日"], False),
        (["- 休日の料金は別に定める。"], True),
        (["休日"], False),
        ([""], True),
    ],
)
def test_an_item_that_is_a_label_parts_items(between: list[str], is_one: bool) -> None:
    lines = ["- 料金は500円である。", *between, "- 料金は300円である。"]
    assert are_in_one_block(lines, 0, len(lines) - 1) == is_one


@pytest.mark.parametrize(("after", "is_one"), [("", True), ("続く。", False)])
def test_a_short_item_parts_sentences_where_it_goes_on(after: str, is_one: bool) -> None:
    assert are_in_one_block(["料金は500円である。", "- 休日", after, "料金は300円である。"], 0, 3) == is_one


def test_inner_items_are_parted_by_what_stands_outside() -> None:
    for between in ("", " 夜間の料金を次に示す。"):
        assert are_in_one_block([" - 料金は500円である。", between, " - 料金は300円である。"], 0, 2)
    assert not are_in_one_block([" - 料金は500円である。", "夜間の料金を次に示す。", " - 料金は300円である。"], 0, 2)


QUESTIONS = ["q1. 入会できますか?", "料金は500円である。", "", "q2. 何時に閉まりますか?", "料金は300円である。"]


@pytest.mark.parametrize(
    ("lines", "are"),
    [
        (QUESTIONS, True),
        (QUESTIONS[1:], False),
        ([*QUESTIONS[:2], "電話", *QUESTIONS[3:]], False),
        ([*QUESTIONS[:2], "", "q2. 退会できますか?", QUESTIONS[4]], False),
    ],
)
def test_two_lines_answer_two_questions_if_each_has_one_and_nothing_else_parts_them(
    lines: list[str], are: bool
) -> None:
    one = lines.index("料金は500円である。")
    assert are_answers(lines, one, len(lines) - 1) is are


@pytest.mark.parametrize(
    ("rest", "much"),
    [("書面を期日までに出す", True), ("書面を期日に出す", False), ("a b c d e f", True), ("a b c d e", False)],
)
def test_a_sentence_says_much_from_ten_characters_or_six_words_on(rest: str, much: bool) -> None:
    assert says_much(rest) is much


ROOM, JOB = "会議室の予約", "export job limit"


@pytest.mark.parametrize(
    ("text", "above", "subject", "is_told"),
    [
        ("会議室の予約は5日前からです。", "鍵は総務で受け取ります。", ROOM, False),
        ("本館では会議室の予約は5日前からです。", "", ROOM, True),
        ("本館: 会議室の予約は5日前からです。", "", ROOM, True),
        ("旧館と違います。会議室の予約は5日前からです。", "", ROOM, True),
        ("会議室の予約は5日前からです。", "会員に限り、次のとおりです。", ROOM, True),
        ("1. 会議室の予約は5日前からです。", "会員に限り、次のとおりです。", ROOM, False),
        ("予約の場合は5日前からです。", "", "", False),
        ("previously, the export job limit is 80 mb.", "", JOB, True),
        ("with sso the export job limit is 80 mb.", "", JOB, True),
        ("tests are free. then the export job limit is 80 mb.", "", JOB, True),
        ("then the export job limit is 80 mb.", "", JOB, True),
        ("less is stored then. the export job limit is 80 mb.", "", JOB, False),
        ("(1) the export job limit is 80 mb.", "", JOB, False),
    ],
)
def test_what_stands_before_a_statement_may_say_when_it_holds(
    text: str, above: str, subject: str, is_told: bool
) -> None:
    assert is_told_with_a_case(text, above, subject) is is_told


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        ("鍵の色", True),
        ("会議室申込票", True),
        ("会議室", False),
        ("申込期限", False),
        ("最大保存期間", False),
        ("parking permit", True),
        ("retention period", False),
        ("permit", False),
        ("", False),
    ],
)
def test_a_subject_of_some_length_names_its_thing(subject: str, names: bool) -> None:
    assert names_its_thing(subject) == names


def test_rows_without_a_line_below_their_heads_are_no_table() -> None:
    assert list(read_tables(["| 書類 | 期間 |", "| a-1 | 1年 |", "| a-2 | 2年 |"])) == []
    assert len(list(read_tables(["| 書類 | 期間 |", "|---|:-:|", "| a-2 | 2年 |"]))) == 1


def test_a_line_of_dashes_and_bars_below_a_text_begins_no_table() -> None:
    assert list(read_tables(["書類と期間", "|---|---|", "| a-2 | 2年 |"])) == []


def test_a_column_whose_head_is_a_number_has_no_values() -> None:
    (table,) = read_tables(["| 書類 | 2024 | 期間 |", "|---|---|---|", "| 見積書 | 1年 | 2年 |"])
    assert [(cell.column, cell.text) for cell in table.cells] == [("期間", "2年")]


def test_spaces_around_a_particle_make_no_other_words() -> None:
    assert words_of("宿泊費 の 上限") == words_of("宿泊費の上限") == ("上限", "宿泊費")


def test_a_rule_among_the_rows_of_a_table_begins_no_other_one() -> None:
    (table,) = read_tables(["| 書類 | 期間 |", "|---|---|", "| 見積書 | 1年 |", "|---|---|", "| 請求書 | 2年 |"])
    assert (table.heads, table.last) == (0, 4)
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        ("見積書", "期間", "1年"),
        ("請求書", "期間", "2年"),
    ]


def test_a_time_that_is_none_leaves_its_sentence_without_values() -> None:
    assert list(read_values(outside_tables(spell_out(normalise("資料室の扉は9時70分と10時に開ける。"))))) == []
    [alike] = read_values(outside_tables(spell_out(normalise("資料室の扉は9時30分と10時に開ける。"))))
    assert len(alike.least) == 2


@pytest.mark.parametrize("least", ["3.10 or later", "3.10 or newer", "3.10 or higher", "3.10 or above", "3.10+"])
def test_the_least_version_of_a_sentence_is_its_value(least: str) -> None:
    [alike] = read_values(outside_tables(normalise(f"The build server requires Python {least}.")))
    [earlier] = read_values(
        outside_tables(normalise(f"The build server requires Python {least.replace('3.10', '3.9')}."))
    )
    assert alike.rest == earlier.rest
    assert alike.contradicts(earlier)


@pytest.mark.parametrize(
    ("text", "spelt_out"),
    [
        ("at most 3 may be lent", "at most 3 may be lent"),
        ("it ends on 3 may 2025", "it ends on 2025-05-03"),
        ("it ends on 3 june", "it ends on --06-03"),
    ],
)
def test_three_may_is_a_day_in_a_year_alone(text: str, spelt_out: str) -> None:
    assert spell_out(text) == spelt_out


_RULES = """
from morenashi.server.search.judgement.tables import read_tables
for row in ("|-|", "|a|", "|---|---|"):
    assert len(list(read_tables(["|a|b|", "|-|-|", *[row, "|-|"] * 5_000]))) == 1
"""


def test_very_many_rules_are_read_in_linear_work(run_within: RunWithin) -> None:
    run_within(5, _RULES)


CELLS = st.sampled_from(
    ["標準", "試用", "プラン", "料金(円)", "期間(年)", "1年", "10", "1,000", "2年※", "なし", "a", "-", ""]
)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=2, max_size=5)


@given(ROWS, st.lists(st.text("| -:a1年\n", max_size=40), max_size=4))
@example([["プラン", "期間(年)"], ["標準", "1"], ["試用", "30日※"]], [])
def test_any_lines_can_be_read_as_tables(rows: list[list[str]], others: list[str]) -> None:
    heads, *below = (f"| {' | '.join(row)} |" for row in rows)
    texts = normalise("\n".join([heads, "| --- " * len(rows[0]) + "|", *below, *others])).split("\n")
    for table in read_tables(texts):
        for cell in table.cells:
            assert cell.text in texts[cell.offset] or cell.text.rstrip("円年") in texts[cell.offset]
            assert cell.measured is None or not cell.measured.contradicts(cell.measured)
            assert all(cell.names)


SAID = """
見積書 の 保存期間 は 1年 30日 2か月以内 です とする 。 、 外部の媒体 使用 でき ません ではありません 不要 USB drives
are not never allowed in office .
"""
LINES = st.lists(st.sampled_from([*SAID.split(), " "]), max_size=20).map("".join) | st.text(max_size=300)


@given(LINES)
@example("見積書の保存期間は1年です。")
@example("外部の媒体は使用できません。")
@example("USB drives are not allowed in the office.")
def test_any_line_can_be_read(text: str) -> None:
    line = normalise(text.replace("\n", " "))
    for alike in read_values(outside_tables(spell_out(line))):
        assert not alike.contradicts(alike)
    denials = list(read_denials(line))
    claims = [*denials, *read_assertions(line, Marks(denial.marks for denial in denials))]
    assert all(mark in line for claim in claims for mark in claim.marks)


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("契約社員は通勤手当の対象とする。", "契約社員は通勤手当の対象外とする。"),
        ("契約社員も通勤手当の対象に含まれます。", "契約社員は通勤手当の対象とはならない。"),
        ("契約社員は通勤手当の対象となる。", "契約社員は通勤手当の対象ではありません。"),
        ("割増賃金は管理職にも適用する。", "割増賃金は管理職には適用しない。"),
        ("割増賃金は管理職に適用される。", "割増賃金は管理職に適用除外とする。"),
        ("副業は可とする。", "副業は禁止とする。"),
        ("Photography is permitted.", "Photography is prohibited."),
        ("Gift cards are refundable.", "Gift cards aren't refundable."),
    ],
)
def test_what_holds_is_denied_in_whatever_words(said: str, denied: str) -> None:
    denials = list(read_denials(normalise(denied)))
    claims = list(read_assertions(normalise(said), Marks(denial.marks for denial in denials)))
    assert [claim.rest for claim in claims] == [denial.rest for denial in denials] != []
    assert all(set(claim.senses) & set(denial.senses) for claim, denial in zip(claims, denials, strict=True))


@pytest.mark.parametrize("others", [0, 60])
@pytest.mark.parametrize(
    ("text", "are_in"),
    [
        ("解約による返金はできます", True),
        ("返金は解約の後にできます", True),
        ("解約はできます", False),
        ("返金はできます", False),
        ("解約の後も、退会の届は要ります", True),
        ("印を押す", True),
        ("keys expire", True),
        ("", False),
    ],
)
def test_what_may_be_denied_is_found_by_both_its_marks_whether_few_or_many_are_looked_for(
    text: str, are_in: bool, others: int
) -> None:
    denied = [("解約", "返金"), ("退会", "届"), ("印", "印"), ("expire", "keys")]
    marks = Marks([*denied, *((chr(0x5000 + number) * 2, "館") for number in range(others))])
    assert marks.are_in(text) is are_in


@pytest.mark.parametrize(
    ("said", "marks"),
    [
        ("本人の申請の取消しは特に", ("取消", "申請")),
        ("サーバーのログを毎日", ("サーバー", "毎日")),
        ("es2015のpdfを", ("es2015", "pdf")),
        ("ログを", ("ログ", "ログ")),
        ("いたずらを", None),
    ],
)
def test_the_marks_of_what_is_said_are_its_two_longest_words(said: str, marks: tuple[str, str] | None) -> None:
    assert marks_of(said) == marks
