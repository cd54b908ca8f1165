"""policy.apply: checked, previewed, put in force, compared and set, signed. On a real database of a workspace."""

import base64
import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from morenashi.indexer.database import open_writer, transaction
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.errors import ToolError
from morenashi.server.memory.policies import Application, list_applied
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.policy_tool import PolicyAnswer, apply_policy, check_policy, current_policy, preview_policy
from morenashi.server.memory.rule_names import FACT_NAMES

from ...limited_work import RunWithin
from ...workspaces import WorkspaceFolder
from .policies import EXAMPLE, policy_with

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@dataclass(frozen=True)
class Database:
    connection: sqlite3.Connection

    def apply(
        self, yaml: str, keys: Path | None = None, expected_version: str | None = None, **arguments: str
    ) -> PolicyAnswer:
        application = check_policy(yaml, keys, **arguments)
        with transaction(self.connection):
            return apply_policy(self.connection, application, expected_version, NOW)

    def preview(self, yaml: str, expected_version: str | None = None) -> PolicyAnswer:
        return preview_policy(self.connection, check_policy(yaml, None), expected_version)

    def refuse(self, yaml: str, keys: Path | None = None, **arguments: str) -> ToolError:
        with pytest.raises(ToolError) as refused:
            self.apply(yaml, keys, **arguments)
        return refused.value

    def versions(self) -> list[str]:
        return [row[1] for row in list_applied(self.connection)]


@pytest.fixture
def database(workspace: WorkspaceFolder) -> Iterator[Database]:
    with hold_writer_lock(workspace.database):
        connection, _ = open_writer(workspace.database)
        with contextlib.closing(connection):
            yield Database(connection)


def test_without_a_policy_everything_is_refused(database: Database) -> None:
    with pytest.raises(ToolError) as refused:
        current_policy(database.connection)
    assert refused.value.code == "POLICY_MISSING"


def test_the_example_of_the_seed_is_put_in_force(database: Database) -> None:
    assert database.apply(EXAMPLE).version == "0.1.0"
    assert current_policy(database.connection).version == "0.1.0"


def test_what_is_no_policy_is_refused_with_every_problem_and_the_old_one_stays(database: Database) -> None:
    database.apply(EXAMPLE)
    error = database.refuse("version: x\nboundary_classes: {pii: {allow: ['a b']}}")
    assert error.code == "INVALID_POLICY"
    assert [problem["path"] for problem in error.details["problems"]] == ["version", "boundary_classes.pii.allow.0"]
    assert current_policy(database.connection).version == "0.1.0"


def test_of_a_policy_with_very_many_problems_the_first_are_named_and_all_are_counted(database: Database) -> None:
    error = database.refuse(f"version: 1\nboundary_classes: {{pii: {{allow: [{', '.join(['1'] * 1_000)}]}}}}")
    assert (len(error.details["problems"]), error.details["problems_total"]) == (20, 1_000)


def test_a_problem_is_named_with_its_line(database: Database) -> None:
    error = database.refuse(
        "version: 1\nboundary_classes:\n  pii:\n    alow: []\nscopes:\n  session: {max_tokens: 4}\n"
    )
    places = {problem["path"]: problem["line"] for problem in error.details["problems"]}
    assert places == {"boundary_classes.pii.alow": 4, "scopes.session.ttl": 6}
    assert str(error) == "scopes.session.ttl (line 6): expected a value: it is required"


def test_a_tag_with_a_full_width_sign_is_refused_when_it_is_applied(database: Database) -> None:
    """Nobody has it, and the class would be shown to nobody."""
    error = database.refuse("version: 1\nboundary_classes: {internal: {allow: [answer:task、tool:*]}}")
    [problem] = error.details["problems"]
    assert (problem["path"], "full-width" in problem["expected"]) == ("boundary_classes.internal.allow.0", True)


def test_checking_stores_nothing(database: Database) -> None:
    assert database.preview(EXAMPLE).version == "0.1.0"
    assert database.versions() == []


