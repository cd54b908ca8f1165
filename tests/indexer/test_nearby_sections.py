"""Sections that English text names by where they stand."""

import pytest

from .citing import parse, shown

BOOK = """# Handbook

## Chapter 1: Hours

### 1.1 Day

{first}

### 1.2 Night

{second}

## Chapter 2: Leave

{third}

### Sick leave

### Unpaid leave

{fourth}
"""


def cited(**lines: str) -> list[str]:
    whole = {name: lines.get(name, "") for name in ("first", "second", "third", "fourth")}
    return [shown(one) for one in parse(BOOK.format(**whole), "handbook.md").references]


@pytest.mark.parametrize(
    ("where", "line", "expected"),
    [
        ("first", "Exceptions are listed in the next section.", ["section 1.2"]),
        ("second", "As in the immediately preceding section, and the foregoing Section.", ["section 1.1"]),
        ("second", "The next chapter is on leave.", ["chapter 2"]),
        ("third", "The previous chapter and the previous section.", ["chapter 1"]),
        ("fourth", "See the preceding section.", ["~sickleave"]),
        ("fourth", "See [the preceding section](#hours).", ["~hours"]),
        ("first", "The previous section. The previous chapter.", []),
        ("first", "The next section of your form; add the following section. The next sections.", []),
    ],
)
def test_the_section_beside_is_meant(where: str, line: str, expected: list[str]) -> None:
    assert cited(**{where: line}) == expected


def test_text_before_any_heading_has_no_section_beside() -> None:
    assert parse("See the next section.\n\n# A\n", "a.md").references == []
