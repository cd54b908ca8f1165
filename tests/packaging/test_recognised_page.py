"""Every example of the page about what is recognised is, and every counterexample is not, in both languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..contract.paired import serving_pairs
from ..indexer.citing import parse
from ..indexer.excepting import kinds
from ..workspaces import WorkspaceFolder

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("recognised.md", "recognised.ja.md")
REFERENCES, EXCEPTIONS, CONFLICTS = range(3)
_NOTHING = re.compile("nothing of these|どれでもない")
_CONFLICT = re.compile("a conflict|矛盾")

# What the examples cite, and where they stand.
JAPANESE = (
    "# 試験規程\n\n## 第一章　総則\n\n"
    + "".join(f"### 第{number}条\n\n１　甲。\n\n２　乙。\n\n" for number in range(1, 9))
    + "## 第二章　雑則\n\n### 第二十条（届出）\n\n{} を見よ。\n\n### 第二十一条\n\n## 第三章　補則\n\n本文。\n\n"
    "## 2.2 準備\n\n## 3.2 手順\n\n## 4. 点検\n\n図2　配線\n\n表1　一覧\n\n表2　一覧\n\n表3　一覧\n\n## お手入れ\n"
)
ENGLISH = (
    "# Agreement\n\n## Part III Duties\n\n"
    + "".join(f"### {number} Terms\n\n### {number}.2 Fees\n\n### {number}.3 Limits\n\n" for number in range(1, 10))
    + "### 12 Notices\n\nSee {}.\n\n### 13 Law\n\n## Section II.B\n\n## Appendix C\n\n## Schedule 2\n\n"
    "## Annex II\n\n## Chapter 4\n\nTable 2. Rates\n\nFigure 1. Plan\n\nFigure 2. Plan\n\nFigure 3. Plan\n"
)


def rows(page: str, part: int) -> Iterator[list[str]]:
    """The rows of the table in a part of the page, without its head."""
    text = (DOCS / page).read_text("utf-8").split("\n## ")[part + 1]
    for line in re.findall(r"^\| (.*) \|$", text, re.M)[2:]:
        yield line.split(" | ")


def examples(part: int) -> list[tuple[str, bool]]:
    """Each example of a part, once, and whether it is one."""
    found = {}
    for page in PAGES:
        for what, cell in rows(page, part):
            for example in re.findall("`(.+?)`", cell):
                found[example] = not _NOTHING.match(what)
    return list(found.items())


def pairs() -> list[tuple[str, str, bool]]:
    """Each pair of the last part, once, and whether it is a conflict."""
    found = {}
    for page in PAGES:
        for one, other, verdict in rows(page, CONFLICTS):
            found[one.strip("`"), other.strip("`")] = bool(_CONFLICT.match(verdict))
    return [(*pair, is_conflict) for pair, is_conflict in found.items()]


@pytest.mark.parametrize(("example", "is_reference"), examples(REFERENCES))
def test_an_example_of_a_reference_is_one(example: str, is_reference: bool) -> None:
    text = ENGLISH if re.search("[a-z]", example) else JAPANESE
    assert bool(parse(text.replace("{}", example)).references) == is_reference


@pytest.mark.parametrize(("example", "is_exception"), examples(EXCEPTIONS))
def test_an_example_of_an_exception_is_one(example: str, is_exception: bool) -> None:
    assert bool(kinds(f"# 規程\n\n{example}\n")) == is_exception


def test_an_example_of_a_conflict_is_one(tmp_path: Path) -> None:
    shown = pairs()
    with serving_pairs(WorkspaceFolder(tmp_path), [(one, other) for one, other, _ in shown]) as served:
        for number, (one, _, is_conflict) in enumerate(shown):
            subject = re.search("[一-鿿ァ-ー]+", one)
            assert bool(served.conflict_kinds(number, subject[0] if subject else one)) == is_conflict, one
