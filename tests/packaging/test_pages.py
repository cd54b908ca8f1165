"""The pages for people: what they link to is there, and the two languages say the same."""

import re
from pathlib import Path

import pytest
from docs import generate

from morenashi.indexer.config import Config

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as its readers make them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:", target):
            path, _, anchor = target.partition("#")
            linked = ((ROOT / page).parent / path).resolve() if path else ROOT / page
            assert linked.exists(), target
            assert not anchor or not path.endswith(".md") or anchor in headings(linked), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith(".ja.md")])
def test_a_page_of_two_languages_has_the_same_parts_in_both(page: str) -> None:
    english, japanese = ((ROOT / name).read_text("utf-8") for name in (page.replace(".ja.md", ".md"), page))
    for what in (r"^#+ ", r"^\| `", r"^- ", r"^```\w*$"):
        assert len(re.findall(what, english, re.M)) == len(re.findall(what, japanese, re.M)), what
    names = re.compile(r"^\| `([^`]+)`", re.M)
    assert names.findall(english) == names.findall(japanese)


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
