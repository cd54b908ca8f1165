"""What a list of releases says once of a version comes behind what a page says now, unless it is asked for."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.ranking.releases import asks_for_release, is_release

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


NOTES = ["ChangeLog.md", "change_log.md", "CHANGELOGS.md", "Release Notes/3.md", "release-note.md", "releasenotes.md"]
NOTES += [
    "whatsnew.md",
    "What's New.md",
    "whats-new/3.md",
    "3.2-changes.md",
    "2024-history.md",
    "v5-releases.md",
    "5-news.md",
]
NOTES += ["変更履歴.md", "更新履歴/三.md", "改訂履歴.md", "改版履歴.md", "リリースノート.md", "リリース ノート.md"]


@pytest.mark.parametrize("path", NOTES)
def test_some_files_are_of_nothing_but_releases(path: str) -> None:
    assert is_release(path, "Repairs")


@pytest.mark.parametrize(
    "name", ["history", "changes", "news", "release", "releases", "kettle-news", "the kettle history", "history/2024"]
)
def test_of_some_files_those_sections_are_whose_titles_are_versions(name: str) -> None:
    titles = ["2.4", "v2.4.0", "Version 2.4.0.1", "Release 12.4", "2.4.0-rc.1", "2.4b2", "[2.4.0+build]", '"2.4"']
    assert [title for title in titles if is_release(f"{name}.md", title) and not is_release("a.md", title)] == titles


MONTHS = "January February March April May June July August September October November December".split()


@pytest.mark.parametrize(
    "date",
    [
        *(f"{month} 22, 2025" for month in MONTHS),
        *(f"{month[:3]} 3 2025" for month in MONTHS),
        *("2025-02-22", "2025/2/3", "2025.02.22", "2025年2月3日", "2025年12月22日", "22 Sept. 2025", "3 May 2025"),
    ],
)
def test_a_version_with_a_date_is_a_release_wherever_it_stands(date: str) -> None:
    titles = ["2.4.0 - {}", "2.4.0 ({})", "2.4.0, released on {}", "2.4.0: released {}", "2.4.0 / {}", "2.4.0 -- on {}"]
    assert [title for title in titles if is_release("a.md", title.format(date))] == titles


ASKING = (
    "changelog changelogs change-log change changes changed changing release releases released history new news add "
    "adds added remove removes removed removal removing fix fixes fixed fixing bug bugs introduce introduces "
    "introduced introducing deprecated deprecation version versions since no-longer drop drops dropped upgrade "
    "upgrading update migrate migration breaking 2.4 v2 v2.4 10.4.1 "
    "変更 追加 廃止 削除 非推奨 修正 履歴 リリース バージョン 移行 いつから 第3版"
)
NOT_ASKING = "newest address fixture exchange prefix conversion droplet d103.97 rev2 変数 版権"


def test_some_words_ask_for_what_a_release_brought() -> None:
    asked = {word.replace("no-longer", "no longer"): None for word in ASKING.split()}
    assert [word for word in asked if asks_for_release(normalise(f"kettle {word} noise"))] == [*asked]
    assert [word for word in NOT_ASKING.split() if asks_for_release(normalise(f"kettle {word} noise"))] == []


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
