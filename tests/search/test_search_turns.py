"""Searches that come at once compute one after the other, unless one runs long."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from morenashi.server.deadline import Deadline
from morenashi.server.search_turns import SearchTurns

from ..threads import call_at_once
from ..workspaces import eventually

_PATIENCE_SECONDS = 60


def test_searches_that_come_at_once_do_not_overlap() -> None:
    turns, inside, most = SearchTurns(), 0, 0

    def search(_: int) -> None:
        nonlocal inside, most
        with turns.take(_long()):
            inside += 1
            most = max(most, inside)
            inside -= 1

    call_at_once(search, range(16))
    assert most == 1


def test_who_came_first_is_served_first() -> None:
    turns, served = SearchTurns(), list[int]()

    def search(number: int) -> None:
        with turns.take(_long()):
            served.append(number)

    def has_come(number: int) -> bool:
        return len(served) + len(turns._waiting) > number

    with ThreadPoolExecutor(4) as threads, turns.take(_long()):
        for number in range(4):
            threads.submit(search, number)
            assert eventually(partial(has_come, number))
    assert served == [0, 1, 2, 3]


def test_one_that_runs_long_holds_up_nobody() -> None:
    turns, other_was_served = SearchTurns(), threading.Event()

    def search() -> None:
        with turns.take(_long()):
            other_was_served.set()

    with ThreadPoolExecutor(1) as threads, turns.take(_long()):
        threads.submit(search)
        assert other_was_served.wait(_PATIENCE_SECONDS)


def test_one_that_ran_long_does_not_end_the_turn_of_the_next() -> None:
    turns, long_may_end, long_began = SearchTurns(), threading.Event(), threading.Event()

    def search_long() -> None:
        with turns.take(_long()):
            long_began.set()
            long_may_end.wait(_PATIENCE_SECONDS)

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(search_long)
        long_began.wait(_PATIENCE_SECONDS)
        with turns.take(_long()):
            held = turns._holder
            long_may_end.set()
            running.result(_PATIENCE_SECONDS)
            assert turns._holder is held is not None


def test_whose_time_is_over_does_not_wait() -> None:
    turns = SearchTurns()
    cancelled = _long()
    cancelled.cancel()
    with turns.take(_long()), turns.take(Deadline(0)), turns.take(cancelled):
        assert not turns._waiting


def test_a_search_that_fails_gives_its_turn_back() -> None:
    turns = SearchTurns()
    try:
        with turns.take(_long()):
            raise ValueError
    except ValueError:
        assert turns._holder is None


def _long() -> Deadline:
    return Deadline(_PATIENCE_SECONDS * 1000)
