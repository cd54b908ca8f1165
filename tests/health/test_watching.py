"""Whether changes can be heard of: limits of inotify, file systems without events."""

from morenashi.indexer.config import WatchMode
from morenashi.server.health.watching import watch_findings

from ..workspaces import WorkspaceFolder


def test_too_few_inotify_watches_are_said_with_the_number_that_is_needed(workspace: WorkspaceFolder) -> None:
    for number in range(8):
        workspace.write(f"m/{number}/x.md", "# 題\n")
    limits = workspace.root / "proc" / "sys" / "fs" / "inotify"
    limits.mkdir(parents=True)
    (limits / "max_user_watches").write_text("9\n")

    def finding(most: int, mode: WatchMode = "auto") -> list[str]:
        (limits / "max_user_watches").write_text(f"{most}\n")
        system = workspace.root / "proc"
        return [each.code for each in watch_findings(workspace.manuals, mode, is_kept=False, system=system)]

    assert finding(9) == ["inotify_watches"]
    assert finding(10) == []
    assert finding(9, "polling") == []


def test_inotify_instances_that_are_used_up_are_said(workspace: WorkspaceFolder) -> None:
    """The kernel's own account of one process: three instances with two watches each."""
    system = workspace.root / "proc"
    for number in range(3):
        for folder, name in (("fd", str(number)), ("fdinfo", str(number))):
            (system / "77" / folder).mkdir(parents=True, exist_ok=True)
            if folder == "fd":
                (system / "77" / folder / name).symlink_to("anon_inode:inotify")
            else:
                (system / "77" / folder / name).write_text("pos: 0\ninotify wd:1 ino:1\ninotify wd:2 ino:2\n")
    limits = system / "sys" / "fs" / "inotify"
    limits.mkdir(parents=True)

    def finding(instances: int, watches: int) -> list[str]:
        (limits / "max_user_instances").write_text(f"{instances}\n")
        (limits / "max_user_watches").write_text(f"{watches}\n")
        return [each.code for each in watch_findings(workspace.manuals, "auto", is_kept=False, system=system)]

    assert finding(4, 7) == []
    assert finding(3, 7) == ["inotify_instances"]
    assert finding(4, 6) == ["inotify_watches"]


def test_a_file_system_without_events_is_a_note_and_a_warning_where_events_are_wanted(
    workspace: WorkspaceFolder,
) -> None:
    system = workspace.root / "proc"
    system.mkdir()
    (system / "mounts").write_text(f"server:/x {workspace.manuals} nfs4 rw 0 0\n")

    def severities(mode: WatchMode) -> list[str]:
        found = watch_findings(workspace.manuals, mode, is_kept=False, system=system)
        return [each.severity for each in found]

    assert severities("auto") == ["note"]
    assert severities("events") == ["warning"]
