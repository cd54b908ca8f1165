"""The YAML of a policy: what it may hold, and what is refused before it is built."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.policy_yaml import MAX_BYTES, MAX_DEPTH, YamlError, read_yaml


def refusal(text: str) -> str:
    with pytest.raises(YamlError) as refused:
        read_yaml(text)
    return str(refused.value)


def test_scalars_are_what_they_look_like() -> None:
    text = "a: 1\nb: -2.5\nc: true\nd: null\ne: text\nf: '1'\ng: 1e3\nh: ~\ni:\n"
    assert read_yaml(text) == {
        "a": 1,
        "b": -2.5,
        "c": True,
        "d": None,
        "e": "text",
        "f": "1",
        "g": 1000.0,
        "h": None,
        "i": None,
    }
    # As Python and others write them, too.
    assert read_yaml("[True, FALSE, False, TRUE, Null, NULL]") == [True, False, False, True, None, None]


@pytest.mark.parametrize("text", ["yes", "on", "12:30", "2026-11-21", "0x10", "0o7", "1_000", ".inf", "１２", "9" * 19])
def test_what_only_older_yaml_takes_for_something_else_is_text(text: str) -> None:
    assert read_yaml(f"a: {text}") == {"a": text}


def test_the_version_is_text_as_it_is_written() -> None:
    assert read_yaml("version: 0.10\na: {version: 0.10}") == {"version": "0.10", "a": {"version": 0.1}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1\nb: *x", "anchors"),
        ("b: *x", "anchors"),
        ("&x a: 1", "anchors"),
        ("a: &x {}\nb: {<<: *x}", "anchors"),
        ("a: !!python/object/apply:os.system [ls]", "tags"),
        ("a: !!str 1", "tags"),
        ("!own a: 1", "tags"),
        ("a: 1\na: 2", "each name once: a stands twice"),
        ("a: {b: 1, 'b': 2}", "each name once: a.b stands twice"),
        ("? [a]\n: 1", "names that are text"),
        ("a: 1\n---\nb: 2", "one document"),
        ("", "empty"),
        ("a: [1", "line 1"),
        ("a: 'x\n", "line"),
        ("a: \x00", "characters"),
        ('a: 1\nb: "\\ud800"', "line 2: expected valid Unicode"),
        ('"\\udfff": 1', "line 1: expected valid Unicode"),
        ("[" * (MAX_DEPTH + 2), "levels"),
        ("a: " + "x" * MAX_BYTES, "bytes"),
    ],
)
def test_what_a_policy_has_no_use_for_is_refused(text: str, expected: str) -> None:
    assert expected in refusal(text)


def test_a_place_is_named_by_its_line() -> None:
    assert refusal("a: 1\nb: 2\nb: 3").startswith("line 3:")


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)]
    assert refusal("\n".join(lines)).startswith("line 1:")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_yaml(text)
    except YamlError as error:
        assert str(error)
