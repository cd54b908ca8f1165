"""What is masked as a policy says: by its rules, by the names that it lists, and as a class has it."""

import pytest

from morenashi.server.memory import redaction
from morenashi.server.memory.masking import mask_provenance, mask_words
from morenashi.server.memory.patterns import PatternTimeoutError
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.redaction import redact, redact_as

from .policies import EXAMPLE, policy_with

KEY = "AKIAIOSFODNN7EXAMPLE"


def test_no_part_of_two_findings_that_overlap_is_left() -> None:
    rule = "redact_policies: {own: {rules: [{name: order, find: 'A-[0-9]{4}', replace: '[order]'}, "
    rule += "{name: batch, find: '[0-9]{4}-BATCH', replace: '[batch]'}]}}"
    assert redact("A-1234-BATCH", parse_policy(policy_with(rule))).text == "[batch]"


@pytest.mark.parametrize("find", ["memo .*", "[A-Z]{8}.*", "AKIA[0-9A-Z]{16}"], ids=["longer", "overlapping", "same"])
def test_a_secret_stays_one_in_what_a_rule_finds_too(find: str) -> None:
    rule = f"redact_policies: {{own: {{rules: [{{name: memo, find: '{find}', replace: '[memo]'}}]}}}}"
    found = redact(f"memo for tomorrow, {KEY}, with thanks", parse_policy(policy_with(rule)))
    assert found.boundary_class == "secret"
    assert KEY[-8:] not in found.text


def test_a_rule_that_matches_nothing_at_many_places_changes_nothing_there() -> None:
    rule = "redact_policies: {codes: {rules: [{name: code, find: '\\bx*', replace: '[code]'}]}}"
    assert redact("abc xx, d", parse_policy(policy_with(rule))).text == "abc [code], d"


@pytest.mark.parametrize("text", ["番号Ｓ－１２３４５６です", "番号S‐123456です", "番号S-123456です"])
def test_a_rule_is_tried_on_a_text_as_it_came_and_as_it_is_folded(text: str) -> None:
    rule = "redact_policies: {own: {rules: [{name: staff, find: 'S-[0-9]{6}', replace: '[staff]'}]}}"
    assert redact(text, parse_policy(policy_with(rule))).text == "番号[staff]です"
    as_it_came = rule.replace("S-[0-9]{6}", text[2:10])
    assert redact(text, parse_policy(policy_with(as_it_came))).text == "番号[staff]です"


def test_the_commit_of_a_provenance_stays_whatever_it_looks_like() -> None:
    rule = "redact_policies: {own: {rules: [{name: secret, find: '[0-9a-f]{40}', replace: '***'}]}}"
    commit = "9fceb02d0ae598e95dc970b74767f19372d61af8"
    provenance = {"at": "2026-01-02T03:04:05Z", "note": commit, "git": {"commit": commit, "files": ["a.md"]}}
    assert mask_provenance(provenance, parse_policy(policy_with(rule))) == provenance | {"note": "***"}


def test_a_rule_that_finds_a_value_by_its_name_leaves_nothing_of_the_value() -> None:
    rule = "redact_policies: {codes: {rules: [{name: secret, find: '暗証: [0-9]{2}', replace: '***'}]}}"
    kept = mask_words({"暗証": "4821", "番号": 4821, "列": [{"暗証": 48}, True]}, parse_policy(policy_with(rule)))
    assert kept == {"暗証": "[secret]", "番号": 4821, "列": [{"暗証": "[secret]"}, True]}


def test_of_names_that_are_masked_alike_each_keeps_its_value() -> None:
    keys = {KEY: "web", KEY.replace("AKIA", "ASIA"): "batch", "other": "none"}
    kept = mask_words(keys, parse_policy(EXAMPLE))
    assert kept == {"[secret]": "web", "[secret] 2": "batch", "other": "none"}


def test_of_two_rules_that_find_the_same_the_first_names_it() -> None:
    rule = "redact_policies: {own: {rules: [{name: mail, find: '[a-z]+@example.com', replace: '[MAIL]'}]}}"
    assert redact("x@example.com", parse_policy(policy_with(rule))).text == "[MAIL]"


def test_a_replacement_is_put_in_as_it_stands() -> None:
    rule = r"redact_policies: {own: {rules: [{name: n, find: 'N(\d+)', replace: '\1 \g<0> $1'}]}}"
    assert redact("N42", parse_policy(policy_with(rule))).text == r"\1 \g<0> $1"


