"""Check digits, beside a library that knows them."""

from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.jp import in_

from morenashi.server.memory.detectors.numbers import satisfies_luhn, satisfies_my_number


@given(st.from_regex(r"[0-9]{11}", fullmatch=True))
def test_one_digit_of_ten_makes_a_my_number(digits: str) -> None:
    assert [last for last in "0123456789" if satisfies_my_number(digits + last)] == [in_.calc_check_digit(digits)]


@given(st.from_regex(r"[0-9]{13,19}", fullmatch=True))
def test_card_numbers_are_those_of_the_library(digits: str) -> None:
    assert satisfies_luhn(digits) == luhn.is_valid(digits)
