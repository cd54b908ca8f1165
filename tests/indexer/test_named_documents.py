"""Which document is meant."""

import pytest

from morenashi.indexer.named_documents import NamedDocument, NamedDocuments

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
        ("行政機関の保有する個人情報の保護に関する法律", "", None),
        ("及び個人情報の保護に関する法律", "", 11),
        ("法人税法", "", None),
    ],
)
def test_a_document_is_found_by_what_it_is_called(called: str, folder: str, expected: int | None) -> None:
    assert DOCUMENTS.find(called, folder) == expected
