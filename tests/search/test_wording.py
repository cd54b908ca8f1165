"""Which ends of sentences say the same, and which words say nothing."""

import pytest

from morenashi.server.search.judgement.wording import bare, by_sound, in_one_case, plain, without_resuming


@pytest.mark.parametrize(
    ("stem", "ends"),
    [
        (
            "提出",
            "する します とする とします すること することとする することとします するものとする するものとします "
            "する必要がある する必要があります するべきである してください しなければならない しなければなりません "
            "しなければいけない しなくてはならない しなくてはなりません しなくてはいけません しないといけません",
        ),
        ("有料", "だ です である であります となる となります"),
        ("送", "る ります ってください らなければならない"),
        ("買", "う います ってください わなくてはならない"),
        ("書", "く きます いてください かないといけない"),
        ("急", "ぐ ぎます いでください がなければならない"),
        ("読", "む みます んでください まなければなりません"),
        ("見", "る ます てください なければならない"),
        ("定めら", "れている れています"),
        ("休", "んでいる んでいます"),
    ],
)
def test_a_sentence_says_the_same_with_any_of_its_ends(stem: str, ends: str) -> None:
    assert len({by_sound(plain(f"{stem}{end}")) for end in ends.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("送る", "見る"), ("している", "していた"), ("国際", "国とき")])
def test_two_verbs_stay_two(one: str, other: str) -> None:
    assert by_sound(plain(one)) != by_sound(plain(other))


@pytest.mark.parametrize(
    "case", ["場合", "場合は", "場合に", "場合には", "場合において", "場合においては", "際", "際には", "とき", "ときに"]
)
def test_a_case_is_one_whatever_follows_it(case: str) -> None:
    assert in_one_case(f"紛失した{case.removesuffix('は')}は、届け出る") == "紛失したとき、届け出る"
    assert in_one_case(f"休んだ{case}、届け出る") == in_one_case("休んだら、届け出る") == "休んだとき、届け出る"


@pytest.mark.parametrize("adverb", ["一切", "必ず", "特に"])
def test_some_words_say_nothing(adverb: str) -> None:
    assert bare(f"副業は{adverb}認めない") == bare("副業を、認めない") == "副業認めない"


@pytest.mark.parametrize("topic", ["副業は", "副業は、", "副業も", "副業も、"])
def test_a_topic_is_taken_up_by_nothing_that_counts(topic: str) -> None:
    assert without_resuming(f"{topic}これを認めない") == f"{topic[:3]}認めない"
    assert without_resuming("会社がこれを認める") == "会社がこれを認める"
