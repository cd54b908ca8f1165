"""By what statements are compared: values in other units, times of the day, versions, bounds, what headings name."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.bounds import take_from_english, take_from_name
from morenashi.server.search.judgement.headings import Whereabouts, are_apart, are_versions, do_headings_differ
from morenashi.server.search.judgement.inflections import holds_inflection
from morenashi.server.search.judgement.measures import QUANTITY, Measure, measure, spell_out
from morenashi.server.search.question.clock_times import CLOCK_SPAN, CLOCK_TIME, span_of, time_of


def measured(text: str) -> Measure:
    match = QUANTITY.search(spell_out(normalise(text)))
    assert match is not None
    found = measure(match)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2千円", "2,000円"),
        ("1万2千円", "12,000円"),
        ("2万円", "20,000円"),
        ("1億円", "100,000,000円"),
        ("¥5,000", "5000円"),
        ("5,000 yen", "5千円"),
        ("US$10", "10 dollars"),
        ("€10", "10 euros"),
        ("£10", "10 pounds"),
        ("2割", "20%"),
        ("5パーセント", "5%"),
        ("5 percent", "5％"),
        ("3名", "3人"),
        ("3才", "3歳"),
        ("2分間", "120秒"),
        ("2時間", "120分"),
        ("3日間", "72時間"),
        ("2週間", "14日"),
        ("12か月", "12ヶ月間"),
        ("12ヵ月間", "12ケ月"),
        ("3ヵ所", "3か所"),
        ("2年間", "2年"),
        ("2 minutes", "120 seconds"),
        ("2 hrs", "120 mins"),
        ("3 days", "72 hours"),
        ("2 weeks", "14 days"),
        ("500 ms", "0.5 secs"),
        ("five minutes", "300 s"),
        ("two weeks", "14 days"),
        ("three months", "3 months"),
        ("2kg", "2,000g"),
        ("5mg", "0.005g"),
        ("5μg", "0.005mg"),
        ("2km", "200,000cm"),
        ("3cm", "30mm"),
        ("3kW", "3,000W"),
    ],
)
def test_a_quantity_is_the_same_in_another_unit(one: str, other: str) -> None:
    first, second = measured(one), measured(other)
    assert first.unit == second.unit
    assert (first.least, first.most) == pytest.approx((second.least, second.most), rel=1e-9)


@pytest.mark.parametrize(("days", "fits"), [(360, False), (365, True), (366, True), (370, False)])
def test_a_year_is_as_many_days_as_some_year_has(days: int, fits: bool) -> None:
    assert measured("1年").contradicts(measured(f"{days}日")) is not fits
    assert measured("1 year").contradicts(measured(f"{days} days")) is not fits


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("9:30", 570),
        ("21:30", 570),
        ("9時半", 570),
        ("午後9時30分", 570),
        ("9:30 pm", 570),
        ("12 pm", 0),
        ("24:00", 0),
        ("11:59", 719),
        ("9時60分", None),
    ],
)
def test_a_time_is_the_same_however_it_is_written(text: str, minutes: int | None) -> None:
    match = CLOCK_TIME.search(normalise(text))
    assert match is not None
    assert time_of(match) == minutes


def test_a_span_of_times_has_two_ends() -> None:
    spans = ["9:00-17:00", "9時から17時まで", "午前9時〜午後5時", "9 am to 5 pm", "9時から5時まで", "9:00-17:30"]
    found = [match and span_of(match) for match in map(CLOCK_SPAN.search, map(normalise, spans))]
    assert None not in found
    assert len(set(found[:5])) == 1
    assert found[5] != found[0]


def test_a_span_that_ends_at_midnight_does_not_end_at_noon() -> None:
    noon, midnight = (CLOCK_SPAN.search(normalise(f"午前9時から午後{hour}時まで")) for hour in (0, 24))
    assert noon and midnight and span_of(noon) != span_of(midnight)
    begun = CLOCK_SPAN.search("午前9時から午前0時まで")
    assert begun and span_of(begun) == span_of(midnight)


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("v1/x.md", "v2/x.md", True),
        ("v1/x.md", "v1/y.md", False),
        ("v1/x.md", "x.md", False),
        ("2023年度/x.md", "2024年度/x.md", True),
        ("令和5年度/x.md", "令和6年度/x.md", True),
        ("2023年度/v1/x.md", "2024年度/v1/x.md", False),
        ("旧規程.md", "規程.md", True),
        ("旧姓.md", "姓.md", False),
        ("old/x.md", "x.md", True),
        ("archive/x.md", "x.md", True),
        ("archived/x.md", "x.md", True),
        ("legacy/x.md", "x.md", True),
        ("deprecated/x.md", "x.md", True),
        ("obsolete/x.md", "x.md", True),
        ("old/x.md", "old/y.md", False),
        ("threshold/x.md", "x.md", False),
    ],
)
def test_versions_are_told_by_paths_and_titles(one: str, other: str, are: bool) -> None:
    assert are_versions(Whereabouts(one, ()), Whereabouts(other, ())) is are
    assert are_versions(Whereabouts("a.md", (normalise(one),)), Whereabouts("b.md", (normalise(other),))) is are


@pytest.mark.parametrize(
    ("subject", "name", "bound"),
    [
        *((f"宿泊費の{most}", "宿泊費", "most") for most in ("上限", "限度", "上限額", "限度額")),
        *((f"年金の{least}", "年金", "least") for least in ("下限", "下限額")),
        ("maximum upload size", "upload size", "most"),
        ("the min length", "length", "least"),
        *((f"申請の{day}", f"申請の{day}", "most") for day in ("期限", "締切", "締切り", "締め切り", "期日")),
        ("filing deadline", "filing deadline", "most"),
        ("期限切れの件数", "期限切れの件数", ""),
        ("宿泊費", "宿泊費", ""),
    ],
)
def test_a_name_says_whether_it_is_a_bound(subject: str, name: str, bound: str) -> None:
    assert take_from_name(subject) == (name, bound)


@pytest.mark.parametrize(
    ("before", "behind", "bound"),
    [
        *((f"{words} ", "", "most") for words in ("at most", "up to", "no more than", "not more than", "a maximum of")),
        *((f"{words} to ", "", "most") for words in ("limited", "restricted", "capped")),
        *((f"{words} ", "", "least") for words in ("at least", "no less than", "not fewer than", "a minimum of")),
        *(("", f" or {word}", "least") for word in ("more", "longer", "above", "older")),
        *(("", f" or {word}", "most") for word in ("less", "fewer", "shorter", "below")),
        ("", " long", ""),
        ("", " in length", ""),
    ],
)
def test_english_words_beside_a_number_say_whether_it_is_a_bound(before: str, behind: str, bound: str) -> None:
    assert take_from_english(before, behind) == ("", "", bound)


def test_a_number_may_have_a_bound_before_it_and_words_of_its_length_behind_it() -> None:
    assert take_from_english("at least ", " long") == ("", "", "least")
    assert take_from_english("about ", " of them") == ("about ", " of them", "")


@pytest.mark.parametrize(
    ("text", "word", "holds"),
    [
        ("the policies apply", "policy", True),
        ("who resigned", "resigning", True),
        ("it was stopped", "stopping", True),
        ("it was stopped", "stop", True),
        ("making it", "makes", True),
        ("several cases", "severance", False),
        ("two bales", "balls", False),
        ("take care", "car", False),
    ],
)
def test_inflections_are_those_of_one_word(text: str, word: str, holds: bool) -> None:
    assert holds_inflection(text, word) is holds


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("利用規程", "旅費規程", True),
        ("旅費規程", "旅費規程 別表", False),
        ("利用料", "利用料及び", False),
        ("利用料の", "利用料", False),
        ("会議室", "食堂", True),
        ("会議室", "旅費規程", False),
        ("旅費規程", "旅費の精算", True),
        ("assert.match(string)", "assert.doesnotmatch(string)", True),
        ("fs.close()", "fs.closesync()", True),
        ("invoices", "invoice of the supplier", False),
        ("leave policy", "sick leave policy", False),
    ],
)
def test_headings_differ_where_they_name_two_things(one: str, other: str, differ: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert do_headings_differ(Whereabouts("a.md", (first,)), Whereabouts("b.md", (second,)), "") is differ


@pytest.mark.parametrize(
    ("one", "other", "subject", "differ"),
    [
        ("fee", "membership", "fee", False),
        ("fees", "membership", "fee", False),
        ("fees of courses", "membership", "fee", True),
        ("the limits", "limit", "limit", False),
        ("cost reimbursement", "questions about reimbursement", "cost", False),
        ("保存期間", "契約書", "保存期間", False),
        ("保存期間", "期間", "保存期間", False),
        ("見積書の保存期間", "請求書の保存期間", "保存期間", True),
    ],
)
def test_what_headings_name_is_told_without_the_subject(one: str, other: str, subject: str, differ: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert do_headings_differ(Whereabouts("a.md", (first,)), Whereabouts("b.md", (second,)), subject) is differ


def test_what_stands_in_json_is_apart_whichever_side_it_is_on() -> None:
    places = Whereabouts("a.json", ("利用規程",)), Whereabouts("b.md", ("利用規程",))
    for one, other in (places, places[::-1]):
        assert are_apart(one, other, "保存期間")
        assert not are_apart(one, other, "鍵の色")


def test_headings_of_one_depth_are_compared_with_each_other_and_the_innermost_besides() -> None:
    def differ(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return do_headings_differ(Whereabouts("a.md", one), Whereabouts("b.md", other), "")

    assert not differ(("会議室", "食堂"), ("会議室", "食堂"))
    assert differ(("会議室", "鍵"), ("会議室", "部屋", "窓"))
    assert not differ(("会議室", "鍵"), ("会議室", "鍵", "鍵"))
