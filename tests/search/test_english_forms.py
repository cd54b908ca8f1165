"""The forms of English words, and what a form is one of."""

import re

import pytest

from morenashi.server.search.question.english_forms import bases_of, forms_of, word_patterns
from morenashi.server.search.question.terms import blank_separators, synonyms_of
from morenashi.server.search.question.together import find_phrases

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("refund", {"refund", "refunds", "refunded", "refunding"}),
        ("salary", {"salary", "salaries"}),
        ("plan", {"plan", "plans", "planned", "planning"}),
        ("wage", {"wage", "wages", "waged", "waging"}),
        ("tax", {"tax", "taxes", "taxed", "taxing"}),
        ("pc", {"pc"}),
        ("2fa", {"2fa"}),
    ],
)
def test_a_word_has_the_forms_that_its_stem_has(word: str, forms: set[str]) -> None:
    assert forms <= set(forms_of(word))


@pytest.mark.parametrize(
    ("form", "base"),
    [("refunds", "refund"), ("salaries", "salary"), ("planned", "plan"), ("waging", "wage"), ("taxes", "tax")],
)
def test_a_form_leads_to_what_it_is_one_of(form: str, base: str) -> None:
    assert base in list(bases_of(form))


@pytest.mark.parametrize(
    ("text", "known"),
    [("wi-fi", "wi-fi"), ("sign-in", "sign in"), ("days off", "day off"), ("paid holidays", "paid holiday")],
)
def test_a_phrase_has_the_synonyms_of_what_it_is_a_form_of(text: str, known: str) -> None:
    assert synonyms_of(text, {known: ("x",)}) == ("x",)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("annual leave", True),
        ("annual-leave", True),
        ("annual\nleaves", True),
        ("biannual leave", False),
        ("annual leaver", False),
        ("annual and leave", False),
    ],
)
def test_a_phrase_is_found_as_whole_words(text: str, is_found: bool) -> None:
    (pattern,) = word_patterns(["annual leave"])
    assert (re.search(pattern, blank_separators(text)) is not None) == is_found


def test_the_longest_phrase_that_begins_at_a_place_is_taken() -> None:
    known = {"sick leave", "sick leave pay", "pay day"}
    assert list(find_phrases(["my", "sick", "leave", "pay", "day"], known.__contains__)) == [(1, 4)]


@pytest.mark.parametrize(
    ("asked", "matched"),
    [("What APIs exist?", 2), ("PDFs", 1), ("IDs", 1), ("how many VMs", 2), ('"PDFs"', 1), ("apis", 0)],
)
def test_an_acronym_in_the_plural_is_found_in_the_singular_as_a_word(
    workspace: WorkspaceFolder, serve: Serve, asked: str, matched: int
) -> None:
    lines = (
        "An API is there.",
        "The REST-API.",
        "A PDF.",
        "Each VM has an ID.",
        "Some VMs.",
        "Rapid, provided envmail.",
    )
    workspace.write("m/x.md", "# Names\n\n" + "\n\n".join(lines) + "\n")
    assert serve().find(asked).lines["matched"] == matched


@pytest.mark.parametrize(
    "asked", ["naïve", "naive", "What's a naïve way?", "Zürich", "zurich", "Pokémonのカードを交換する方法を知りたい"]
)
def test_a_word_with_an_accent_is_one_word_and_is_the_same_without_it(
    workspace: WorkspaceFolder, serve: Serve, asked: str
) -> None:
    for number, (accented, bare) in enumerate([("naïve", "naive"), ("Zürich", "Zurich"), ("Pokémon", "Pokemon")]):
        workspace.write(f"m/{number}.md", f"# One\n\nIt is {accented}.\n\n# Two\n\nIt is {bare}.\n")
    workspace.write("m/x.md", "# Names\n\nA name has nature, very rich; pokes, a month.\n")
    found = serve().find(asked)
    assert (found.lines["matched"], len(found.hits()), len(found.paths())) == (2, 2, 1)
