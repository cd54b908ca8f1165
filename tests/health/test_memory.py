"""What is wrong with memory: its audit log, its policy, its keys, its clock."""

import contextlib
import json
import sqlite3

import pytest

from ..workspaces import WorkspaceFolder
from .doctoring import codes, doctor, found


def test_an_audit_log_that_was_changed_is_an_error_that_nothing_mends(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER audit_log_keeps_its_rows")
        connection.execute("UPDATE audit_log SET caller = 'x'")
    report = doctor(healthy, fix=True)
    assert (report["code"], codes(report), report["repairs"]) == (1, {"audit_broken"}, [])


def test_a_policy_that_this_version_does_not_take_is_an_error(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("UPDATE policies SET yaml = 'version: 1'")
    assert codes(doctor(healthy), "error") == {"policy_unusable"}


def test_keys_that_cannot_be_read_are_an_error(healthy: WorkspaceFolder) -> None:
    assert codes(doctor(healthy, POLICY_KEYS="none"), "error") == {"keys_unreadable"}


def test_records_from_the_future_are_named(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("UPDATE policies SET applied_at = '2999-01-01T00:00:00.000+00:00'")
    assert codes(doctor(healthy)) == {"records_from_the_future"}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE claim_evidence SET provenance = replace(provenance, ':', ';')",
        "UPDATE claim_evidence SET provenance = replace(provenance, '\"at\"', '\"bt\"')",
        "INSERT INTO entities SELECT number, 'e', 'Concept', '締切', NULL, '{x' FROM claims",
    ],
)
def test_what_came_with_a_claim_and_is_no_json_any_more_is_left_out_of_exports_and_named(
    healthy: WorkspaceFolder, damage: str
) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        ((claim,),) = connection.execute("SELECT id FROM claims").fetchall()
        connection.execute(damage)
    assert claim in found(doctor(healthy), "claims_unreadable")["what"]
    export = healthy.run("memory", "export")
    assert (export.returncode, json.loads(export.stdout)["text"]) == (1, "締切は三月末")
    assert export.stderr.startswith(f"1 claims written\n{claim}: ")
