"""What an answer gives of a document counts as read, for the thresholds, and as delivered, for what cites it."""

from collections.abc import Iterable

from morenashi.indexer.collections import display_name
from morenashi.indexer.files import Key
from morenashi.server.delivery.delivered import describe_delivery, root_of
from morenashi.server.reading import FileText
from morenashi.server.search.adaptation.reads import Read
from morenashi.server.workspace import Workspace


def note_given(workspace: Workspace, key: Key, file: FileText, line: int, places: Iterable[tuple[int, int]]) -> None:
    """Note that the session was given the characters [start, end) of a file, at the section of `line`. `key` is
    (manual_id, path); of a note the id is empty, and no thresholds hang on it.
    """
    manual_id, path = key
    if manual_id:
        workspace.traces.record_read(Read(manual_id, path, line))
    root = root_of(manual_id)
    for start, end in places:
        # Only of a part of a line the version matters: to name it takes a look at all of the file.
        is_cut = file.start_of(file.line_of(start)) < start or end < file.start_of(
            file.line_of(max(end - 1, start)) + 1
        )
        version = file.version if is_cut else None
        workspace.delivered.record(describe_delivery(root, display_name(key), file, start, end, version))