def test_a_class_is_masked_as_its_rule_says_and_secrets_always() -> None:
    text = f"x@example.com 〒100-0001 {KEY}"
    assert redact_as(text, parse_policy(EXAMPLE), "pii").text == "[email] 〒100-0001 [secret]"
    assert redact_as(text, parse_policy(EXAMPLE), "internal").text == "x@example.com 〒100-0001 [secret]"


def test_a_class_may_name_a_whole_policy_of_rules_and_names() -> None:
    people = (
        "redact_policies: {people: {names: [山田 太郎], rules: [{name: badge, find: 'B-[0-9]+', replace: '[badge]'}]}}"
    )
    policy = parse_policy(f"version: 1\nboundary_classes: {{pii: {{allow: ['*'], redact: [people]}}}}\n{people}")
    assert redact_as("山田太郎 B-12 x@example.com", policy, "pii").text == "[name] [badge] x@example.com"


def test_a_policy_of_rules_alone_stands_for_no_names() -> None:
    people = "people: {names: [山田 太郎]}, badges: {rules: [{name: badge, find: 'B-[0-9]+', replace: '[badge]'}]}"
    classes = "boundary_classes: {pii: {allow: ['*'], redact: [badges]}}"
    policy = parse_policy(f"version: 1\n{classes}\nredact_policies: {{{people}}}")
    assert redact_as("山田太郎 B-12", policy, "pii").text == "山田太郎 [badge]"


def test_of_two_names_of_which_one_begins_the_other_nothing_is_left() -> None:
    policy = parse_policy(policy_with("redact_policies: {people: {names: [山田, 山田太郎]}}"))
    assert redact("山田太郎と山田", policy).text == "[name]と[name]"


def test_names_are_found_however_their_parts_are_set_apart() -> None:
    policy = parse_policy(policy_with("redact_policies: {people: {names: [山田太郎, Ann Lee]}}"))
    assert redact("山田　太郎、山田・太郎、ＡＮＮ ＬＥＥ", policy).text == "[name]、[name]、[name]"
    assert redact("山田川、Joann Leeds", policy).findings == ()


@pytest.mark.parametrize(
    "written",
    [
        "ﾔﾏﾀﾞ ﾊﾅｺ",
        "ヤマタ\u3099ハナコ",
        "ヤマダ\r\nハナコ",
        "ヤマダ \u3000ハナコ",
        "ヤマダ\u200bハナコ",
        "葛\U000e0100城",
        "Jose\u0301 Garci\u0301a",
        "Ann\nLee",
    ],
)
def test_a_name_is_found_however_its_letters_are_encoded_and_lines_broken(written: str) -> None:
    policy = parse_policy(policy_with("redact_policies: {p: {names: [ヤマダ ハナコ, 葛城, José García, Ann Lee]}}"))
    assert redact(f"担当は{written}、", policy).text == "担当は[name]、"


@pytest.mark.parametrize("name", ["Ann Lee Jr.", "'t Hooft", "A. (Ann)", "Ann Lee"])
def test_a_latin_name_may_begin_and_end_with_a_sign(name: str) -> None:
    policy = parse_policy(policy_with(f'redact_policies: {{p: {{names: ["{name}"]}}}}'))
    assert redact(f"担当は{name}、{name} and ({name})", policy).text == "担当は[name]、[name] and ([name])"


def test_lines_of_a_list_are_no_name() -> None:
    policy = parse_policy(policy_with("redact_policies: {people: {names: [山田太郎]}}"))
    assert redact("山田\n\n\n太郎", policy).findings == ()


def test_a_rule_that_is_named_secret_finds_secrets() -> None:
    rule = "redact_policies: {own: {rules: [{name: secret, find: 'zz-[a-z]+', replace: '[secret]'}]}}"
    assert redact("zz-top", parse_policy(policy_with(rule))).boundary_class == "secret"


def test_patterns_that_take_too_long_are_an_error_and_not_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_SECONDS", 0.2)
    rules = ", ".join(f"{{name: r{n}, find: '(?:x{{1,40}}y?){{1,20}}z|x', replace: ''}}" for n in range(90))
    policy = parse_policy(policy_with(f"redact_policies: {{own: {{rules: [{rules}]}}}}"))
    with pytest.raises(PatternTimeoutError):
        redact("x" * 64_000, policy)
