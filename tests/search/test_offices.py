"""Who does something or is given it: two texts that name two contradict each other (seed 004 §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.offices import Charge, read_charges
from morenashi.server.search.judgement.sentences import outside_tables

from ..limited_work import RunWithin
from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def read(sentence: str) -> list[Charge]:
    return list(read_charges(outside_tables(normalise(sentence))))


def contradict(one: str, other: str) -> bool:
    return any(
        first.rest == second.rest and first.office.contradicts(second.office)
        for first in read(one)
        for second in read(other)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("申請書は総務課に提出する。", "申請書は、人事課へ提出してください。"),
        ("提出先は総務課です。", "提出先は人事課とする。"),
        ("事故は安全管理室へ直ちに報告する。", "事故は総務室に直ちに報告すること。"),
        ("経費の精算は課長が承認する。", "経費の精算は部長が承認する。"),
        ("鍵の管理は総務部が行う。", "鍵の管理は施設管理部が行う。"),
        ("保管場所は本社倉庫とする。", "保管場所は第二倉庫です。"),
        ("ご相談は人事チームまで連絡してください。", "ご相談は労務チームまで連絡してください。"),
        ("Expenses must be approved by the line manager.", "Expenses must be approved by the project manager."),
        ("Send the signed form to the HR department.", "Send the signed form to the finance department."),
    ],
)
def test_two_of_whom_one_does_it_or_is_given_it_contradict(one: str, other: str) -> None:
    assert contradict(one, other)
    assert contradict(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # A part of the other, or nobody knows.
        ("申請書は総務部総務課に提出する。", "申請書は総務課に提出する。"),
        ("申請書は総務部に提出する。", "申請書は人事課に提出する。"),
        # Whoever it is.
        ("申請書は各部に提出する。", "申請書は総務部に提出する。"),
        ("申請書は所属部長に提出する。", "申請書は総務部長に提出する。"),
        # Of several, or to one of them another time.
        ("精算書は課長又は部長が承認する。", "精算書は社長が承認する。"),
        ("申請書は総務課に提出し、写しを人事課に送付する。", "申請書は人事課に提出する。"),
        ("申請書は総務課にも提出する。", "申請書は人事課にも提出する。"),
        # Of two things, in two cases, or what is not so.
        ("10万円未満の購入は課長が承認する。", "10万円以上の購入は部長が承認する。"),
        ("勤怠の問い合わせは人事課へ連絡する。", "給与の問い合わせは経理課へ連絡する。"),
        ("申請書は総務課に提出しない。", "申請書は人事課に提出しない。"),
        ("それは総務課に提出する。", "それは人事課に提出する。"),
        ("Invoices are sent to the accounting team.", "Contracts are sent to the legal team."),
        ("Do not send the form to the sales team.", "Do not send the form to the legal team."),
    ],
)
def test_what_may_hold_beside_the_other_is_no_contradiction(one: str, other: str) -> None:
    assert not contradict(one, other)
    assert not contradict(other, one)


def test_they_are_a_conflict_where_the_headings_name_one_thing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 出張\n\n申請書は総務課に提出する。\n")
    workspace.write("m/b.md", "# 出張\n\n申請書は経理課へ提出してください。\n")
    workspace.write("m/c.md", "# 休暇\n\n申請書は人事課に提出する。\n")
    [conflict] = serve().find("申請書 提出").hits("conflicts")
    assert (conflict["path"], [other["path"] for other in conflict["conflict_with"]]) == ("a.md", ["b.md"])


_NAMES = """
from morenashi.server.search.judgement.offices import read_charges
for names in ("課部" * 90, "総務課に" * 45, "課、" * 90):
    list(read_charges([names + "提出する", names + "に提出する"]))
"""


def test_a_long_row_of_names_is_read_in_linear_work(run_within: RunWithin) -> None:
    run_within(1, _NAMES)