def test_a_dry_run_says_what_would_change_and_changes_nothing(database: Database) -> None:
    database.apply(policy_with())
    changed = policy_with("retrieval: {hybrid: {alpha: 0.5}}", version="1.3").replace(
        "'answer:task',", "'answer:mail',"
    )
    answer = database.preview(changed)
    assert answer.version == "1.3.0"
    assert answer.changes == [
        "version: 1.2.3 -> 1.3.0",
        "boundary_classes.internal.allow: added answer:mail; removed answer:task",
        "retrieval.hybrid.alpha: 0.65 -> 0.5",
    ]
    assert database.versions() == ["1.2.3"]


def test_a_dry_run_of_the_same_policy_changes_nothing_and_says_so(database: Database) -> None:
    database.apply(EXAMPLE)
    assert database.preview(EXAMPLE).changes == []


def test_names_of_people_are_counted_and_not_repeated(database: Database) -> None:
    database.apply(policy_with())
    answer = database.preview(policy_with("redact_policies: {people: {names: [山田 太郎]}}"))
    assert answer.changes == ["redact_policies.people.names: 1 added, 0 removed"]


def test_rules_are_compared_by_their_names(database: Database) -> None:
    database.apply(policy_with("invariants: [{name: a, rule: 'true'}, {name: b, rule: 'true'}]"))
    answer = database.preview(policy_with("invariants: [{name: b, rule: 'prompt.chars > 1'}]"))
    assert answer.changes == [
        "invariants.b.rule: true -> prompt.chars > 1",
        "invariants.a.applies_to: removed *",
        "invariants.a.rule: was true, now gone",
    ]


@pytest.mark.parametrize("rules", ["[two approvers]", "on request", "[{by: aoi}]", "true"])
def test_meta_may_call_anything_rules(database: Database, rules: str) -> None:
    said = f"meta: {{owner: {{rules: {rules}}}}}"
    database.apply(policy_with())
    assert any(change.startswith("meta.owner.rules: ") for change in database.preview(policy_with(said)).changes)
    database.apply(policy_with(said))
    assert database.preview(policy_with(said)).changes == []


@pytest.mark.parametrize("name", ["prompt.contain_pii", "prompt.links", "boundaryclass", "Scope", "contains_secret"])
def test_a_mistyped_name_in_a_rule_is_refused_with_those_that_there_are(database: Database, name: str) -> None:
    """It would count as false, and the rule hold of everything."""
    policy = policy_with(f"invariants: [{{name: a, rule: 'true'}}, {{name: b, rule: '{name} == false'}}]")
    error = database.refuse(policy)
    assert error.code == "INVALID_POLICY"
    [problem] = error.details["problems"]
    assert problem["path"] == "invariants.1.rule"
    assert problem["expected"] == f"{name} is no name; expected one of {', '.join(FACT_NAMES)}"
    assert database.versions() == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('scope != "projct"', "scope is never 'projct'; expected one of session, project, principle"),
        (
            '!(boundary_class in ["pii", "secert"])',
            "boundary_class is never 'secert'; expected one of public, internal, pii, secret",
        ),
        ('"team" == scope || true', "scope is never 'team'; expected one of session, project, principle"),
    ],
)
def test_a_scope_or_class_that_there_is_not_is_refused_in_a_rule(database: Database, rule: str, said: str) -> None:
    """Nothing is of it, and what should be kept back would go."""
    error = database.refuse(policy_with(f"invariants: [{{name: a, rule: '{rule}'}}]"))
    assert error.code == "INVALID_POLICY"
    assert error.details["problems"] == [{"path": "invariants.0.rule", "expected": said}]


@pytest.mark.parametrize("rule", ["1", "boundary_class", 'prompt.chars < "9"', "scope in prompt.chars"])
def test_a_rule_that_has_no_answer_for_any_text_is_refused(database: Database, rule: str) -> None:
    error = database.refuse(policy_with(f"invariants: [{{name: a, rule: '{rule}'}}]"))
    said = "expected a rule that is true or false of some text; this one never is"
    assert error.details["problems"] == [{"path": "invariants.0.rule", "expected": said}]


