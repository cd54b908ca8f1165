"""How somebody is reached: which numbers and addresses are read, and which are none."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.contacts import contact_of
from morenashi.server.search.judgement.tables import Cell
from morenashi.server.search.judgement.values import read_given

NUMBERS = ["03-1234-5678", "(03)1234-5678", "(03) 1234-5678", "03(1234)5678", "03 (1234) 5678", "03-123-4567"]
NUMBERS += ["04998-2-2111", "0120-123-456", "+81 3 1234 5678", "+1 (866) 450-6588", "01 23 45 67 89"]
EXTENSIONS = ["内線 7110", "内線: 7110", "内線番号 123456", "ext 7110", "ext. 7110", "extension 71"]
ADDRESSES = ["a@firm.jp", "sales_1+jp@front-desk.dept.firm.co.jp"]
# Days, versions, standards, what is too long or goes on, and part of the address of a page.
NONE = ["0000-00-00", "0120-12-34", "(2024)1234-5678", "03-1234-5678-a01", "内線 7", "内線 1234567", "内線 7110-2"]
NONE += ["v03-1234-5678", "npm/vue@3.prod.js", "a@localhost"]
HEADS = {
    "03-1234-5678": ["電話", "電話番号", "TEL", "Phone", "Telephone", "Phone number"],
    "03-1234-9999": ["FAX", "FAX番号", "FAX 番号", "Fax number", "ファックス", "ファックス番号"],
    "7110": ["内線", "内線番号", "Ext", "Ext.", "Extension", "Extension number"],
    "a@firm.jp": ["メール", "メールアドレス", "Mail", "E-mail", "Email", "Email address"],
}


def contacts(text: str) -> list[str]:
    return [given.value.text for given in read_given(normalise(text)) if given.quantity == ("contact", given.rest)]


@pytest.mark.parametrize("written", [*NUMBERS, *EXTENSIONS, *ADDRESSES])
def test_a_contact_is_read_however_it_is_written(written: str) -> None:
    value = written if "@" in written else "".join(sign for sign in written if sign.isdigit())
    assert contacts(f"総務課の窓口は {written} です。") == [value]
    assert contacts(f"The front desk is at {written}") == [value]


def test_a_sentence_says_the_same_with_a_colon_before_an_extension() -> None:
    said = [
        read_given(normalise(f"申請は総務課（内線{number}）に出す。")) for number in (" 7110", "：7119", "番号 7110")
    ]
    first, second, third = (next(one) for one in said)
    assert first.quantity == second.quantity != third.quantity
    assert first.value.contradicts(second.value)


@pytest.mark.parametrize("written", NONE)
def test_what_only_looks_like_one_is_none(written: str) -> None:
    assert contacts(f"総務課の窓口は {written} です。") == []


@pytest.mark.parametrize(
    "text", ["email: a@firm.jp", "This desk is at a@firm.jp.", "The front desk is at a@firm.jp or b@firm.jp."]
)
def test_a_sentence_has_to_say_whose_one_contact_it_names(text: str) -> None:
    assert contacts(text) == []


@pytest.mark.parametrize(("written", "head"), [(written, head) for written, heads in HEADS.items() for head in heads])
def test_cells_are_compared_whose_heads_say_one_kind(written: str, head: str) -> None:
    def read(head: str, text: str) -> tuple[tuple[str, str], str] | None:
        found = contact_of(Cell(2, "総務課", "課", normalise(head), text))
        return found and (found.quantity, found.value.text)

    value = written.replace("-", "")
    assert read(head, written) == read(HEADS[written][0], written) == ((read(head, written) or [()])[0], value)
    assert all(read(head, text) is None for text in ("", "なし", f"{written} (昼)", f"{written} {written}"))
    assert read("備考", written) is None
