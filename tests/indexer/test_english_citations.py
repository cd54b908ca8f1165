"""What English lines say about other places, in words, and what English headings are called."""

import pytest

from .citing import parse, shown


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("See section 3.2 for more.", ["section 3.2"]),
        ("Sections 3.2 and § 4.1 say so.", ["section 3.2", "section 4.1"]),
        ("as Chapter 4 shows", ["chapter 4"]),
        ("Appendix B lists them", ["appendix b"]),
        ("section 5 of the Privacy Act", ["privacy act section 5"]),
        ("RFC 9110 section 5", ["rfc 9110 section 5"]),
        ("section 5 of [RFC 9110](https://example.org/9110#section-5)", ["rfc 9110 section 5"]),
        ("section 5 of \\[RFC9110\\] and section 6 of the **Code**", ["rfc9110 section 5", "code section 6"]),
        ("[RFC 9110](https://example.org/9110), Section 5", ["rfc 9110 section 5"]),
        ("[RFC 1122][half] (section 4.2)", ["rfc 1122 section 4.2"]),
        ("NIST SP 800-53 section 4.2", ["nist sp 800-53 section 4.2"]),
        ("ISO/IEC 27001:2022, section 5", ["iso/iec 27001:2022 section 5"]),
        ("\\[RFC9110\\] Section 3", ["rfc9110 section 3"]),
        ('section 5 of the "Privacy Act" of 1974', ["privacy act section 5"]),
        ("section B(5)", ["section b.5"]),
        ("Sections 3.2, 4 and 5.1 apply.", ["section 3.2", "section 4", "section 5.1"]),
        ("Sections 2 through 4, or 7.1-7.3", [f"section {n}" for n in ("2", "3", "4", "7.1", "7.2", "7.3")]),
        ("§§ 4 and 5 of the Privacy Act", ["privacy act section 4", "privacy act section 5"]),
        ("Chapters 1 to 2, see Appendices C and D", ["chapter 1", "chapter 2", "appendix c"]),
        ("Section 3, 4 people and Sections 5 and a few", ["section 3", "section 5"]),
        ("Sections 5, A Company", ["section 5"]),
        ("SOP-014, section 5, and section 6 of QM-2. Part of it.", ["sop-014 section 5", "qm-2 section 6"]),
        ("SHA-256 (Section 3) and UTF-8, section 9", ["section 3", "utf-8 section 9"]),
        ("Section 5 of the Handbook. The rest; section 2 in U.S. Code.", ["handbook section 5", "u.s. code section 2"]),
        ("Section 4.2を参照。Chapter 4の表とAppendix Cに示す。", ["section 4.2", "chapter 4", "appendix c"]),
        ("Sections 4.2 and 5.1に従う", ["section 4.2", "section 5.1"]),
        ("Chapter 4つ、section 3.14159", []),
        ("this section a lot, intersection 3, the chapter", []),
    ],
)
def test_english_text_names_places_in_words(line: str, expected: list[str]) -> None:
    text = f"# Guide\n\n{line}\n\n## Section 3\n"
    assert [shown(reference) for reference in parse(text, "guide.md").references] == expected


def test_parts_with_roman_numbers_are_sections_and_have_letters_inside() -> None:
    text = (
        "# Code\n\n## I. Scope\n\nPart III; Section II.B and Section II(A), Section III.C.\n\n"
        "Part V, part ii, Part C.\n\n## II. Duties\n\n### A. Gifts\n\n### B. Reports\n\n## III. Complaints\n"
    )
    assert [shown(one) for one in parse(text, "code.md").references] == [
        "section iii",
        "section ii.b",
        "section ii.a",
    ]


def test_of_a_part_of_a_schedule_the_schedule_is_cited() -> None:
    text = (
        "# Deed\n\nPart B of Schedule 2; section 3 of Annex A, section 4 of Annex X.\n\n## Schedule 2\n\n## Annex A\n"
    )
    assert [shown(one) for one in parse(text, "deed.md").references] == [
        "schedule 2",
        "annex a",
        "annex x section 4",
        "annex x",
    ]


def test_an_english_heading_does_not_cite_its_own_number() -> None:
    text = "# Guide\n\n## Chapter 1: Hours\n\n## **Appendix B** to Chapter 1\n"
    assert [(one.line, shown(one)) for one in parse(text, "guide.md").references] == [(5, "chapter 1")]


def test_words_that_a_link_shows_mean_where_it_leads() -> None:
    text = (
        "# Guide\n\n## 3.2 Setup\n\n- [Section 3.2](https://example.org/spec#s3.2)\n- [Section 9](other.md)\n"
        "- [Section 3.2](#32-setup)\n"
    )
    references = parse(text, "guide.md").references
    assert [(one.line, one.kind) for one in references] == [(6, "link"), (7, "link"), (7, "section")]


def test_words_that_a_link_shows_mean_where_it_leads_however_it_is_written() -> None:
    text = (
        "# Guide\n\n## 3.2 Setup\n\n"
        "- [Section 3.2][] of the specification, [Section 7.1], [the rule,\n  section 7.2][spec]\n"
        '- <a href="https://example.org/#8">Section 8</a>\n- ![Section 9](nine.png)\n'
        "- [Section 3.2][own], section 10\n\n"
        "[Section 3.2]: https://example.org/spec#s3.2\n[Section 7.1]: https://example.org/spec#s7.1\n"
        "[spec]: https://example.org/spec\n[own]: #32-setup\n"
    )
    references = parse(text, "guide.md").references
    assert [(one.line, one.kind, one.name) for one in references] == [
        (9, "link", "~32setup"),
        (9, "section", "section 3.2"),
        (9, "section", "section 10"),
    ]


def test_english_headings_are_named() -> None:
    text = (
        "# Guide\n\n## 3 Setup.\n\n## 3. Use\n\n### 3.2 More\n\n## Appendix B: Words\n\n## B. Terms\n\n### 5. Added\n\n"
        "## Chapter 7\n\n### 2. Parts\n"
    )
    places = {place.name: place.line for place in parse(text, "guide.md").names if place.name[:1].isalpha()}
    assert places == {
        "section 3": 5,
        "section 3.2": 7,
        "appendix b": 9,
        "section b": 11,
        "section b.5": 13,
        "section 5": 13,
        "chapter 7": 15,
        "section 7.2": 17,
        "section 2": 17,
    }


def test_the_sections_of_an_appendix_are_places() -> None:
    text = (
        "# Protocol\n\nSee Appendix B.1, appendix B.2, Section B.1 and Appendix B.9.\n\n"
        "## Appendix B. Attacks\n\n### B.1. Replay\n\n### B.2 Delay\n"
    )
    found = parse(text, "protocol.md").references
    assert [shown(one) for one in found] == ["section b.1", "section b.2", "appendix b"]