def test_all_rules_that_cannot_be_meant_are_named_at_once(database: Database) -> None:
    rules = {"a": 'scope == "projct"', "b": 'prompt.chars < "9"'}
    invariants = ", ".join(f"{{name: {name}, rule: '{rule}'}}" for name, rule in rules.items())
    error = database.refuse(policy_with(f"invariants: [{invariants}]"))
    assert [one["path"] for one in error.details["problems"]] == ["invariants.0.rule", "invariants.1.rule"]


@pytest.mark.parametrize(
    "rule",
    [
        'scope == "session" || "answer:task" in allow',
        'scope in ["project", "principle"]',
        'dataset.origin != "projct"',
        "dataset.level >= 3",
        'prompt.contains_pii == false || prompt.chars < "9"',
    ],
)
def test_a_rule_that_may_be_meant_as_it_stands_is_applied(database: Database, rule: str) -> None:
    assert database.apply(policy_with(f"invariants: [{{name: a, rule: '{rule}'}}]")).version == "1.2.3"


def test_a_name_that_only_other_programs_know_is_said_to_count_as_false_once(database: Database) -> None:
    rule = '{name: a, rule: \'dataset.origin != "prod" || data.masked == true || scope == "session"\'}'
    said = [
        f"invariants.a.rule: {name} is not known here and counts as false" for name in ("dataset.origin", "data.masked")
    ]
    policy = policy_with(f"invariants: [{rule}]")
    assert database.preview(policy).changes[-2:] == said
    assert database.apply(policy).changes[-2:] == said
    assert database.apply(policy_with(f"invariants: [{rule}]", "1.2.4")).changes == ["version: 1.2.3 -> 1.2.4"]


def test_a_policy_that_was_applied_with_a_mistyped_name_stays_in_force(database: Database) -> None:
    policy = policy_with("invariants: [{name: a, rule: 'prompt.contain_pii == false'}]")
    with transaction(database.connection):
        apply_policy(database.connection, Application(policy, parse_policy(policy)), None, NOW)
    assert current_policy(database.connection).version == "1.2.3"


def test_applied_policies_are_kept(database: Database) -> None:
    for version in ("1.0", "1.1", "1.0"):
        database.apply(policy_with(version=version))
    assert database.versions() == ["1.0.0", "1.1.0", "1.0.0"]


def test_a_version_never_means_two_policies(database: Database) -> None:
    other = policy_with("retrieval: {hybrid: {alpha: 0.5}}")
    assert [database.apply(policy).version for policy in (policy_with(), other, policy_with(), other)] == [
        "1.2.3",
        "1.2.3+2",
        "1.2.3",
        "1.2.3+2",
    ]


def test_versions_that_differ_in_case_are_not_the_same(database: Database) -> None:
    other = policy_with("retrieval: {hybrid: {alpha: 0.5}}", version="1.0-RC")
    policies = (policy_with(version="1.0-RC"), other, policy_with(version="1.0-rc"))
    assert [database.apply(policy).version for policy in policies] == ["1.0.0-RC", "1.0.0-RC+2", "1.0.0-rc"]


def test_an_expected_version_is_compared_and_set(database: Database) -> None:
    database.apply(policy_with(version="1.0"), expected_version=None)
    assert database.apply(policy_with(version="1.1"), expected_version="1.0").version == "1.1.0"
    error = database.refuse(policy_with(version="1.2"), expected_version="1.0.0")
    assert error.code == "POLICY_INVALID"
    assert error.details == {"expected_version": "1.0.0", "current_version": "1.1.0"}
    assert database.versions() == ["1.1.0", "1.0.0"]


def test_a_version_is_expected_of_trials_too(database: Database) -> None:
    for expected in ("1.0", "nonsense"):
        with pytest.raises(ToolError) as refused:
            database.preview(EXAMPLE, expected)
        assert refused.value.code == "POLICY_INVALID"
        assert refused.value.details["current_version"] is None


