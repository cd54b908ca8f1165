"""When a keeper tries again after a fault of the program's own."""

from morenashi.indexer.collections import collection_of
from morenashi.server.keeper.course import Course

from ..workspaces import WorkspaceFolder


def test_each_fault_makes_the_pause_longer_up_to_a_minute_and_a_recovery_short_again(
    workspace: WorkspaceFolder,
) -> None:
    course = Course(collection_of(workspace.config(), "manuals"), "auto")
    assert [course.pause_after_fault() for _ in range(7)] == [2, 4, 8, 16, 32, 60, 60]
    course.tell_of_recovery()
    assert course.pause_after_fault() == 2
