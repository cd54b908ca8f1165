"""Which document is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.references.named_documents import NamedDocument, NamedDocuments

PATHS = {
    1: ("guide/essentials/list.md", ("list",)),
    2: ("guide/index.md", ("index",)),
    3: ("api/list.md", ("list",)),
    4: ("essentials/forms.md", ("forms",)),
    5: ("a/就業規則.md", ("就業規則",)),
    6: ("b/就業規則.md", ("就業規則",)),
    7: ("所得税法.md", ("所得税法",)),
    8: ("景品.md", ("不当景品類及び不当表示防止法",)),
    9: ("b/c.json", ("c",)),
    10: ("b/c.md", ("c",)),
    11: ("個人情報.md", ("個人情報の保護に関する法律",)),
    13: ("c/育児・介護休業規程.md", ("育児・介護休業規程",)),
    14: ("c/給与規定.md", ("給与規定",)),
    15: ("d/介護規程.md", ("介護規程",)),
    16: ("d/介・護規程.md", ("介・護規程",)),
    12: ("content/handbook/leave/_index.md", ("休暇",)),
}
DOCUMENTS = NamedDocuments(NamedDocument(number, *document) for number, document in PATHS.items())


@pytest.mark.parametrize(
    ("called", "folder", "expected"),
    [
        ("/guide/essentials/list", "", 1),
        ("/Guide/Essentials/List", "", 1),
        ("/site/ja/guide/essentials/list", "", 1),
        ("/essentials/list", "", 1),
        ("/list", "", None),
        ("/forms", "", 4),
        ("/guide/essentials/forms", "", 4),
        ("/guide/", "", 2),
        ("/ja/guide/", "", 2),
        ("/other/index", "", None),
        ("/handbook/leave/", "", 12),
        ("/b/c", "", 10),
        ("/b/c.json", "", 9),
        ("就業規則", "a", 5),
        ("就業規則", "b/deeper", 6),
        ("就業規則", "", None),
        ("所得税法", "x", 7),
        ("又は所得税法", "", 7),
        ("旧所得税法", "", None),
        ("改正前の所得税法", "", None),
        ("不当表示防止法", "", 8),
        ("育児介護休業規程", "", 13),
        ("育児介護・休業規定", "", 13),
        ("給与規程", "", 14),
        ("介護規程", "", 15),
        ("介護規定", "", None),
        ("行政機関の保有する個人情報の保護に関する法律", "", None),
        ("及び個人情報の保護に関する法律", "", 11),
        ("法人税法", "", None),
    ],
)
def test_a_document_is_found_by_what_it_is_called(called: str, folder: str, expected: int | None) -> None:
    assert DOCUMENTS.find(called, folder) == expected


OF_AN_OFFICE = NamedDocuments(
    NamedDocument(number, *document)
    for number, document in enumerate(
        [
            ("甲/01_就業規則.md", ("就業規則", "01_就業規則")),
            ("甲/README.md", ("株式会社甲 就業規則", "就業規則", "readme")),
            ("甲/11_就業規則.md", ("短時間社員 就業規則", "就業規則", "11_就業規則")),
            ("乙/README.md", ("株式会社乙 就業規則", "就業規則", "readme")),
            ("丙/a.md", ("短時間社員 就業規則", "就業規則")),
            ("丙/b.md", ("嘱託社員 就業規則", "就業規則")),
        ]
    )
)


@pytest.mark.parametrize(("folder", "expected"), [("甲", 0), ("乙", 3), ("丙", None), ("", 0)])
def test_of_the_rules_of_one_folder_those_without_more_to_their_name_are_meant(
    folder: str, expected: int | None
) -> None:
    assert OF_AN_OFFICE.find("就業規則", folder) == expected
    assert OF_AN_OFFICE.find("役員及び就業規則", folder) == expected


NUMBERED = NamedDocuments(
    NamedDocument(number, path, ())
    for number, path in enumerate(
        [
            "01-app/index.md",
            "01-app/02-guides/03-forms.md",
            "01-app/03-api/05-config/basePath.md",
            "02-pages/04-api/04-config/basePath.md",
            "1. setup/2. first steps.md",
            "03-intro.md",
            "04-intro.md",
            "app/plain.md",
            "01-app/plain.md",
            "2024-05-notes.md",
            "notes.md",
        ]
    )
)


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ("/app", 0),
        ("/docs/app/", 0),
        ("/docs/app/guides/forms", 1),
        ("/01-app/02-guides/forms", 1),
        ("/docs/app/api/config/basePath", 2),
        ("/docs/pages/api/config/basePath", 3),
        ("/setup/first steps", 4),
        ("/docs/04-intro", 6),
        ("/docs/intro", None),
        ("/docs/app/plain", 7),
        ("/01-app/plain", 8),
        ("/05-notes", None),
        ("/blog/2024-notes", None),
    ],
)
def test_a_site_leaves_out_the_numbers_that_put_files_in_order(called: str, expected: int | None) -> None:
    assert NUMBERED.find(called, "") == expected


@pytest.mark.parametrize("others", [["guides/runtime/shell.md"], [f"{name}/runtime/shell.md" for name in "abcdefgh"]])
def test_of_paths_with_the_same_end_the_one_is_meant_that_is_the_whole_end(others: list[str]) -> None:
    paths = ["runtime/shell.md", *others]
    documents = NamedDocuments(NamedDocument(number, path, ()) for number, path in enumerate(paths))
    assert documents.find("/docs/runtime/shell", "") == 0


steps = st.lists(st.sampled_from(["a", "b", "index", "readme"]), min_size=1, max_size=4).map("/".join)


def shared(one: str, other: str) -> int:
    pairs = list(zip(one.split("/"), other.split("/"), strict=False))
    return next((place for place, (first, second) in enumerate(pairs) if first != second), len(pairs))


@given(st.sets(steps, min_size=1, max_size=12), steps)
def test_of_many_of_one_name_the_one_is_meant_that_shares_most_folders(folders: set[str], here: str) -> None:
    places = sorted(folders)
    documents = NamedDocuments(NamedDocument(n, f"{folder}/{n}.md", ("name",)) for n, folder in enumerate(places))
    most = max(shared(folder, here) for folder in places)
    nearest = [n for n, folder in enumerate(places) if shared(folder, here) == most]
    assert documents.find("name", here) == (nearest[0] if len(nearest) == 1 else None)


@given(st.sets(steps, min_size=1, max_size=12), steps)
def test_of_many_paths_the_one_is_meant_that_shares_most_steps_at_the_end(paths: set[str], called: str) -> None:
    places = sorted(paths)
    documents = NamedDocuments(NamedDocument(n, f"{path}.md", (str(n),)) for n, path in enumerate(places))
    reached = [(path, n) for n, path in enumerate(places)]
    reached += [(path.rpartition("/")[0], n) for path, n in reached if path.split("/")[-1] in ("index", "readme")]
    if exact := sorted((f"{places[n]}.md", n) for path, n in reached if path == called):
        assert documents.find(f"/{called}", "") == exact[0][1]
        return
    ends = [(shared(_backwards(path), _backwards(called)), path, n) for path, n in reached]
    is_index = called.split("/")[-1] in ("index", "readme")
    fit = [
        (common, n)
        for common, path, n in ends
        if common > 1 or (common == 1 and not is_index and ("/" not in path or "/" not in called))
    ]
    most = max((common for common, _ in fit), default=0)
    best = {n for common, n in fit if common == most}
    # Of several, those that have no other steps: their root lies somewhere in the site.
    whole = sorted((f"{places[n]}.md", n) for path, n in reached if path == "/".join(called.split("/")[-most:]))
    expected = best.pop() if len(best) == 1 else whole[0][1] if best and whole else None
    assert documents.find(f"/{called}", "") == expected


def _backwards(path: str) -> str:
    return "/".join(path.split("/")[::-1])
