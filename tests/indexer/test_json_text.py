"""JSON Pointers and the places of the values they name."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.json_text import (
    Value,
    end_of,
    find_values,
    is_valid,
    offset_of,
    pointers_at,
    value_end_of,
)

names = st.sampled_from(["", "a", "a/b", "~", "~1", "m~n", "/", "0", "名前", 'q"', "\\", "{", ",", "改\n行"]) | st.text(
    max_size=4
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
layouts = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, "\t"]),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]),
        "ensure_ascii": st.booleans(),
    }
)

TABLE = '{"a": {"x": 1, "y": [2, 3]}, "b": "},{", "c": {}}'
TEXT = '{"a": [10, {"b/c": true}], "": {"~": null}, "名": "x, {y"}'


def pointer_at(text: str, offset: int) -> str | None:
    (pointer,) = pointers_at(text, [offset])
    return pointer


@pytest.mark.parametrize(
    ("at", "pointer"),
    [
        ("{", ""),
        ('"a"', "/a"),
        ("[10", "/a"),
        ("10", "/a/0"),
        ('{"b', "/a/1"),
        ('"b/c"', "/a/1/b~1c"),
        ("true", "/a/1/b~1c"),
        ('"":', "/"),
        ('"~"', "//~0"),
        ("null", "//~0"),
        ('"名"', "/名"),
        ("{y", "/名"),
    ],
)
def test_an_offset_belongs_to_the_value_that_stands_there(at: str, pointer: str) -> None:
    assert pointer_at(TEXT, TEXT.index(at)) == pointer


def test_several_offsets_are_told_at_once() -> None:
    offsets = range(len(TEXT) + 2)
    assert pointers_at(TEXT, offsets) == [pointer_at(TEXT, offset) for offset in offsets]
    assert pointers_at(TEXT, []) == []
    assert pointers_at("[1]] 1", [1, 5]) == ["/0", None]


@pytest.mark.parametrize(
    ("pointer", "at"),
    [
        ("/a", '"a"'),
        ("/a/0", "10"),
        ("/a/1", '{"b'),
        ("/a/1/b~1c", '"b/c"'),
        ("/", '"":'),
        ("//~0", '"~"'),
        ("/名", '"名"'),
    ],
)
def test_a_pointer_leads_to_its_member_or_element(pointer: str, at: str) -> None:
    assert offset_of(TEXT, pointer) == TEXT.index(at)


@pytest.mark.parametrize("pointer", ["/b", "/a/2", "/a/-", "/a/00", "/a/0/x", "a", "/a/", "/名/0"])
def test_a_pointer_to_nothing_has_no_offset(pointer: str) -> None:
    assert offset_of(TEXT, pointer) is None


def test_white_space_and_punctuation_belong_to_what_stands_before_them() -> None:
    text = '{ "a" : [ 1 , 2 ] , "b" : 3 }'
    asked = {1: "", 5: "/a", 9: "/a", 11: "/a/0", 12: "/a/0", 17: "/a", 19: "/a", 27: "/b", 28: ""}
    assert {offset: pointer_at(text, offset) for offset in asked} == asked


def test_empty_containers_have_nothing_inside() -> None:
    assert offset_of("[]", "/0") is None
    assert offset_of("{}", "/") is None
    assert pointer_at('{"a": [], "b": {}}', 8) == "/a"


def test_a_name_that_occurs_twice_leads_to_the_first() -> None:
    assert offset_of('{"a": 1, "a": 2}', "/a") == 1


@pytest.mark.parametrize(
    ("pointer", "ends"),
    [
        ("", TABLE),
        ("/a", '"a": {"x": 1, "y": [2, 3]}'),
        ("/a/x", '"x": 1, "y": [2, 3]'),
        ("/a/y", '"y": [2, 3]'),
        ("/a/y/0", "2, 3"),
        ("/b", '"b": "},{", "c": {}'),
        ("/c", '"c": {}'),
    ],
)
def test_a_value_ends_with_its_brackets_or_with_those_around_it(pointer: str, ends: str) -> None:
    start = offset_of(TABLE, pointer)
    assert start is not None
    assert TABLE[start : end_of(TABLE, start)] == ends


def test_text_that_is_cut_off_ends_there() -> None:
    assert end_of('{"a": [1, 2', 1) == 11


def test_a_name_with_an_escape_that_is_none_is_called_as_it_stands() -> None:
    assert pointer_at(r'{"a\q": 1}', 8) == r"/a\q"


@given(values, layouts)
def test_an_object_or_array_ends_where_a_parser_says(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    for pointer, inner in _walk(value, ""):
        start = offset_of(text, pointer)
        assert start is not None
        if isinstance(inner, dict | list):
            found = text[start : end_of(text, start)]
            read = json.loads("{" + found + "}") if found.startswith('"') else {"": json.loads(found)}
            assert list(read.values()) == [inner]


def test_text_that_closes_what_it_never_opened_has_no_pointer() -> None:
    assert pointer_at("]] 1", 3) is None
    assert offset_of("}1", "/a") is None


@given(values, layouts)
def test_every_pointer_leads_to_a_place_that_has_this_pointer(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    for pointer, _ in _walk(value, ""):
        offset = offset_of(text, pointer)
        assert offset is not None
        assert pointer_at(text, offset) == pointer


@given(values, layouts)
def test_at_the_place_of_a_pointer_stands_its_value(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    for pointer, inner in _walk(value, ""):
        rest = text[offset_of(text, pointer) :]
        read, end = json.JSONDecoder().raw_decode(rest)
        if rest[end:].lstrip().startswith(":"):
            assert read == pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
            read, _ = json.JSONDecoder().raw_decode(rest[end:].lstrip()[1:].lstrip())
        assert read == inner


@given(values, layouts, st.integers(0, 200))
def test_every_offset_of_valid_json_has_a_pointer(value: Any, layout: dict[str, Any], offset: int) -> None:
    text = json.dumps(value, **layout)
    assert pointer_at(text, offset % len(text)) in {pointer for pointer, _ in _walk(value, "")}


@given(values, layouts, st.lists(st.integers(0, 200)))
def test_offsets_that_are_told_at_once_have_the_pointers_that_each_has(
    value: Any, layout: dict[str, Any], offsets: list[int]
) -> None:
    text = json.dumps(value, **layout)
    asked = sorted(offset % len(text) for offset in offsets)
    assert pointers_at(text, asked) == [pointer_at(text, offset) for offset in asked]


@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"a":'])
def test_what_is_never_closed_is_passed_over_once(opened: str) -> None:
    assert offset_of(f'{{"b": {opened * 50_000}', "/c") is None


@pytest.mark.parametrize("text", ["{}", "[1]", '"a"', "1", " null\n", f"[{'7' * 5_000}]"])
def test_json_is_valid(text: str) -> None:
    assert is_valid(text)


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "[1,]", "{} {}", "// c\n{}"])
def test_what_is_no_json_is_invalid(text: str) -> None:
    assert not is_valid(text)


@pytest.mark.parametrize("text", ["[" * 200_000, "[" * 200_000 + "]" * 200_000, '{"a":' * 200_000])
def test_nesting_without_end_is_invalid_and_no_crash(text: str) -> None:
    assert not is_valid(text)


def test_a_pointer_is_found_at_great_depth() -> None:
    text = "[" * 3000 + "]" * 3000
    assert pointer_at(text, 2999) == "/0" * 2999


def _walk(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    yield pointer, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(inner, f"{pointer}/{index}")


@given(values, layouts)
def test_every_value_is_found_where_its_pointer_leads(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    for pointer, _ in _walk(value, ""):
        found: Value | None = find_values(text)
        for step in pointer.split("/")[1:]:
            found = found.at(step.replace("~1", "/").replace("~0", "~")) if found else None
        assert found
        assert pointer == "" or found.start == offset_of(text, pointer)


def test_what_is_no_pointer_leads_nowhere() -> None:
    assert offset_of('{"a~2": 1, "b": 2}', "/a~2") is None
    assert offset_of('{"b": 2}', "b") is None


@pytest.mark.parametrize(
    ("start", "value"),
    [
        ('"a": ', '"x"'),
        ('"b": ', "[1, {}]"),
        ('"c": ', '{"d": "]"}'),
        ("", "1"),
        ("", '"y"'),
        ("", "[[2], 3]"),
        ("", '{"e": 4}'),
    ],
)
def test_a_value_ends_where_it_ends_alone_or_as_a_member(start: str, value: str) -> None:
    for behind in (', "z": 5}', ", 6]", "]", "}", ""):
        assert value_end_of(f"前{start}{value}{behind}", 1) == 1 + len(start) + len(value)


def test_a_value_that_nothing_closes_ends_with_the_text() -> None:
    assert value_end_of('{"a": [1, 2', 1) == 11
    assert value_end_of("[1]  ", 3) == 3
