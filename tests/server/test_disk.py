"""What the disk says otherwise than the index."""

import contextlib

from morenashi.indexer.collections import collection_of
from morenashi.indexer.database import open_reader
from morenashi.server.keeper.disk import changed_since

from ..indexer.indexes import open_index
from ..workspaces import WorkspaceFolder


def test_a_change_is_one_to_a_reader_that_still_sees_the_index_before_it(workspace: WorkspaceFolder) -> None:
    collection = collection_of(workspace.config(), "manuals")
    workspace.write("guide/a.md", "# A\n\nbefore\n")
    with open_index(workspace) as opened, contextlib.closing(open_reader(collection.database)) as reader:
        opened.synchronise()
        reader.execute("BEGIN")
        assert changed_since(reader, collection) == frozenset()
        workspace.write("guide/a.md", "# A\n\nafterwards\n")
        workspace.write("guide/b.md", "# B\n")
        opened.synchronise()
        assert changed_since(reader, collection) == {("guide", "a.md"), ("guide", "b.md")}
        reader.rollback()
        assert changed_since(reader, collection) == frozenset()
