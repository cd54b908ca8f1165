"""What a keeper is asked to do and has not done yet."""

import contextlib
import queue
import threading

from morenashi.indexer.watch import Change

from .jobs import Order, Task, Wanted
from .notices import Notices
from .submitted import Submitted


class Inbox:
    """Shared by the threads that ask and the keeper's, which takes out. `submitted` is for that one alone."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self.notices = Notices()
        self.submitted = Submitted()
        self._is_closed = False

    def __len__(self) -> int:
        return self._tasks.qsize() + len(self.submitted)

    @property
    def is_empty(self) -> bool:
        """Whether no task waits; what was submitted may."""
        return self._tasks.empty()

    def put(self, task: Task) -> None:
        """Have something done. From `close` on it is dropped: nobody takes it out."""
        if self._is_closed:
            self.settle(task)
        else:
            self._tasks.put(task)

    def put_changes(self, changes: frozenset[Change]) -> None:
        """Have documents looked at that a watcher has heard of."""
        self.notices.add(changes)
        self.put(changes)

    def want(self, change: Change) -> threading.Event:
        """Have a document looked at; what is set when that was done."""
        wanted = Wanted(frozenset({change}), threading.Event())
        self.notices.add(wanted.changes)
        self.put(wanted)
        return wanted.done

    def ask_to_compare(self, named: frozenset[Change] = frozenset()) -> None:
        """Have everything compared. What waits for its turn serves all who have asked. `named` are known to differ."""
        if self.notices.ask_to_compare(named):
            self.put(Order.COMPARE)

    def get(self, seconds: float | None = None) -> Task:
        """The next task. Raises `queue.Empty` if none comes within `seconds`."""
        return self._tasks.get(timeout=seconds)

    def settle(self, task: Task) -> None:
        """A task that named changes was dealt with, or will be by somebody else."""
        if isinstance(task, Wanted):
            self.notices.settle(task.changes)
            task.done.set()
        elif isinstance(task, frozenset):
            self.notices.settle(task)

    def collect_submitted(self) -> None:
        """Take what was submitted out of the tasks; the others wait on."""
        others = []
        with contextlib.suppress(queue.Empty):
            while True:
                task = self._tasks.get_nowait()
                if isinstance(task, tuple):
                    self.submitted.add(task)
                else:
                    others.append(task)
        for task in others:
            self._tasks.put(task)

    def leave_to_others(self) -> None:
        """Drop all tasks up to the order to stop: somebody else does them."""
        with contextlib.suppress(queue.Empty):
            while (task := self._tasks.get_nowait()) is not Order.STOP:
                self.settle(task)

    def close(self) -> int:
        """Take nothing up any more. How many records were submitted in vain."""
        self._is_closed = True
        self.collect_submitted()
        self.leave_to_others()
        return len(self.submitted)
