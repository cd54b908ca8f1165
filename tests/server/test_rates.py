"""Rate limits of callers (seed 002 §4): how many calls, how they come back, and what a refused caller is told."""

import pytest

from morenashi.server.newest import Newest
from morenashi.server.rates import Allowance, RateLimiter, RateLimitError


def spent(a_minute: int, now: float = 1_000.0) -> RateLimiter:
    """A limiter of which one caller has taken all calls."""
    limiter = RateLimiter(a_minute)
    for _ in range(a_minute):
        limiter.take("one", now)
    return limiter


def test_all_calls_of_a_minute_may_come_at_once_and_no_more() -> None:
    limiter = RateLimiter(3)
    allowances = [limiter.take("one", 1_000.0) for _ in range(3)]
    assert allowances == [Allowance(3, 2, 20), Allowance(3, 1, 40), Allowance(3, 0, 60)]
    with pytest.raises(RateLimitError):
        limiter.take("one", 1_000.0)


def test_each_caller_has_calls_of_its_own() -> None:
    assert spent(3).take("other", 1_000.0).remaining == 2


def test_a_call_comes_back_when_its_part_of_the_minute_is_over() -> None:
    limiter = spent(3)
    with pytest.raises(RateLimitError):
        limiter.take("one", 1_019.0)
    assert limiter.take("one", 1_020.0).remaining == 0
    with pytest.raises(RateLimitError):
        limiter.take("one", 1_020.0)


def test_who_is_refused_waits_no_longer_for_having_asked() -> None:
    limiter = spent(3)
    for second in range(1, 20):
        with pytest.raises(RateLimitError):
            limiter.take("one", 1_000.0 + second)
    assert limiter.take("one", 1_021.0).remaining == 0


def test_calls_that_are_not_made_do_not_add_up_beyond_the_limit() -> None:
    limiter = spent(3)
    assert limiter.take("one", 1_000.0 + 3_600) == Allowance(3, 2, 20)


def test_a_refusal_says_when_the_next_call_is_back() -> None:
    limiter = spent(3)
    with pytest.raises(RateLimitError) as refused:
        limiter.take("one", 1_015.0)
    assert refused.value.retry_after == 5
    assert refused.value.allowance == Allowance(3, 0, 45)
    assert refused.value.details == {"retry_after": 5, "limit": 3, "remaining": 0, "reset": 45}


def test_nobody_is_told_to_wait_for_no_time_at_all() -> None:
    limiter = spent(3)
    with pytest.raises(RateLimitError) as refused:
        limiter.take("one", 1_019.999_999)
    assert refused.value.retry_after == 1


def test_who_has_to_wait_is_not_forgotten_for_those_who_come_meanwhile() -> None:
    limiter = spent(3)
    for number in range(900):
        limiter.take(f"other {number}", 1_000.0)
    with pytest.raises(RateLimitError):
        limiter.take("one", 1_000.0)


def test_of_the_newest_those_that_were_put_longest_ago_make_room() -> None:
    newest = Newest[str, int](2)
    for key in ("a", "b", "a", "c"):
        newest.put(key, 1)
    assert list(newest) == ["a", "c"]