def test_of_many_who_expect_the_same_version_one_wins(workspace: WorkspaceFolder, database: Database) -> None:
    database.apply(policy_with(version="1.0"))
    won, lost = [], []

    def compete(number: int) -> None:
        connection = sqlite3.connect(workspace.database, isolation_level=None, timeout=30)
        with contextlib.closing(connection):
            try:
                won.append(Database(connection).apply(policy_with(version=f"2.{number}"), expected_version="1.0"))
            except ToolError as error:
                lost.append(error.code)

    threads = [threading.Thread(target=compete, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), lost) == (1, ["POLICY_INVALID"] * 7)


def test_a_stored_policy_that_is_none_any_more_is_not_in_force(database: Database) -> None:
    database.apply(EXAMPLE)
    database.connection.execute("UPDATE policies SET yaml = 'version: 1'")
    with pytest.raises(ToolError) as refused:
        current_policy(database.connection)
    assert refused.value.code == "INVALID_POLICY"
    assert database.apply(policy_with()).version == "1.2.3"
    assert current_policy(database.connection).version == "1.2.3"


@dataclass(frozen=True)
class Signers:
    """Two who may sign. The file is as `POLICY_KEYS` names it."""

    file: Path
    private: dict[str, Ed25519PrivateKey]

    def sign(self, name: str, yaml: str) -> str:
        return base64.b64encode(self.private[name].sign(yaml.encode())).decode()


@pytest.fixture
def signers(tmp_path: Path) -> Signers:
    private = {name: Ed25519PrivateKey.generate() for name in ("aoi", "ren")}
    raw = private["aoi"].public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    der = private["ren"].public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    file = tmp_path / "keys"
    lines = [
        "# who may sign",
        "",
        f"aoi {base64.b64encode(raw).decode()}",
        f"ren {base64.b64encode(der).decode()} # raw",
    ]
    file.write_text("\n".join(lines))
    return Signers(file, private)


def test_who_signed_is_who_approved(database: Database, signers: Signers) -> None:
    database.apply(EXAMPLE, signers.file, signature=signers.sign("ren", EXAMPLE))
    assert list_applied(database.connection)[0][3] == "ren"
    database.apply(EXAMPLE, signers.file, signature=signers.sign("aoi", EXAMPLE), approver="aoi")
    assert list_applied(database.connection)[0][3] == "aoi"


def test_a_policy_that_is_not_signed_by_its_approver_is_refused(database: Database, signers: Signers) -> None:
    good = signers.sign("aoi", EXAMPLE)
    for arguments in (
        {},
        {"approver": "aoi"},
        {"signature": good, "approver": "ren"},
        {"signature": good, "approver": "nobody"},
        {"signature": signers.sign("aoi", EXAMPLE + "\n")},
        {"signature": base64.b64encode(b"x" * 64).decode()},
        {"signature": "not base64"},
        {"signature": good[:-8]},
        {"signature": ""},
    ):
        assert database.refuse(EXAMPLE, signers.file, **arguments).code == "UNAUTHORIZED"
    assert database.versions() == []


@pytest.mark.parametrize("content", [b"", b"aoi", b"aoi AAAA", b"aoi %%%", b"a b c", b"\xff\xfe", b"# only a remark"])
def test_with_a_broken_file_of_keys_nobody_may_apply(database: Database, signers: Signers, content: bytes) -> None:
    signature = signers.sign("aoi", EXAMPLE)
    signers.file.write_bytes(content)
    assert database.refuse(EXAMPLE, signers.file, signature=signature).code == "UNAUTHORIZED"


def test_with_a_missing_file_of_keys_nobody_may_apply(database: Database, tmp_path: Path) -> None:
    assert database.refuse(EXAMPLE, tmp_path / "none").code == "UNAUTHORIZED"


def test_what_differs_in_very_long_lists_is_found_in_linear_work(run_within: RunWithin) -> None:
    run_within(
        5,
        """
import json
from morenashi.server.memory.policy import Policy
from morenashi.server.memory.policy_changes import describe_changes
policies = [{"version": "1", "boundary_classes": {}, "meta": {"x": [*range(n, n + 60_000)]}} for n in (0, 60_000)]
(change,) = describe_changes(*(Policy.model_validate_json(json.dumps(policy)) for policy in policies))
assert change.startswith("meta.x: added 60000, ")
""",
    )
