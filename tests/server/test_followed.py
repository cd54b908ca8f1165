"""What a server announces of an index that another process writes."""

import contextlib

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.announcements import Announcements, Changes
from morenashi.server.keeper.followed import Followed

from ..workspaces import WorkspaceFolder
from .serving import index_now


class Looking:
    """A follower of a workspace's index, and a listener that may be there."""

    def __init__(self, folder: WorkspaceFolder) -> None:
        self.folder = folder
        self.told: list[Changes] = []
        self.announcements = Announcements()
        self._followed = Followed(self.announcements, "manuals")

    def write(self, path: str, text: str) -> None:
        """By another process, say."""
        self.folder.write(path, text)
        index_now(self.folder)

    def look(self) -> list[Changes]:
        """What is announced by a look."""
        self.told.clear()
        with contextlib.closing(open_reader(self.folder.database)) as connection:
            self._followed.look(connection)
        return list(self.told)


@pytest.fixture
def looking(workspace: WorkspaceFolder) -> Looking:
    looking = Looking(workspace)
    looking.write("m/a.md", "# a\n")
    assert looking.look() == []
    return looking


def test_what_changed_since_the_last_look_is_announced_once(looking: Looking) -> None:
    looking.announcements.listen(looking.told.append)
    assert looking.look() == []
    looking.write("m/a.md", "# another\n")
    assert looking.look() == [Changes("manuals", frozenset({("m", "a.md")}), is_list_changed=False)]
    assert looking.look() == []
    looking.write("m/b.md", "# b\n")
    assert looking.look() == [Changes("manuals", frozenset({("m", "b.md")}), is_list_changed=True)]


def test_who_begins_to_listen_between_two_looks_misses_nothing(looking: Looking) -> None:
    """Whether the change came before or after, nobody knows: it is announced, and so is what may not have changed."""
    looking.write("m/b.md", "# b\n")
    looking.announcements.listen(looking.told.append)
    [told] = looking.look()
    assert (told.documents >= {("m", "b.md")}, told.is_list_changed) == (True, True)


def test_what_changed_while_nobody_listened_is_not_announced(looking: Looking) -> None:
    looking.write("m/b.md", "# b\n")
    assert looking.look() == []
    looking.announcements.listen(looking.told.append)
    assert looking.look() == []
