"""What a text says that a setting is by default, however it says that."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.defaults import default_below, default_of, read_defaults, setting_called
from morenashi.server.search.judgement.tables import Cell

SENTENCES = [
    "{} defaults to {}.",
    "The {} option defaults to {} (per host).",
    "The {} defaults to {}(per host).",
    "Its {} setting is {} by default.",
    "{} is set to {} by default.",
    "By default, {} is {}.",
    "By default, the {} flag is set to {}.",
    "By default, {} equals {}.",
    "The default of {} is {}.",
    "The default value of {} is {}.",
    "Default for {}: {}",
    "The default setting for the {} parameter is {}.",
    "The default {} is {}.",
    "Default {} is {}.",
    "{}: default is {}.",
    "{} - the default value is {}.",
    "{}, default: {}",
    "{}の既定値は{}です。",
    "{} の既定の値は、{} とする。",
    "{}の既定は{}である。",
    "{} のデフォルト値は {} です。",
    "{}のデフォルトは{}とします。",
    "{}の初期値は{}になります。",
    "{}の初期設定は{}となります。",
    "{} は既定で {} です。",
    "{}は、デフォルトで{}に設定されています。",
    "{}は初期値では、{} です。",
    "- {} (default: {})",
    "- {} [defaults to {}]",
    "- {}: how often it is tried. Defaults to {}.",
    "* {}: how often it is tried, default is {}",
    "> {}: how often it is tried; the last one counts. Default value: {}",
]
NAMES = [("`max_retries`", "max_retries"), ("max_retry_count", "max_retry_count"), ("cache.port", "cache.port")]
NAMES += [("`cache.port`", "cache.port"), ("`id`", "id")]
VALUES = {
    "10": ["10", "`10`", "``10``", "10.0", "1e1", "1e01"],
    "1000": ["1,000", "1e3"],
    "-1": ["-1"],
    "0.25": ["0.25"],
    "3.10.1": ["3.10.1"],
    "true": ["true", "on", "yes", "`true`"],
    "false": ["false", "off", "No"],
    "none": ["none", "null", "nil"],
    "sync": ["`sync`", '`"sync"`'],
    "warn": ["warn", "`warning`"],
}
NOUNS = ["option", "parameter", "setting", "field", "flag", "argument", "property", "attribute", "variable", "key"]
HEADS = [
    "Default",
    "Defaults",
    "Default value",
    "Default values",
    "既定",
    "既定値",
    "既定の値",
    "デフォルト",
    "デフォルト値",
    "初期値",
]


def read(text: str) -> list[tuple[str, str]]:
    return [(default.name, default.value.text) for default in read_defaults(normalise(text))]


def below(text: str) -> str | None:
    value = default_below(normalise(text))
    return value and value.text


@pytest.mark.parametrize(("written", "name"), NAMES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_says_what_a_setting_is_by_default(sentence: str, written: str, name: str) -> None:
    if sentence[0] in "-*>" and "`" not in written:
        assert read(sentence.format(written, "10")) == []
    else:
        assert set(read(sentence.format(written, "10"))) == {(name, "10")}


@pytest.mark.parametrize(("value", "written"), [(value, one) for value, all_ in VALUES.items() for one in all_])
def test_a_value_is_one_however_it_is_written(value: str, written: str) -> None:
    assert read(f"`max_retries` defaults to {written}.") == [("max_retries", value)]
    assert below(f"Default: {written}") == value


@pytest.mark.parametrize("noun", NOUNS)
def test_what_a_setting_is_called_besides_is_no_part_of_its_name(noun: str) -> None:
    assert read(f"The retries {noun} defaults to 10.") == [("retries", "10")]
    assert read(f"The {noun} defaults to 10.") == read(f"The {noun}s default to 10.") == []


@pytest.mark.parametrize(
    ("line", "defaults"),
    [
        ("- max_retries `number` (optional) - Default: `10` - How often.", [("max_retries", "10")]),
        ("* max_retries: number (required), default: 10", [("max_retries", "10")]),
        ("- How often it is tried (default: 10)", []),
        ("The http.server port defaults to 10.", []),
        ("cache.port の既定値は 10 です。", [("cache.port", "10")]),
        ("- `max_retries` (default: 10). In tests, default: 5.", []),
        ("- `max_retries` (default: 10 seconds)", []),
        ("On Windows, `max_retries` defaults to 10.", []),
    ],
)
def test_an_item_of_a_list_names_its_setting_first(line: str, defaults: list[tuple[str, str]]) -> None:
    assert read(line) == defaults


@pytest.mark.parametrize("word", ["As", "At", "By", "For", "From", "In", "On", "Under", "With", "Without"])
def test_a_case_is_no_setting(word: str) -> None:
    assert read(f"{word} tests, default: 5.") == []
    assert read(f"{word}a tests, default: 5.") == [(f"{word.lower()}a tests", "5")]


@pytest.mark.parametrize("head", HEADS)
def test_a_column_of_defaults_has_one_of_each_row(head: str) -> None:
    def of(row: str, head: str, text: str) -> tuple[str, str] | None:
        default = default_of(Cell(2, row, "name", normalise(head), normalise(text)))
        return default and (default.name, default.value.text)

    assert of("max_retries", head, "1,000") == ("max_retries", "1000")
    assert of("log level", head, "info") == ("log level", "info")
    assert of("'drive'", head, "c") == ("drive", "c")
    assert of("max_retries", "note", "10") is of("option", head, "10") is of("max_retries", head, "see below") is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        *((f"{word}: 10", "10") for word in ("Default", "Defaults", "Default value", "Default setting")),
        *(
            (f"{word}10", "10")
            for word in ("既定値は", "既定の値:", "デフォルトは", "デフォルト値: ", "初期値は", "初期値:")
        ),
        ("- Default is `10`.", "10"),
        ("* The number of tries. Defaults to 10.", "10"),
        ("既定値は 10 です。待つ回数。", "10"),
        ("Default: `10` (of tries; 0 is any number).", "10"),
        ("Default: 10; in tests, default: 5", "10"),
        ("Default: 10. Default: 5.", None),
        ("  Default: 10", None),
        ("Default: 10 tries", None),
    ],
)
def test_what_stands_below_the_heading_of_a_setting_may_leave_out_its_name(line: str, value: str | None) -> None:
    assert below(line) == value


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("`timeout`", "timeout"),
        ("`--max-retries`", "--max-retries"),
        ("max_retry_count", "max_retry_count"),
        ("`id` (Number)", "id"),
        ("max.retries(int)", "max.retries"),
        ("Timeout", None),
        ("`max_retries` and others", None),
    ],
)
def test_a_heading_of_code_is_the_name_of_a_setting(title: str, name: str | None) -> None:
    assert setting_called(normalise(title)) == name
