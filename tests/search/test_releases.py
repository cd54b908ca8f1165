"""What a list of releases says once of a version comes behind what a page says now, unless it is asked for."""

import pytest

from morenashi.server.search.ranking.releases import is_release

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

_NEWS = "Ships kettles with a whistle.\n"
_GUIDE = "# Guide\n\n## Noise\n\nShips kettles with a whistle or with a bell.\n"


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("CHANGELOG.md", "Fixed"),
        ("docs/release-notes.md", "0.13.5"),
        ("a-changelog/more.md", "Other"),
        ("変更履歴.md", "二版"),
        ("history.md", "2.4.0"),
        ("2024-news.md", "19.1 / 2014-07-26"),
        ("2024-news.md", "Repairs"),
        ("about.md", "[1.4.1](https://example.com/v1.4.1) - 2022-08-13"),
        ("about.md", "Version 0.46.0 (February 22, 2025)"),
        ("about.md", "v9.12.0 (2026-02-21)"),
        ("about.md", "2.0 — 3 May 2024"),
        ("about.md", "[3.0.0] - Unreleased"),
    ],
)
def test_a_page_comes_before_what_a_release_brought(
    workspace: WorkspaceFolder, serve: Serve, path: str, heading: str
) -> None:
    workspace.write(f"m/{path}", f"# All of it\n\n## {heading}\n\n{_NEWS}")
    workspace.write("m/z-guide.md", _GUIDE)
    manuals = serve()
    assert [hit["path"] for hit in manuals.find("kettle whistle").hits("integrated_top")] == ["z-guide.md", path]


@pytest.mark.parametrize(
    "asking",
    [
        *("{} changelog", "when was the {} added", "{} in 2.4.0", "what is new: {}", "since which version {}"),
        *("{} 変更", "was the {} removed", "upgrade {}"),
    ],
)
def test_what_a_release_brought_comes_first_where_a_change_is_asked_for(
    workspace: WorkspaceFolder, serve: Serve, asking: str
) -> None:
    workspace.write("m/CHANGELOG.md", f"# All of it\n\n## Notes\n\n{_NEWS}")
    workspace.write("m/z-guide.md", _GUIDE)
    assert serve().find(asking.format("kettle whistle")).hits("integrated_top")[0]["path"] == "CHANGELOG.md"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("history.md", "Search the history"),
        ("news.md", "Newsletter"),
        ("a.md", "7.2. Dependencies"),
        ("a.md", "7.2"),
        ("a.md", "2.3 Rules of 2024"),
        ("a.md", "2024-05-01"),
        ("logbook.md", "Changes"),
        ("a.md", "10.5 mm (2024 model)"),
    ],
)
def test_what_only_has_a_number_or_such_a_name_is_no_release(path: str, title: str) -> None:
    assert not is_release(path, title)
