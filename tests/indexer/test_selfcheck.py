"""The index is compared with a scan of the texts it was made from: by a sample, and thoroughly."""

import random

import pytest

from morenashi.indexer.check import check_index
from morenashi.indexer.selfcheck import WINDOW, Sample, check_sample

from ..workspaces import WorkspaceFolder
from .damages import SILENT, Damage, break_index, invent_rows, lose_row, swap_rows
from .indexes import index, open_index, reading

SENTENCES = [
    "申請の期限を書く。",
    "サーバーを再起動する",
    "borrow the book",
    "第3条 - 適用",
    "ひらがなだけのぎょう",
    "𠮷野家",
    "ただし、第3条を除く。",
]


def fill(workspace: WorkspaceFolder, sections: int = 100) -> None:
    chosen = random.Random(3)
    for name in ("m/a.md", "m/b.md", "n/c.json"):
        lines = (f"# 題{number}\n\n{''.join(chosen.choices(SENTENCES, k=4))}\n\n" for number in range(sections))
        workspace.write(name, "".join(lines))
    index(workspace)


def sample(workspace: WorkspaceFolder, seed: int = 0) -> Sample:
    with reading(workspace) as connection:
        return check_sample(connection, seed, lambda: False)


def faults(workspace: WorkspaceFolder) -> list[str]:
    return check_index(workspace.config()).faults


def test_a_sound_index_differs_nowhere(workspace: WorkspaceFolder, seed: int) -> None:
    fill(workspace)
    assert sample(workspace, seed).differences == ()
    assert faults(workspace) == []


def test_two_pairs_that_stand_apart_are_no_fault(workspace: WorkspaceFolder) -> None:
    for name, text in (("a", "甲乙丙"), ("b", "乙丙と甲乙"), ("c", "甲乙、乙丙")):
        workspace.write(f"m/{name}.md", text)
    index(workspace)
    assert all(sample(workspace, seed).differences == () for seed in range(20))


def test_every_passage_of_a_small_index_is_looked_at(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    with reading(workspace) as connection:
        passages = connection.execute("SELECT count(*) FROM passages").fetchone()[0]
    looked_at = sample(workspace)
    assert looked_at.passages == passages > WINDOW
    assert looked_at.terms >= 2 * passages


@pytest.mark.parametrize("damage", SILENT.values(), ids=SILENT)
def test_damage_that_sqlite_calls_sound_is_seen(workspace: WorkspaceFolder, damage: Damage) -> None:
    fill(workspace, 300)
    break_index(workspace, damage)
    if damage is not invent_rows:
        assert sample(workspace).differences
    assert faults(workspace)


def test_one_lost_passage_is_seen_and_named_by_its_place(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    with reading(workspace) as connection:
        lost = connection.execute("SELECT id, text FROM passage_texts WHERE id = 77").fetchone()
        place = connection.execute(_PLACE, (77,)).fetchone()
    break_index(workspace, lambda writer: lose_row(writer, *lost))
    assert {difference.missed for difference in sample(workspace).differences} == {(77,)}
    assert any("{}/{}:{}".format(*place) in fault for fault in faults(workspace))


@pytest.mark.parametrize(
    ("fault", "statement"),
    [
        ("words", "INSERT INTO words (words) VALUES ('delete-all')"),
        ("title_pairs", "INSERT INTO title_pairs (title_pairs) VALUES ('delete-all')"),
        ("term_counts", "INSERT INTO term_counts (kind, term, passages) VALUES ('pair', '無比', 1)"),
        ("term_counts", "DELETE FROM term_counts WHERE term = '申請'"),
        ("term_counts", "UPDATE term_counts SET passages = passages - 1 WHERE kind = 'kanji'"),
        ("index_state", "UPDATE index_state SET value = value + 1 WHERE key = 'passages'"),
        ("document", "UPDATE passage_texts SET text = text || 'x' WHERE id = 5"),
        ("document", "UPDATE passages SET last_line = last_line + 1 WHERE id = 5"),
        ("document", "UPDATE sections SET end_line = end_line + 1 WHERE id = 5"),
        ("document", "UPDATE sections SET parent_id = id - 1 WHERE id = 5"),
        ("document", "UPDATE sections SET is_general = 1 WHERE id = 5"),
        ("document", "UPDATE documents SET status = 'encoding', problem = 'neither'"),
        ("document", "UPDATE exception_terms SET last_line = last_line + 1"),
        ("document", "UPDATE cross_references SET column_number = column_number + 1"),
    ],
)
def test_a_thorough_check_names_what_is_wrong(workspace: WorkspaceFolder, fault: str, statement: str) -> None:
    fill(workspace)
    break_index(workspace, lambda connection: connection.execute(statement))
    assert fault in {found.partition(":")[0] for found in faults(workspace)}


def test_no_text_of_a_document_is_in_a_fault(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    break_index(workspace, swap_rows)
    said = "".join(faults(workspace))
    assert said
    assert not any(word in said for word in ("申請", "サーバ", "borrow", "適用", "題"))


def test_the_same_seed_looks_at_the_same(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    assert sample(workspace, 4) == sample(workspace, 4)


def test_a_check_ends_when_its_time_is_over(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    looks = iter(range(1_000))
    with reading(workspace) as connection:
        assert check_sample(connection, 0, lambda: next(looks) >= 20).terms == 20


def test_counts_stay_right_through_changes(workspace: WorkspaceFolder) -> None:
    fill(workspace)
    chosen = random.Random(9)
    with open_index(workspace) as opened:
        for number in range(12):
            workspace.write(f"m/{chosen.choice('abcd')}.md", f"# 題{number}\n" + chosen.choice(SENTENCES) * number)
            opened.synchronise()
    assert faults(workspace) == []
    assert sample(workspace).differences == ()


def test_a_rebuild_is_another_build_and_goes_on_counting(workspace: WorkspaceFolder) -> None:
    fill(workspace, 3)
    with open_index(workspace) as opened:
        states = []
        for _ in range(2):
            states.append((opened.value(_STATE, "build"), int(opened.value(_STATE, "generation"))))
            opened.synchronise(full=True)
    assert states[0][0] != states[1][0]
    assert states[0][1] < states[1][1]


_STATE = "SELECT value FROM index_state WHERE key = ?"

_PLACE = """
SELECT documents.manual_id, documents.path, passages.first_line
FROM passages
JOIN documents ON documents.id = passages.document_id
WHERE passages.id = ?
"""
