"""A changed manual or note is announced to those who asked for it, in the form of their era."""

import contextlib
import hashlib
import threading
import unicodedata
import warnings
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from anyio.abc import TaskStatus
from mcp import MCPDeprecationWarning, MCPError
from mcp.server.subscriptions import ResourceUpdated
from mcp.types import INVALID_PARAMS

from morenashi.indexer.files import DiskFile, Key
from morenashi.server.announcements import Changes
from morenashi.server.clients import Client
from morenashi.server.keeper.tenure import Tenure
from morenashi.server.workspace import Workspace

from ..server.serving import Mode
from ..workspaces import WorkspaceFolder, eventually, make_workspace
from .connecting import ERAS, Connection, connected

pytestmark = pytest.mark.usefixtures("brisk")

DOCUMENT, OTHER, NOTE = "manual://m/a.md", "manual://m/b.md", "vault://%E3%83%A1%E3%83%A2.md"
MARK = "manual://m/mark.md"


class Listening:
    """A client that has asked for some resources and for changes of the list. It hears of the mark, too."""

    def __init__(self, connection: Connection, era: Mode) -> None:
        self.connection, self.era = connection, era
        self._events: set[str] = set()
        self._marks = 0

    @contextlib.contextmanager
    def to(self, *uris: str) -> Iterator[None]:
        """Ask for these resources."""
        if self.era == "legacy":
            self._subscribe("subscribe_resource", *uris, MARK)
            yield
            return
        closing = self.connection.portal.call(anyio.Event)
        held, _ = self.connection.portal.start_task(self._listen, closing, [*uris, MARK])
        try:
            yield
        finally:
            self.connection.portal.call(closing.set)
            held.result()

    def no_more(self, uri: str) -> None:
        self._subscribe("unsubscribe_resource", uri)

    def heard(self) -> set[str]:
        """What has changed since this was last asked: resources, and "list". All that is known has been announced."""
        # What is announced together with a mark may come behind it, and comes before the next one.
        return self._before_mark() | self._before_mark()

    def _before_mark(self) -> set[str]:
        """Write the mark, and take what has come when it is announced."""
        self._marks += 1
        # Put in place whole: a mark of which the beginning alone was seen would be announced twice.
        new = self.connection.folder.root / "mark.new"
        new.write_text(f"# {self._marks}\n", "utf-8")
        new.replace(self.connection.folder.manuals / "m" / "mark.md")
        assert eventually(lambda: MARK in self._so_far())
        return self._take_all() - {MARK}

    def _so_far(self) -> set[str]:
        return self.connection.changed() if self.era == "legacy" else set(self._events)

    def _take_all(self) -> set[str]:
        """What has come, and from now on counts no more; what comes meanwhile stays for the next time."""
        if self.era == "legacy":
            return self.connection.take_changed()
        taken = set(self._events)
        self._events -= taken
        return taken

    def _subscribe(self, method: str, *uris: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            for uri in uris:
                self.connection.ask(method, uri)

    async def _listen(self, closing: anyio.Event, uris: list[str], *, task_status: TaskStatus[None]) -> None:
        listening = self.connection.client.listen(resource_subscriptions=uris, resources_list_changed=True)
        async with listening as subscription, anyio.create_task_group() as tasks:
            tasks.start_soon(self._take, subscription)
            task_status.started()
            await closing.wait()
            tasks.cancel_scope.cancel()

    async def _take(self, subscription: object) -> None:
        async for event in subscription:  # type: ignore[attr-defined]
            self._events.add(event.uri if isinstance(event, ResourceUpdated) else "list")


@pytest.fixture(params=ERAS)
def listening(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Listening]:
    folder = make_workspace(tmp_path / "workspace")
    for name in ("a", "b", "mark"):
        folder.write(f"m/{name}.md", "# はじめ\n")
    note(folder).parent.mkdir()
    note(folder).write_text("はじめ\n", "utf-8")
    with connected(folder, request.param) as connection:
        yield Listening(connection, request.param)


@pytest.fixture
def beside_a_writer(tmp_path: Path) -> Iterator[tuple[Listening, Workspace]]:
    """A client of a server that follows, and the workspace of the process that writes the index."""
    folder = make_workspace(tmp_path / "workspace")
    for name in ("a", "b", "mark"):
        folder.write(f"m/{name}.md", "# はじめ\n")
    writer = Workspace(folder.config())
    try:
        writer.wait_until_ready()
        with connected(folder, "legacy") as connection:
            assert not connection.workspace.states["manuals"]["is_writer"]
            yield Listening(connection, "legacy"), writer
    finally:
        writer.close()


def note(folder: WorkspaceFolder) -> Path:
    return folder.root / "vault" / "メモ.md"


def test_a_changed_file_is_announced_to_who_asked_for_it(listening: Listening) -> None:
    with listening.to(DOCUMENT, NOTE):
        listening.connection.folder.write("m/a.md", "# あたらしい\n")
        listening.connection.folder.write("m/b.md", "# nobody asked\n")
        assert listening.heard() == {DOCUMENT}
        listening.connection.call("vault_write", path="メモ.md", content="つづき\n", mode="append")
        assert eventually(lambda: NOTE in listening._so_far())


def test_a_file_that_came_or_went_changes_the_list(listening: Listening) -> None:
    with listening.to(DOCUMENT):
        listening.connection.folder.write("m/new.md", "# new\n")
        assert listening.heard() == {"list"}
        (listening.connection.folder.manuals / "m" / "a.md").unlink()
        assert listening.heard() == {DOCUMENT, "list"}


def test_a_file_that_comes_back_is_announced_to_who_asked_for_it(listening: Listening) -> None:
    document = listening.connection.folder.manuals / "m" / "a.md"
    with listening.to(DOCUMENT):
        document.unlink()
        assert listening.heard() == {DOCUMENT, "list"}
        document.write_text("# ふたたび\n", "utf-8")
        assert listening.heard() == {DOCUMENT, "list"}


def test_a_file_that_was_only_touched_is_not_announced(listening: Listening) -> None:
    with listening.to(DOCUMENT):
        listening.connection.folder.write("m/a.md", "# はじめ\n")
        assert listening.heard() == set()


def test_many_changes_of_one_batch_are_announced_once(listening: Listening) -> None:
    with listening.to(DOCUMENT):
        for number in range(50):
            listening.connection.folder.write("m/a.md", f"# {number}\n")
        assert listening.heard() == {DOCUMENT}


@pytest.mark.parametrize("listening", ["auto"], indirect=True)
def test_very_many_changes_of_one_batch_are_all_announced(listening: Listening) -> None:
    """More than the library keeps of what a stream has not sent yet: it is given time between two of them."""
    names = [f"{number:04}.md" for number in range(2_000)]
    uris = {f"manual://m/{name}" for name in names}
    with listening.to(*uris):
        changes = Changes("manuals", frozenset(("m", name) for name in names), is_list_changed=False)
        listening.connection.workspace.announcements.tell(changes)
        assert eventually(lambda: listening._so_far() == uris, 20)


def test_a_uri_may_be_written_as_it_is_read(listening: Listening) -> None:
    with listening.to("vault://メモ.md"):
        listening.connection.call("vault_write", path="メモ.md", content="つづき\n", mode="append")
        assert eventually(lambda: listening._so_far() == {"vault://メモ.md"})


@pytest.mark.parametrize(
    "uri",
    [
        "manual://m/%E6%89%8B%E5%BC%95%E3%81%8D(%E6%96%B0).md",
        "manual://m/%e6%89%8b%e5%bc%95%e3%81%8d%28%e6%96%b0%29.md",
        "manual://m/手引き(新).md#L1",
        "manual://m/手引" + unicodedata.normalize("NFD", "ぎ") + "(新).md",
    ],
    ids=["as the template is filled in", "in small letters", "a section of it", "with its marks apart"],
)
def test_a_uri_is_announced_as_it_was_asked_for(listening: Listening, uri: str) -> None:
    name = "手引ぎ(新)" if unicodedata.normalize("NFC", uri) != uri else "手引き(新)"
    listening.connection.folder.write(f"m/{name}.md", "# はじめ\n")
    assert eventually(lambda: listening.connection.call("manual_ls")["total"] == 4)
    with listening.to(uri):
        listening.heard()
        listening.connection.folder.write(f"m/{name}.md", "# あたらしい\n")
        assert listening.heard() == {uri}


def test_who_listens_no_more_hears_nothing(listening: Listening) -> None:
    with listening.to(DOCUMENT):
        if listening.era == "legacy":
            listening.no_more(DOCUMENT)
            listening.connection.folder.write("m/a.md", "# 二\n")
            assert listening.heard() == set()
    if listening.era == "auto":
        assert eventually(lambda: not listening.connection.workspace.announcements.are_wanted)


@pytest.mark.parametrize("uri", ["file:///etc/passwd", "manual://m", "vault://%FF", ""])
def test_what_can_be_no_resource_is_not_subscribed_to(listening: Listening, uri: str) -> None:
    if listening.era == "legacy":
        with pytest.raises(MCPError) as refused:
            listening._subscribe("subscribe_resource", uri)
        assert refused.value.code == INVALID_PARAMS
        return

    async def honoured() -> list[str]:
        async with listening.connection.client.listen(resource_subscriptions=[uri, DOCUMENT]) as subscription:
            return list(subscription.honored.resource_subscriptions or [])

    assert listening.connection.portal.call(honoured) == [DOCUMENT]


def test_the_server_says_that_it_announces(listening: Listening) -> None:
    capabilities = listening.connection.client.server_capabilities
    assert capabilities.resources
    assert capabilities.resources.subscribe
    assert capabilities.resources.list_changed


@pytest.mark.parametrize("era", ERAS)
def test_a_client_hears_of_its_own_list_alone(tmp_path: Path, era: Mode) -> None:
    """That a note came or went is nothing for a client of the manuals, whose list is as it was."""
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/mark.md", "# はじめ\n")
    with connected(folder, era, Client("reader", toolsets=frozenset({"manual"}))) as connection:
        listening, announcements = Listening(connection, era), connection.workspace.announcements
        with listening.to():
            announcements.tell(Changes("vault", frozenset(), is_list_changed=True))
            assert listening.heard() == set()
            announcements.tell(Changes("manuals", frozenset(), is_list_changed=True))
            assert listening.heard() == {"list"}


def test_an_older_client_that_has_seen_the_list_hears_that_it_changed(tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/a.md", "# a\n")
    with connected(folder, "legacy") as connection:
        folder.write("m/b.md", "# b\n")
        assert eventually(lambda: connection.call("manual_ls")["total"] == 2)
        assert connection.changed() == set()
        connection.ask("list_resources")
        folder.write("m/c.md", "# c\n")
        assert eventually(lambda: connection.changed() == {"list"})


def test_who_begins_to_listen_while_the_index_is_written_hears_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()
    started = Tenure.started

    def start_and_wait(tenure: Tenure, files: list[DiskFile], gone: list[Key]) -> None:
        started(tenure, files, gone)
        has_begun.set()
        may_go_on.wait(30)

    monkeypatch.setattr(Tenure, "started", start_and_wait)
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/a.md", "# a\n")
    workspace = Workspace(folder.config())
    told: list[Changes] = []
    try:
        assert has_begun.wait(30)
        workspace.announcements.listen(told.append)
        may_go_on.set()
        assert eventually(lambda: told == [Changes("manuals", frozenset({("m", "a.md")}), is_list_changed=True)])
    finally:
        may_go_on.set()
        workspace.close()


def test_nobody_is_told_when_nobody_is_left(tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/a.md", "# a\n")
    with connected(folder, "legacy") as connection:
        assert not connection.workspace.announcements.are_wanted
        connection.ask("list_resources")
        assert connection.workspace.announcements.are_wanted
        workspace = connection.workspace
    assert not workspace.announcements.are_wanted


def test_a_server_that_does_not_write_the_index_announces_what_another_one_wrote(
    beside_a_writer: tuple[Listening, Workspace],
) -> None:
    listening, _ = beside_a_writer
    folder = listening.connection.folder
    with listening.to(DOCUMENT):
        # What came just before somebody listened may be announced as well.
        listening.heard()
        folder.write("m/a.md", "# あたらしい\n")
        folder.write("m/b.md", "# nobody asked\n")
        assert listening.heard() == {DOCUMENT}
        (folder.manuals / "m" / "a.md").unlink()
        assert listening.heard() == {DOCUMENT, "list"}


def test_what_the_writer_did_last_is_announced_by_the_one_that_takes_over(
    beside_a_writer: tuple[Listening, Workspace],
) -> None:
    listening, writer = beside_a_writer
    with listening.to(DOCUMENT):
        listening.heard()
        listening.connection.folder.write("m/a.md", "# あたらしい\n")
        assert eventually(lambda: DIGEST in asked(writer))
        writer.close()
        assert eventually(lambda: listening.connection.workspace.states["manuals"]["is_writer"])
        assert eventually(lambda: DOCUMENT in listening._so_far())
        assert listening.heard() - {"list"} == {DOCUMENT}


DIGEST = hashlib.sha256("# あたらしい\n".encode()).digest()


def asked(workspace: Workspace) -> list[bytes]:
    """The digests of all documents that the index holds."""
    return workspace.ask(lambda index: [row[0] for row in index.execute("SELECT sha256 FROM documents")])
