"""Normal forms of texts with any number of marks in any order."""

import unicodedata
from time import thread_time
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.combining import in_order, normal_form

# Of several classes; two that are two marks each; one that is a mark in NFKC alone.
MARKS = "\u0300\u0316\u0345\u05b0\u3099\u0344\u0f73\uff9e"
TEXTS = st.lists(st.text("aかｶé\u1100각" + MARKS, max_size=9).map(lambda text: text * 9), max_size=9).map("".join)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@given(text=TEXTS)
@example(text="a" + MARKS[::-1] * 40 + "b")
def test_marks_in_their_order_have_the_same_normal_form(form: Literal["NFC", "NFKC"], text: str) -> None:
    assert unicodedata.normalize(form, in_order(form, text, set(text))) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_the_normal_form_of_very_many_marks_is_linear_work(form: Literal["NFC", "NFKC"]) -> None:
    """Without their order two seconds, with it a hundredth of one."""
    begun = thread_time()
    normal = normal_form(form, "a" + "\u0300\u0316" * 30_000)
    assert thread_time() - begun < 1
    assert (len(normal), normal[:2], normal[-1]) == (60_000, "\u00e0\u0316", "\u0300")
