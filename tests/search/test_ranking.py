"""In what order candidates stand, and what their places say of it."""

import pytest

from morenashi.server.search.question.terms import make_term
from morenashi.server.search.ranking.scored_text import scored_text
from morenashi.server.search.ranking.titles import is_in_title, normal_title

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

SECTION = "# {}\n\n鍵言葉を書く。\n\n"
# As long as each other, so that only what they say tells them apart.
PLAIN = "鍵言葉を書く。机の上に置いておくこととなる。"
SAYS = {
    "exceptions": "鍵言葉を書く。ただし、休日は、この限りでない。",
    "procedure": "鍵言葉を書く。次のように届け出て置くのである。",
    "eligibility": "鍵言葉を書く。十年勤めたという要件があるのだ。",
}


def test_of_sections_alike_those_of_other_files_come_before_the_further_ones_of_a_file(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "".join(SECTION.format(title) for title in "一二三"))
    workspace.write("m/b.md", SECTION.format("四"))
    hits = serve().find("鍵言葉").hits()
    assert [(hit["path"], hit["start_line"]) for hit in hits] == [("a.md", 3), ("b.md", 3), ("a.md", 7), ("a.md", 11)]
    scores = [hit["score"] for hit in hits]
    assert scores[0] == scores[1]
    assert [round(score / scores[0], 2) for score in scores[2:]] == [0.99, 0.98]


def test_however_many_sections_a_file_has_the_last_of_them_loses_a_tenth(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "".join(map(SECTION.format, "一二三四五六七八九十百千万")))
    scores = [hit["score"] for hit in serve().find("鍵言葉").hits()]
    assert [round(score / scores[0], 2) for score in scores[-4:]] == [0.91, 0.9, 0.9, 0.9]


def test_copies_of_a_section_come_after_what_says_something_else(workspace: WorkspaceFolder, serve: Serve) -> None:
    for command in ("add", "build", "pack"):
        workspace.write(f"m/{command}.md", f"# {command}\n\n## 鍵言葉\n\n鍵言葉を置く。\n\n## 終わり\n\n{command}\n")
    workspace.write("m/shelf.md", "# 棚\n\n棚に鍵言葉を書いた札を付ける。\n")
    hits = serve().find("鍵言葉").hits()
    assert [hit["path"] for hit in hits] == ["add.md", "shelf.md", "build.md", "pack.md"]
    assert [round(hit["score"] / hits[0]["score"], 2) for hit in hits[2:]] == [0.25, 0.25]


def test_a_copy_in_another_manual_comes_beside_what_it_is_a_copy_of(workspace: WorkspaceFolder, serve: Serve) -> None:
    for manual in ("head-office", "branch"):
        workspace.write(f"{manual}/rules.md", "# 鍵言葉\n\n鍵言葉を置く。\n")
    workspace.write("head-office/shelf.md", "# 棚\n\n棚に鍵言葉を書いた札を付ける。\n")
    assert [hit["path"] for hit in serve().find("鍵言葉").hits()] == ["rules.md", "rules.md", "shelf.md"]


def test_a_link_that_says_a_part_of_the_question_puts_nothing_before_what_says_more(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/index.md", "# 目次\n\n- [部品箱](box.md)\n")
    workspace.write("m/box.md", "# 部品箱\n\n部品箱は棚に置く。\n")
    workspace.write("m/care.md", "# 手入れ\n\n部品箱の洗浄は週に一度行う。\n")
    workspace.write("m/other.md", "# 機械\n\n0番の洗浄は年に一度行う。\n")
    assert [hit["path"] for hit in serve().find("部品箱 洗浄").hits()][:2] == ["care.md", "box.md"]


def test_where_links_lead_is_nothing_that_a_text_says(workspace: WorkspaceFolder, serve: Serve) -> None:
    target = "https://example.com/crawler/web-crawler/polite-crawler"
    workspace.write("m/a.md", f"# Further reading\n\n- [A crawler]({target})\n")
    workspace.write("m/b.md", "# Manners\n\nA polite crawler waits a second between two of its requests to a host.\n")
    assert [hit["path"] for hit in serve().find("polite crawler").hits()] == ["b.md", "a.md"]


def test_what_is_asked_for_where_links_lead_alone_is_ordered_by_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# One\n\nSee [this](/kettles/a.md), which is much about other things that boil.\n")
    workspace.write("m/b.md", "# Two\n\nSee [this](/kettles/b.md).\n")
    scores = [hit["score"] for hit in serve().find("kettles").hits()]
    assert len(scores) == 2 and scores[0] > 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("see (the guide)(/guide.md#keys)", "see (the guide)"),
        ('(a)(b/c.md "the c") and (d)(https://e.f)', "(a) and (d)"),
        ("(別紙)(賃金) による", "(別紙)(賃金) による"),
        ("f(x) (1) (a.b)", "f(x) (1) (a.b)"),
    ],
)
def test_of_links_the_words_are_kept(text: str, told: str) -> None:
    assert scored_text(text) == told


