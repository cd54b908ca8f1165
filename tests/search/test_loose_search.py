"""Stage 1: through separators, in other spellings, by synonyms (seed 004 §3, contract §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.terms import make_term

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder

THROUGH = [
    ("利用規約", "利用・規約"),
    ("利用規約", "利用 規約"),
    ("利用規約", "利用　／　規約"),
    ("利用規約", "利 用 規 約"),
    ("利用規約", "利用-規約"),
    ("利用規約", "利用_規約"),
    ("利用規約", "利用、規約"),
    ("利用・規約", "利用規約"),
    ("利用/規約", "利用-規約"),
    ("ユーザー登録", "ユーザー・登録"),
    ("web-hook", "webhook"),
    ("webhook", "web hook"),
    ("data_base", "data/base"),
    ("メールアドレス", "メール アドレス"),
]
BEGUN = [
    ("hibernat*", "hibernation"),
    ("hibernat**", "it hibernates"),
    ("申請*", "申請書"),
    ("s3:Put*", "s3:PutObject"),
    ('"data at*"', "data at rest"),
]
VOWELS = [
    ("サーバ", "サーバー"),
    ("サーバー", "サーバ"),
    ("コンピュータ", "コンピューター"),
    ("サーバー証明書", "サーバ証明書"),
    ("サーバ証明書", "サーバー証明書"),
    ("ﾌﾟﾘﾝﾀ", "プリンター"),
]

MARKS = [
    ("3か月", "三箇月"),
    ("三個月", "3ヶ月"),
    ("6カ月以内", "六か月以内"),
    ("2ヵ所", "２箇所"),
]


def serve_line(workspace: WorkspaceFolder, serve: Serve, line: str) -> Serving:
    workspace.write("m/x.md", f"# 題\n\n前置き。\nここに{line}がある。\n")
    return serve()


@pytest.mark.parametrize(("query", "line"), THROUGH)
def test_separators_between_characters_are_looked_through(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    assert serve_line(workspace, serve, line).find(query).places() == {("x.md", 4)}


@pytest.mark.parametrize(("query", "line"), THROUGH[:7])
def test_a_match_through_separators_is_loose(workspace: WorkspaceFolder, serve: Serve, query: str, line: str) -> None:
    (item,) = serve_line(workspace, serve, line).find(query).hits()
    assert item["signals"] == ["loose"]


@pytest.mark.parametrize(
    ("query", "held", "others"),
    [
        ("STA_", ["STA_INS", "STA-X", "sta 一覧", "sta\n次"], ["stand", "start", "STAを"]),
        ("--lid-lock", ["`lid_lock`", "--lid-lock", "lidlock: 3", "LID_LOCK=1"], ["a lid, and a lock", "--lid"]),
        ("_lid_lock", ["`lid_lock`", "--lid-lock"], ["_lid"]),
        ("--force", ["git push --force", "／force", "a force"], ["reinforce", "を、無しでforce"]),
        ("right/", ["right/Asia", "RIGHT・東京", "right\nhand"], ["rights", "copyrighted"]),
        ("/.env", ["cat /.env", "／ .env"], [".env", "a.env", "／env"]),
        ("_x-ray_", ["__x_ray__", " x ray "], ["xrays", "x-raying _x-rayed"]),
    ],
)
def test_where_a_term_has_a_separator_at_its_end_there_is_one(query: str, held: list[str], others: list[str]) -> None:
    matcher = TermMatcher((make_term(normalise(query), {}, {}),), 1)
    assert [text for text in held + others if matcher.match(normalise(f"前{text}後"))] == held


@pytest.mark.parametrize(("query", "line"), BEGUN)
def test_a_word_with_a_star_behind_it_is_found_where_words_begin_so(query: str, line: str) -> None:
    matcher = TermMatcher((make_term(normalise(query).strip('"'), {}, {}),), 1)
    assert matcher.match(normalise(line)) is not None


@pytest.mark.parametrize("query", ["a*", "a_*", "*", "*abc"])
def test_a_star_is_a_character_behind_a_single_letter_and_before_a_word(query: str) -> None:
    matcher = TermMatcher((make_term(normalise(query), {}, {}),), 1)
    assert matcher.match(normalise("a a_b abc xabc")) is None


@pytest.mark.parametrize(("query", "line"), VOWELS)
def test_a_long_vowel_at_the_end_may_be_there_or_not(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    assert serve_line(workspace, serve, line).find(query).places() == {("x.md", 4)}


@pytest.mark.parametrize(("query", "line"), MARKS)
def test_the_mark_between_a_number_and_what_it_counts_may_be_another(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    found = serve_line(workspace, serve, line).find(query)
    assert found.places() == {("x.md", 4)}
    assert found.lines["matched"] == 1


def test_a_term_broken_over_two_lines_is_found_on_the_first(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n前置き。利用\n規約を読む。\n")
    assert serve().find("利用規約").places() == {("x.md", 3)}


def test_a_shipped_synonym_is_found(workspace: WorkspaceFolder, serve: Serve) -> None:
    assert serve_line(workspace, serve, "サインイン").find("ログイン").places() == {("x.md", 4)}


@pytest.mark.parametrize("query", ["log in", "How do I log in?", '"log in"'])
def test_a_synonym_of_two_words_is_found(workspace: WorkspaceFolder, serve: Serve, query: str) -> None:
    found = serve_line(workspace, serve, "a button to sign in").find(query)
    assert found.places() == {("x.md", 4)}
    assert found.status == "found"


def test_words_that_are_not_side_by_side_have_no_synonym_together(workspace: WorkspaceFolder, serve: Serve) -> None:
    assert serve_line(workspace, serve, "a button to sign in").find("in log").status == "absent"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("refunds", "You are reimbursed in May."),
        ("vacations", "Annual leave is granted."),
        ("paid time off", "Annual leave is granted."),
        ("days off", "Time off is granted."),
        ("attorney", "Lawyers are heard."),
        ("my holiday photos", "Pictures are kept."),
        ("sign-in", "The login page."),
        ("indexes", "The indices are kept."),
        ("14", "Within fourteen days."),
        ("thirty-one", "It has 31 rows."),
        ("criteria", "No criterion is met."),
    ],
)
def test_english_synonyms_are_found_in_other_forms(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    assert serve_line(workspace, serve, line).find(query).places() == {("x.md", 4)}


@pytest.mark.parametrize(("query", "line"), [("vehicle", "The card is carried."), ("footpath", "pavements")])
def test_an_english_synonym_is_no_part_of_another_word(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    found = serve_line(workspace, serve, line).find(query)
    assert found.status == ("found" if line == "pavements" else "absent")


def test_a_particle_of_a_known_phrase_is_no_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    found = serve_line(workspace, serve, "the back office")
    assert found.find("money back").status == "absent"
    assert found.find("back office").lines["matched"] == 1


@pytest.mark.parametrize(("query", "line"), [("ガソリン代は出ますか", "燃料費"), ("お見舞いはいつできますか", "面会")])
def test_a_synonym_of_several_scripts_is_told_in_a_sentence(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    assert serve_line(workspace, serve, line).find(query).places() == {("x.md", 4)}


def test_a_proviso_is_found_however_it_is_spelt(workspace: WorkspaceFolder, serve: Serve) -> None:
    assert serve_line(workspace, serve, "第三条ただし書").find("但し書").lines["matched"] == 1


def test_the_users_own_synonym_is_found(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "synonyms.txt").write_text("# own\n車輌, 乗物 , クルマ\n", "utf-8")
    manuals = serve_line(workspace, serve, "乗物")
    assert manuals.find("車輌").places() == {("x.md", 4)}
    assert manuals.find("クルマ").places() == {("x.md", 4)}


def test_the_users_own_synonyms_are_normalised_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "synonyms.txt").write_text("\ufeffＶＰＮ,仮想私設網\r\n", "utf-8")
    assert serve_line(workspace, serve, "仮想私設網").find("vpn").places() == {("x.md", 4)}


def test_the_users_synonyms_leave_the_shipped_ones_in_place(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "synonyms.txt").write_text("ログイン, 入場\n", "utf-8")
    manuals = serve_line(workspace, serve, "サインイン")
    assert manuals.find("ログイン").places() == {("x.md", 4)}


def test_a_synonym_is_a_loose_match(workspace: WorkspaceFolder, serve: Serve) -> None:
    (item,) = serve_line(workspace, serve, "サインイン").find("ログイン").hits()
    assert item["signals"] == ["loose"]


def test_an_exact_match_ranks_before_a_loose_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\nここに利・用・規・約がある。\n")
    workspace.write("m/b.md", "# 題\n\nここに利用規約がある。\n")
    assert [item["path"] for item in serve().find("利用規約").hits()] == ["b.md", "a.md"]


def test_how_many_lines_match_does_not_depend_on_their_neighbours(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("together/x.md", "# 題\n\n利用規約がある。\n利用・規約がある。\n")
    workspace.write("apart/x.md", "# 題\n\n利用規約がある。\n")
    workspace.write("apart/y.md", "# 題\n\n利用・規約がある。\n")
    manuals = serve()
    together, apart = (
        manuals.find("利用規約", manual_id=name, max_stage=3).lines["matched"] for name in ("together", "apart")
    )
    assert together == apart


def test_words_of_one_kanji_each_are_looked_for_where_the_whole_stands_nowhere(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 題\n\n前置き。\n\n## 節\n\n赤い旗は、危ないものを積む船が掲げる。\n")
    workspace.write("m/y.md", "# 別\n\nほかのこと。\n")
    serving = serve()
    found = serving.find("赤い旗を掲げる船は何ですか")
    assert [(item["path"], item["start_line"]) for item in found.hits()] == [("x.md", 7)]
    assert found.lines["matched"] == 0
    assert serving.find("赤い旗").lines["matched"] == 1


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("どこに逃げた？", "市民は南へ逃れた。"),
        ("จุลศักราชの読み", "จุลศักราช という暦。"),
        ("Москва́の読み", "Москва́ という町。"),
        ("한국어の読み", "한국어 という言葉。"),
        ("≪≫の読み", "≪≫ という印。"),
    ],
)
def test_a_word_without_runs_is_known_by_what_it_has(
    workspace: WorkspaceFolder, serve: Serve, query: str, line: str
) -> None:
    workspace.write("m/y.md", "# 別\n\nほかのこと。\n")
    found = serve_line(workspace, serve, line).find(query)
    assert [(item["path"], item["start_line"]) for item in found.hits()] == [("x.md", 4)]
    assert found.status == "absent"


def test_what_a_rare_script_says_comes_before_a_common_character(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(80):
        workspace.write(f"m/a{number:02}.md", f"# 題{number}\n\n読む。\n")
    workspace.write("m/z.md", "# 暦\n\nタイの暦は、จุลศักราช と言い、千年以上の歴史がある。\n")
    assert serve().find("จุลศักราช読み").hits()[0]["path"] == "z.md"


def test_a_passage_with_most_of_a_question_and_none_of_its_terms_is_a_candidate_and_no_match(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/near.md", "# 題\n\n基礎的な控除を申告する者の期限は五日。\n")
    for number in range(20):
        workspace.write(f"m/{number}.md", f"# 別{number}\n\n図書館の本を借りる。\n")
    # As many as keep the words inside the terms from being looked for.
    for name in "abc":
        workspace.write(f"m/{name}.md", f"# {name}\n\n基礎控除の額。\n")
    found = serve().find("基礎控除 申告期限")
    assert {hit["path"]: hit["signals"] for hit in found.hits()}.pop("near.md") == ["loose"]
    assert (len(found.hits()), found.lines["matched"]) == (4, 3)


def test_a_signal_is_found_by_its_short_name_as_a_whole_word(workspace: WorkspaceFolder, serve: Serve) -> None:
    signals = "# Signals\n\n- `HUP`: reload.\n\n- `TTIN`: one more.\n"
    workspace.write("m/a.md", f"{signals}\n# Other\n\nA chupa, a sighupper.\n")
    found = serve().find("what does SIGHUP do")
    assert (found.lines["matched"], found.places()) == (2, {("a.md", 3), ("a.md", 9)})
