"""Exceptions in English sentences: what limits another, and what only looks like it (seed 004 §3)."""

import pytest

from .excepting import kinds, terms


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Fees are non-refundable, except as otherwise provided.", ["except as"]),
        ("The same except that it returns a copy.", ["except that"]),
        ("Except to the extent required by law, no.", ["except to the extent"]),
        ("All servers—except for one—run it.", ["except for"]),
        ("Available only if the input is valid.", ["only if"]),
        ("The fee only applies to guests.", ["only applies to"]),
        ("These rules apply only when it rains.", ["apply only when"]),
        ("Forward it unless you are travelling.", ["unless"]),
        ("Forward it...unless you know.", ["unless"]),
        ("Forward it—unless you know—to us, unless—as ever—you are ill.", ["unless"]),
        ("You may assign it, provided the buyer takes it over.", [", provided the"]),
        ("Packages of that name are exempt from the limit.", ["are exempt"]),
        ("Students exempt from the fee, and exempted staff.", ["exempt from", "exempted"]),
        ("Aside from two cases, it fails. Apart from these, it works.", ["aside from", "apart from"]),
        ("Access lasts so long as you comply.", ["so long as"]),
        ("All days excluding weekends.", ["excluding"]),
        ("GitHub (with the exception of private repos).", ["with the exception of"]),
        ("It follows the rules, with the exception that nobody bids.", ["with the exception that"]),
        ("There are a few exceptions to this.", ["few exceptions"]),
        ("The one exception is the last.", ["one exception is"]),
        ("At most 300. Exceptions are granted on a case-by-case basis.", ["exceptions are granted"]),
        ("All are lints. The exception is the last group.", ["the exception is the"]),
        ("The same, with the notable exception that it is off.", ["with the notable exception that"]),
        ("It is independent with exception of the channel.", ["with exception of"]),
        ("The same, with some minor exceptions where it is not valid.", ["with some minor exceptions where"]),
        ("Section 7 does not apply to it.", ["not apply"]),
        ("This logic doesn’t generally apply for them.", ["doesn't generally apply"]),
        ("The offer is not\n  available; you are not\n  eligible for it.", ["not eligible"]),
        ("NOTWITHSTANDING the foregoing, no.", ["notwithstanding"]),
        ("You may do so, provided that you ask.", ["provided that"]),
        (
            "The warranty does not cover damage caused by misuse, and is void if the seal is broken.",
            ["warranty does not cover", "is void if"],
        ),
        ("Contractors are not entitled to sick pay.", ["not entitled to"]),
        ("We are not responsible for items left behind.", ["not responsible for"]),
        ("Nothing in this clause limits what is due.", ["nothing in this clause"]),
        ("In no event shall we pay for lost profits.", ["in no event shall"]),
        ("Exceptions must be approved in writing.", ["exceptions must be approved"]),
        ("All users, barring administrators, must enrol.", ["barring"]),
        ("Provided always that notice is given.", ["provided always that"]),
        ("WARNING: the data is lost.", ["warning"]),
        ("# Reset\n\nWarning: the data is lost.", ["warning"]),
        ("# Reset\nWarning: the data is lost.", ["warning"]),
        (":::warning\n\nIt is lost.\n\n:::", [":::warning"]),
        ("::: danger Do not do this\nIt is lost.\n:::", ["::: danger"]),
        (":::caution[Before you start]\nIt is lost.\n:::", [":::caution"]),
        ('!!! warning "Security"\n    It is lost.', ["!!! warning"]),
        ("/// danger | Security\nIt is lost.\n///", ["/// danger"]),
        ("<Warning>It is lost.</Warning>", ["<warning>"]),
        ("> [!WARNING]\n> It is lost.", ["warning"]),
        ("See below\n\nProvided that you agree, we pay.", ["provided that"]),
        ("See below\n> **Caution:** hot", ["caution"]),
        ("Travel by taxi is reimbursed in exceptional circumstances only.", ["in exceptional circumstances"]),
        ("The fee is waived for students.", ["is waived for"]),
        ("This warranty does not cover wear and tear.", ["warranty does not cover"]),
        ("The commitment does not include maintenance.", ["commitment does not include"]),
        ("Filters are not included in this warranty.", ["not included in this warranty"]),
        ("Paid leave does not count toward hours worked.", ["not count toward"]),
        ("We will not pay for loss caused by war.", ["we will not pay for"]),
        ("Damage by fire falls outside this warranty.", ["falls outside this warranty"]),
        ("The guarantee shall be null and void if it is opened.", ["be null and void if"]),
        ("Fees are final, save for the rest of a prepaid year.", [", save for"]),
        ("Save for those in Schedule 2, all are let.", ["save for those"]),
        ("Interns are not subject to this rule.", ["not subject to"]),
        ("Guards are excused from the meeting.", ["are excused from"]),
        ("No fee is charged for children.", ["no fee is charged"]),
        (
            "A form is not required if you call; it is not available during the trial.",
            ["not required if", "not available during"],
        ),
        ("Guests need not attend.", ["need not attend"]),
        (
            "It has no liability for loss, nor shall it not assume any responsibility.",
            ["has no liability for", "not assume any responsibility"],
        ),
        (
            "A fee is due even if the warranty period has not ended; valid only in Japan.",
            ["even if the warranty period", "valid only in"],
        ),
        ("The cover is not valid abroad; nor is it valid only for you.", ["cover is not valid", "valid only for"]),
        ("Permits are needed, with exceptions for funerals.", ["with exceptions for"]),
        ("It may be extended, but only once; but not when it rains.", ["but only once", "but not when"]),
        ("The room is restricted to members.", ["is restricted to"]),
        ("No part is sold without our prior written consent.", ["without our prior written consent"]),
        (
            "Subject to clause 4, you may leave. Regardless of the foregoing, stay.",
            ["subject to clause", "regardless of the foregoing"],
        ),
    ],
)
def test_an_english_sentence_that_limits_another_is_recognised(sentence: str, expected: list[str]) -> None:
    assert [term for term, _ in kinds(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "An exception is thrown; the handler catches exceptions.",
        "The exception is logged. Exceptions were raised, a run with exceptions in the log; if the exception is mine",
        "Accept an acceptable, exceptional offer that exceeds it.",
        "The file is read-only if the flag is set.",
        "Use `unless` or `except` here.",
        "See `yii\\filters\\ActionFilter::except` and `--except`.",
        "The information you provided that day.",
        "A mutual exclusion lock in a try-except block.",
        "Proceed with caution.",
        "Only apply updates that were signed; it applies only once.",
        "Wear gloves and proceed with\ncaution: it is hot.",
        "> Use the name you\n> provided that day.",
        "The filter.except member and the unless(x) call.",
        "[ignoring]: running-tests.html#ignoring-tests-unless-specifically-requested",
        "Mutually exclusive; unlessness; exceptions.",
        "Whoever provided the form and provided it in time; a list, provided by us; the tax exemption.",
        "Two rooms set apart from the others.",
        "Exceptions may be raised by the parser; the method is void.",
        "This page does not cover the first installation.",
        "The exclusion zone is marked, and the exclusion list is sorted.",
        "Press save, save for later, save as a copy.",
        "The body is not included in the reply.",
        "They count as hours; the value is not valid.",
        "Its length is restricted to a maximum of ten.",
        "The work is subject to clause 4, regardless of size.",
        "A list of those who need it, but not the only one.",
        "Write `:::warning` for it, std::warning::x, a:::warning, <warning-dialog> and http:///warning.",
        "```md\n:::warning\n!!! danger\n<Warning>\n```",
    ],
)
def test_an_english_sentence_that_only_looks_like_it_is_left_alone(sentence: str) -> None:
    assert kinds(sentence) == []


def test_a_latin_expression_is_a_whole_word() -> None:
    assert terms("unexpected unlessness\nunless", "unless", "except") == [(2, "unless")]
