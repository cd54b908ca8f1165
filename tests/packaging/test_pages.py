"""The pages for people: what they link to is there, and the two languages say the same."""

import re
from pathlib import Path

import pytest
from docs import generate
from markdown_it import MarkdownIt

from morenashi.indexer.config import Config

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
IN_JAPANESE = [page for page in PAGES if page.endswith(".ja.md")]


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as its readers make them."""
    titles = re.findall(r"^#+ (.+)$", without_code(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def english_of(page: str) -> str:
    return page.replace(".ja.md", ".md")


def in_both_languages(page: str) -> tuple[str, str]:
    """The text of a page in English and in Japanese, by the name of the Japanese one."""
    return (ROOT / english_of(page)).read_text("utf-8"), (ROOT / page).read_text("utf-8")


def shown_text(page: str) -> str:
    """The text of a page as its readers see it, without code."""
    blocks = MarkdownIt("commonmark").enable("table").parse((ROOT / page).read_text("utf-8"))
    return "\n".join(
        "".join(part.content for part in block.children if part.type == "text") for block in blocks if block.children
    )


def code_blocks(text: str) -> list[str]:
    """What stands in fences, without the remarks in it. Two kinds are left out: what is drawn (a tree of folders), and
    SQL, whose examples search for words of the page's language.
    """
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    typed = [code for language, code in fences if language not in ("", "sql") or code.startswith(">")]
    return [re.sub(r"(?:^|(?<=\s))\s*# .*$", "", code, flags=re.M) for code in typed]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page: str) -> None:
    # A link that is shown as an example leads nowhere.
    text = re.sub("`[^`\n]+`", "", without_code(ROOT / page))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:", target):
            path, _, anchor = target.partition("#")
            linked = ((ROOT / page).parent / path).resolve() if path else ROOT / page
            assert linked.exists(), target
            assert not anchor or linked.suffix != ".md" or anchor in headings(linked), target


@pytest.mark.parametrize("page", IN_JAPANESE)
def test_a_page_of_two_languages_has_the_same_parts_in_both(page: str) -> None:
    english, japanese = in_both_languages(page)
    for what in (r"^(#+) ", r"^\| `([^`]+)`", r"^```(\w*)$"):
        parts = re.compile(what, re.M)
        assert parts.findall(english) == parts.findall(japanese), what
    for what in (r"^- ", r"^\|"):
        assert len(re.findall(what, english, re.M)) == len(re.findall(what, japanese, re.M)), what


@pytest.mark.parametrize("page", IN_JAPANESE)
def test_what_can_be_typed_or_is_printed_is_the_same_in_both_languages(page: str) -> None:
    english, japanese = map(code_blocks, in_both_languages(page))
    assert english == japanese


@pytest.mark.parametrize("page", IN_JAPANESE)
def test_pages_of_two_languages_lead_to_each_other_at_their_top(page: str) -> None:
    english, japanese = in_both_languages(page)
    name = page.rpartition("/")[2]
    assert english.splitlines()[2] == f"*[日本語]({name})*"
    assert japanese.splitlines()[2] == f"*[English]({english_of(name)})*"


@pytest.mark.parametrize("page", IN_JAPANESE)
def test_a_page_in_japanese_leads_to_pages_in_japanese(page: str) -> None:
    _, _, below = (ROOT / page).read_text("utf-8").split("\n\n", 2)
    in_english = [name for name in re.findall(r"\]\(([^)#\s]+\.md)", below) if not name.endswith(".ja.md")]
    has_japanese = [name for name in in_english if ((ROOT / page).parent / name).with_suffix(".ja.md").exists()]
    assert has_japanese == []


@pytest.mark.parametrize("page", IN_JAPANESE)
def test_no_mark_of_emphasis_is_shown(page: str) -> None:
    """One behind a bracket and before a letter, as in `**主張（claim）**を`, closes nothing (CommonMark 6.2)."""
    assert "**" not in shown_text(page)


@pytest.mark.parametrize("page", PAGES)
def test_a_row_of_a_table_has_the_cells_of_its_head(page: str) -> None:
    """What stands in one too many is not shown: a bar within a cell has to be escaped."""
    tables = re.findall(r"(?:^\|.*\n)+", without_code(ROOT / page), re.M)
    for table in tables:
        head, *rows = [len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()]
        assert rows == [head] * len(rows), table


def test_bars_among_the_parameters_are_shown_as_they_are_typed() -> None:
    assert "a~b|c for a near b or c, or a question." in shown_text("docs/tools.md")


def test_the_limits_of_a_list_are_named() -> None:
    assert "| `places` | array of strings |  | 1 to 500 items |" in (ROOT / "docs" / "tools.md").read_text("utf-8")


def test_globs_and_placeholders_among_the_parameters_are_shown_as_they_are_typed() -> None:
    shown = shown_text("docs/tools.md")
    assert "As *.md, or from there plans/** or !plans/**." in shown
    assert "A file of the vault, or manuals/<id>/..." in shown


@pytest.mark.parametrize("page", ["docs/reference.md", "docs/reference.ja.md"])
def test_every_setting_is_in_the_table_of_settings(page: str) -> None:
    names = re.findall(r"^\| (`[A-Z][^|]+) \|", (ROOT / page).read_text("utf-8"), re.M)
    listed = {name for cell in names for name in re.findall(r"`([A-Z_]+)`", cell)}
    assert listed == {field.upper() for field in Config.model_fields}


def test_what_is_made_from_the_program_says_what_it_does_now() -> None:
    assert generate.main(["--check"]) == 0, "run `make docs`"


def test_a_number_names_one_decision() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    titles = [page.read_text("utf-8").splitlines()[0] for page in pages]
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    assert [title.split(".")[0] for title in titles] == [f"# {number}" for number in range(1, len(pages) + 1)]