@pytest.mark.parametrize("intent", SAYS)
def test_of_two_that_say_the_same_the_one_with_what_the_intent_asks_for_comes_first(
    workspace: WorkspaceFolder, serve: Serve, intent: str
) -> None:
    workspace.write("m/a.md", f"# 題\n\n{PLAIN}\n")
    workspace.write("m/b.md", f"# 題\n\n{SAYS[intent]}\n")
    manuals = serve()
    assert [item["path"] for item in manuals.find("鍵言葉", intent="unknown").hits()] == ["a.md", "b.md"]
    assert [item["path"] for item in manuals.find("鍵言葉", intent=intent).hits()] == ["b.md", "a.md"]


def test_titles_with_a_word_of_every_other_title_put_nothing_before_what_holds_a_rare_one(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    changes = "".join(f"## Version {number}.0\n\nSmall repairs.\n\n" for number in range(90))
    workspace.write("m/changes.md", f"# Changes\n\n{changes}")
    workspace.write("m/tools.md", "# Tools\n\n## Compilers\n\nBuild with tcc, version 9 or later.\n")
    found = serve().find("tcc version", budget={"max_candidates": 10})
    assert (found.hits()[0]["path"], found.hits()[0]["start_line"]) == ("tools.md", 5)
    assert found.hits("gaps") == []


@pytest.mark.parametrize(
    ("title", "word", "holds"),
    [
        ("back up the keys", "backup", True),
        ("when to check-in", "checkin", True),
        ("give back, upload", "backup", False),
        ("set the table up", "setup", False),
    ],
)
def test_a_title_has_the_word_that_two_of_its_words_make(title: str, word: str, holds: bool) -> None:
    assert is_in_title(title, make_term(word, {}, {})) == holds


@pytest.mark.parametrize(
    ("title", "name", "holds"),
    [
        ("`worker_class`", "--worker-class", True),
        ("`skip_if_exists`", "_skip_if_exists", True),
        ("Worker Class", "worker_class", True),
        ("The worker-class option", "worker_class", True),
        ("`workerClass`", "worker-class", True),
        ("`force`", "--force", True),
        ("`WORKER_CLASS_PATH`", "worker-class", True),
        ("Worker and class", "worker-class", False),
        ("Coworker class", "worker-class", False),
        ("Net income", ".net", False),
        ("Reinforce", "--force", False),
        ("C, the language", "c++", False),
    ],
)
def test_a_title_has_a_name_whatever_signs_join_its_words(title: str, name: str, holds: bool) -> None:
    assert is_in_title(normal_title(title), make_term(name, {}, {})) == holds


def test_an_option_is_found_by_the_heading_with_its_name(workspace: WorkspaceFolder, serve: Serve) -> None:
    uses = "".join(f"## Case {n}\n\nbrew --lid-lock {n}\n\n" for n in range(5))
    workspace.write("m/a.md", f"# Uses\n\n{uses}")
    workspace.write(
        "m/b.md", "# Settings\n\n### `lid_lock`\n\nOn the command line: `--lid-lock`. Closes the lid until it boils.\n"
    )
    best = serve().find("--lid-lock").hits("integrated_top")[0]
    assert (best["path"], best["ref"]["title"]) == ("b.md", "`lid_lock`")


def test_the_beginning_of_a_word_counts_where_the_word_stands(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(9):
        text = f"A package is a package, and of package {number} a package is made.\n"
        workspace.write(f"m/{number}.md", f"# Notes {number}\n\n{text}")
    workspace.write("m/old.md", f"# Old\n\n{'It is kept for those who need it. ' * 4}A package may be deprecated.\n")
    found = serve().find("deprecat a package")
    assert (found.hits()[0]["path"], found.hits("gaps")) == ("old.md", [])


def test_a_hundred_titles_with_a_word_of_the_question_put_nothing_before_the_text_that_has_all_of_it(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    parts = "".join(f"## Install part {number}\n\nBring it to its place.\n\n" for number in range(120))
    others = "".join(f"## Special {number}\n\nA difference of facilities.\n\n" for number in range(300))
    workspace.write("m/parts.md", f"# Parts\n\n{parts}{others}")
    workspace.write("m/answer.md", "# Notes\n\nTo install by ci differs from the other way to install.\n")
    assert serve().find("difference between install and ci").hits()[0]["path"] == "answer.md"


def test_a_title_counts_by_how_rare_the_words_are_that_it_has(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 届出\n\n副業の届出をする。\n")
    workspace.write("m/b.md", f"# 副業\n\n副業をする者は、{'その旨を書いて、' * 6}届出をする。\n")
    for number in range(30):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n氏名の届出をする。\n")
    assert [hit["path"] for hit in serve().find("副業 届出").hits()[:2]] == ["b.md", "a.md"]


LAW = "# 試験法\n\n## 第一条\n\n届出をするときは、前日までとする。\n\n## 附則\n\n### 第九条\n\n届出をする。\n"


@pytest.mark.parametrize(
    ("question", "lines"), [("届出", [5, 11]), ("附則の届出", [11, 5]), ("届出 経過措置", [11, 5])]
)
def test_supplementary_provisions_come_behind_what_they_repeat_unless_they_are_asked_for(
    workspace: WorkspaceFolder, serve: Serve, question: str, lines: list[int]
) -> None:
    workspace.write("m/試験法.md", LAW)
    hits = serve().find(question).hits()
    assert [hit["start_line"] for hit in hits if hit["start_line"] in lines] == lines


def test_a_title_with_the_only_noun_of_a_question_comes_after_a_text_that_has_its_verbs_too(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 部品箱\n\n部品箱は棚に置いておく。部品箱には名前を書く。\n")
    workspace.write(
        "m/b.md", f"# よくあること\n\n{'棚の前に立って待っておく。' * 6}壊れた部品箱を見つけるには、音を聞く。\n"
    )
    for number in range(20):
        workspace.write(f"m/{number}.md", f"# 棚{number}\n\n音を聞いて、名前を書いて棚に置いておく。\n")
    found = serve().find("壊れた部品箱の見つけ方")
    assert [item["path"] for item in found.hits()][:2] == ["b.md", "a.md"]


def test_the_title_of_a_page_may_stand_in_its_front_matter(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/other.md", "# Other\n\nThe scheduler runs it. See [[Cron jobs]].\n")
    workspace.write("m/cron.md", "---\ntitle: Cron jobs\n---\n\nThe scheduler runs them.\n\n## Limits\n\nNone.\n")
    found = serve().find("scheduler of cron jobs")
    assert [(hit["path"], "heading" in hit["signals"]) for hit in found.hits()] == [
        ("cron.md", True),
        ("other.md", False),
    ]
    assert "reference" in found.hits()[0]["signals"]


@pytest.mark.parametrize(
    ("title", "is_titled"),
    [
        ("Age of users", True),
        ("Ages", True),
        ("Aging", True),
        ("`minAge`", True),
        ("Min_age", True),
        ("Packages", False),
    ],
)
def test_a_latin_word_counts_in_a_title_where_a_word_begins(
    workspace: WorkspaceFolder, serve: Serve, title: str, *, is_titled: bool
) -> None:
    workspace.write("m/a.md", f"# {title}\n\nThe age is thirteen.\n")
    (hit,) = serve().find("age", manual_id="m", max_stage=3).hits()
    assert ("heading" in hit["signals"]) is is_titled


def test_a_title_counts_whose_number_is_a_roman_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# Ⅱ章 題\n\n3章を見る。\n")
    workspace.write("m/b.md", "# Ⅲ章 題\n\n3章を見る。\n")
    signals = {hit["path"]: "heading" in hit["signals"] for hit in serve().find("3章").hits()}
    assert signals == {"a.md": False, "b.md": True}


def test_what_is_referred_to_has_half_the_score_of_what_refers_to_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/rule.md", "# 規則\n\n鍵言葉は[様式](form.md#様式)による。\n")
    workspace.write("m/form.md", "# 様式\n\n[別紙](sheet.md#別紙)を付ける。\n")
    workspace.write("m/sheet.md", "# 別紙\n\n一枚の紙。\n")
    hits = serve().find("鍵言葉").hits()
    assert [hit["path"] for hit in hits] == ["rule.md", "form.md", "sheet.md"]
    assert [round(hit["score"] / hits[0]["score"], 2) for hit in hits] == [1.0, 0.5, 0.25]


def test_of_many_references_that_lead_to_a_section_five_are_named(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(7):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n鍵言葉は[様式](form.md#様式)による。\n")
    workspace.write("m/form.md", "# 様式\n\n一枚の紙。\n")
    manuals = serve()
    trace = manuals.workspace.traces.find(manuals.find("鍵言葉").trace_id)
    (form,) = [candidate for candidate in trace.candidates if candidate.path == "form.md"]
    assert len(form.why["via"]) == 5


def test_exceptions_that_govern_the_line_that_matches_are_named_first(workspace: WorkspaceFolder, serve: Serve) -> None:
    others = "".join(f"第{n}種の者を除く。\n\n" for n in range(6))
    workspace.write("m/x.md", f"# 題\n\n{others}鍵言葉を書く。ただし、休日は、この限りでない。\n")
    (hit,) = serve().find("鍵言葉").hits()
    assert hit["exceptions"][0]["ref"]["start_line"] == hit["start_line"] == 15


def test_of_more_exceptions_than_are_named_those_near_the_line_that_matches_are(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    articles = "".join(f"第{n}条　第{n}種の者を除く。\n\n" for n in range(1, 9))
    workspace.write("m/x.md", f"{articles}第9条　鍵言葉を書く。\n\n2　休日を除く。\n\n{articles}")
    (hit,) = serve().find("鍵言葉").hits()
    assert [item["ref"]["start_line"] for item in hit["exceptions"]] == [15, 19, 13, 21, 11]


PLAIN_RULES = """\
○住宅設備補助金交付要綱

（額）
第4条　補助金の額は、8万円を限度とする。

（申請）
第5条　補助金の申請は、14日前までに行う。

（処分）
第12条　補助金を受けた者は、設備を売ってはならない。
"""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("補助金をもらった設備を売ってもよいか", 10),
        ("補助金の額", 4),
        ("住宅設備の補助金は何日前までに申請する", 7),
        ("住宅設備補助金交付要綱", 1),
    ],
)
def test_of_lines_with_as_many_terms_the_one_is_meant_that_says_most_beside_the_title(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: int
) -> None:
    workspace.write("m/x.md", PLAIN_RULES)
    assert serve().find(question).hits()[0]["start_line"] == line


def test_text_with_a_blank_behind_each_character_ranks_as_without(workspace: WorkspaceFolder, serve: Serve) -> None:
    spread = " ".join("敬老パスの対象となる方は市内にお住まいの方です。")
    workspace.write("m/pass.md", f"{spread}\n\n{' '.join('パスを失くした方は窓口へ。')}\n")
    others = "".join(f"# 方法{n}\n\nパスの対象を書く。パスの対象。\n\n" for n in range(20))
    workspace.write("m/others.md", others)
    assert serve().find("敬老パスの対象").hits()[0]["path"] == "pass.md"


def test_a_hundred_sections_at_most_are_reached_by_references_alone(workspace: WorkspaceFolder, serve: Serve) -> None:
    links = " ".join(f"[題{n}]({n}.md#題{n})" for n in range(101))
    workspace.write("m/hit.md", f"# 題\n\n鍵言葉は{links}による。\n")
    for number in range(101):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n一枚の紙。\n")
    manuals = serve()
    assert len(manuals.find("鍵言葉", budget={"max_candidates": 200}).hits()) == 101


def test_the_first_twenty_of_the_sections_reached_are_followed_further(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    links = " ".join(f"[題{n}]({n}.md#題{n})" for n in range(10, 31))
    workspace.write("m/hit.md", f"# 題\n\n鍵言葉は{links}による。\n")
    for number in range(10, 31):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n[別紙](sheet-{number}.md#別紙)\n")
        workspace.write(f"m/sheet-{number}.md", "# 別紙\n\n一枚の紙。\n")
    sheets = {path for path in serve().find("鍵言葉", budget={"max_candidates": 200}).paths() if "sheet" in path}
    assert sheets == {f"sheet-{number}.md" for number in range(10, 30)}


def test_a_quarter_of_the_candidates_a_cap_keeps_are_what_the_best_refer_to(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for number in range(10, 30):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n鍵言葉は[別紙](sheet-{number}.md#別紙)による。\n")
        workspace.write(f"m/sheet-{number}.md", "# 別紙\n\n一枚の紙。\n")
    paths = [hit["path"] for hit in serve().find("鍵言葉", budget={"max_candidates": 12}).hits()]
    assert (len(paths), sum(path.startswith("sheet") for path in paths)) == (12, 3)
