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
        ("経費の精算は課長が承認しなければならない。", "経費の精算は部長が承認する。"),
        ("事故はただちに総務課へ報告する。", "事故はただちに安全課へ報告する。"),
        ("鍵の管理は総務部が行う。", "鍵の管理は施設管理部が行う。"),
        ("保管場所は本社倉庫とする。", "保管場所は第二倉庫です。"),
        ("ご相談は人事チームまで連絡してください。", "ご相談は労務チームまで連絡してください。"),
        ("Expenses must be approved by the line manager.", "Expenses must be approved by the project manager."),
        ("Send the signed form to the HR department.", "Send the signed form to the finance department."),
        ("Incidents must be reported to the safety officer.", "Incidents must be reported to the duty officer."),
        ("Employees submit timesheets to the payroll office.", "Employees submit timesheets to the finance office."),
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
        # The same by a shorter name, or in another order.
        ("故障した機器は情報システム部に返却する。", "故障した機器は情シス部に返却する。"),
        ("入社書類は人事総務部に提出する。", "入社書類は総務人事部に提出する。"),
        ("契約書は第一営業部が保管する。", "契約書は営業1部が保管する。"),
        ("Return the badge to the HR department.", "Return the badge to the human resources department."),
        ("Bills are reviewed by the finance team.", "Bills are reviewed by the corporate finance team."),
        ("入館証は総合受付に返却する。", "入館証は正面受付に返却する。"),
        ("点検は現場責任者が実施する。", "点検は作業責任者が実施する。"),
        # Whoever it is.
        *(
            (f"事故は{whoever}に報告する。", "事故は総務部に報告する。")
            for whoever in ("主管部", "発生部", "自部", "依頼部")
        ),
        ("稟議書は上長が承認する。", "稟議書は部長が承認する。"),
        ("稟議書は部門長が承認する。", "稟議書は営業部長が承認する。"),
        ("薬品は使用部署が管理する。", "薬品は研究部署が管理する。"),
        ("Send the form to the relevant department.", "Send the form to the finance department."),
        ("申請書は各部に提出する。", "申請書は総務部に提出する。"),
        ("申請書は所属部長に提出する。", "申請書は総務部長に提出する。"),
        # Of several, or to one of them another time.
        ("精算書は課長又は部長が承認する。", "精算書は社長が承認する。"),
        ("診断の結果は産業医と人事部に送付する。", "診断の結果は産業医と総務部に送付する。"),
        ("受注データは営業部が確認する。", "受注データは製造部が確認する。"),
        # It may be, and so may the other.
        ("鍵は守衛室に返却できる。", "鍵は総務室に返却できる。"),
        ("写しは営業部に請求してもよい。", "写しは総務部に請求してもよい。"),
        ("Managers may send invoices to the sales team.", "Managers may send invoices to the audit team."),
        # Nothing that is done by them, or given to them.
        ("営業部に所属する社員は日報を提出する。", "総務部に所属する社員は日報を提出する。"),
        ("北工場に設置した設備は毎年申請する。", "南工場に設置した設備は毎年申請する。"),
        ("The handbook applies to the sales team.", "The handbook applies to the support team."),
        ("Reports are available to the sales team.", "Reports are available to the legal team."),
        ("Bills sent by mail are open to the sales team.", "Bills sent by mail are open to the legal team."),
        ("The sign-off is attended by the sales director.", "The sign-off is attended by the finance director."),
        ("本手順書は品質保証部が管理する。", "本手順書は情報システム部が管理する。"),
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
