"""What is given of a line that is too long, told by slow and plain means."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from morenashi.server.manuals.json_names import pointer_lines
from morenashi.server.manuals.long_lines import parts_of_line
from morenashi.server.manuals.matches import matches_in
from morenashi.server.reading import FileText

TERMS = ("鍵言葉", "別語")
MOST = 100


def some_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(3) if depth < 3 else 0
    if kind == 0:
        return "".join(chance.choice([*'あいうえおかき。{]\\"\n', *TERMS]) for _ in range(chance.randrange(30)))
    inner = [some_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return inner if kind == 1 else {f"k{number}": value for number, value in enumerate(inner)}


def records(text: str) -> Iterator[tuple[int, int]]:
    """Where the objects and arrays begin and end, as a parser says."""
    decoder, is_inside, is_escaped = json.JSONDecoder(), False, False
    for at, character in enumerate(text):
        if not is_inside and character in "[{":
            yield at, decoder.raw_decode(text, at)[1]
        is_inside ^= character == '"' and not is_escaped
        is_escaped = character == "\\" and not is_escaped


def test_every_match_is_given_and_the_largest_record_that_holds_it_whole() -> None:
    chance = random.Random(5)
    for _ in range(40):
        text = json.dumps([some_value(chance) for _ in range(4)], ensure_ascii=chance.random() < 0.3)
        file = FileText(text, "json")
        matches = matches_in(file, 0, len(text), TERMS)
        for best in (None, *[match.begin for match in matches[:1]]):
            parts = list(parts_of_line(file, 1, TERMS, best, MOST))
            assert all(0 <= start < end <= len(text) for start, end in parts)
            assert len(text) <= MOST or all(end - start <= 2 * MOST for start, end in parts)
            assert best is None or parts[0][0] <= best < parts[0][1]
            assert all(any(start <= one.begin and one.end <= end for start, end in parts) for one in matches)
            whole = [(start, end) for start, end in records(text) if end - start <= MOST]
            for match in matches:
                record = next((one for one in whole if one[0] <= match.begin and match.end <= one[1]), (len(text), 0))
                assert any(start <= record[0] and record[1] <= end for start, end in parts)


@pytest.mark.parametrize(("length", "is_whole"), [(2 * MOST, True), (2 * MOST + 1, False)])
def test_a_record_that_is_a_little_too_long_is_given_whole(length: int, *, is_whole: bool) -> None:
    record = f'["鍵言葉{"い" * (length - 7)}"]'
    text = f'["{"あ" * 300}", {record}, "{"あ" * 300}"]'
    ((start, end),) = parts_of_line(FileText(text, "json"), 1, TERMS, None, MOST)
    assert (text[start:end] == record) == is_whole


def test_a_record_that_is_cut_by_what_stands_around_the_best_match_is_given_by_itself() -> None:
    record = f'{{"k": "別語{"う" * 60}"}}'
    text = f'["{"あ" * 300}鍵言葉{"い" * 20}", {record}, "{"あ" * 300}"]'
    around, own = parts_of_line(FileText(text, "json"), 1, TERMS, text.index("鍵言葉"), MOST)
    assert "鍵言葉" in text[slice(*around)]
    assert text[slice(*own)] == record


@pytest.mark.parametrize("size", [0, 1])
def test_a_line_is_given_whole_up_to_its_limit_and_no_longer(size: int) -> None:
    file = FileText("あ" * (MOST + size), "md")
    assert list(parts_of_line(file, 1, TERMS, None, MOST)) == [(0, MOST)]


def test_what_stands_between_brackets_is_a_record_in_json_alone() -> None:
    text = f"{'あ' * 300}[鍵言葉{'い' * 20}]{'あ' * 300}"
    assert list(parts_of_line(FileText(text, "md"), 1, TERMS, 301, MOST)) == [(251, 351)]


@pytest.mark.parametrize(
    ("place", "heads"),
    [
        ('"鍵言葉1", "鍵言葉2"', "/a/0\n/a/1\n"),
        ('["鍵言葉1", "鍵言葉2"', "/a\n"),
        ('"b": "鍵言葉3"', "/b\n"),
        ('2"],\n "b": "鍵言葉3"', "/b\n"),
        ("\n", "/a\n"),
        ('{"a": ["鍵言葉1"', ""),
    ],
)
def test_a_place_is_named_by_what_begins_there_and_holds_the_matches_or_by_each_of_them(place: str, heads: str) -> None:
    text = '{"a": ["鍵言葉1", "鍵言葉2"],\n "b": "鍵言葉3"}'
    start = text.index(place)
    assert pointer_lines(FileText(text, "json"), [(start, start + len(place))], TERMS) == [heads]


def test_what_is_no_json_has_no_pointers() -> None:
    text = "]]]鍵言葉 鍵言葉"
    assert pointer_lines(FileText(text, "json"), [(0, len(text))], TERMS) == [""]
