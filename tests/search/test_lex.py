"""The lexical score of a text, at once or from what was counted in it."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.tokens import latin_words, stem
from morenashi.server.search.ranking.features import FeatureKey, extract_features, phrase_features
from morenashi.server.search.ranking.lex import Corpus, Scorer, close_up

QUESTION = "税額の軽減ですか カード running runs 12"
texts = st.text(alphabet="税額の軽減ですかカード runig12s。へたり\n", max_size=80)
FEATURES = extract_features(QUESTION) + phrase_features(["。", "へたり"])
CORPUS = Corpus(100, 40.0, {feature.key: 1 + place for place, feature in enumerate(FEATURES)})
SCORER = Scorer(QUESTION, FEATURES, CORPUS)


def counted_directly(text: str) -> float:
    """BM25 as the books have it, feature after feature; of a Latin word half for itself, half for its stem."""
    words = latin_words(text)
    parts: list[tuple[float, float, int]] = []
    for feature in FEATURES:
        weight = feature.weight * CORPUS.idf(feature)
        if feature.kind != "word":
            parts.append((weight, 0.4, text.count(feature.token)))
        elif not feature.token.isascii():
            run = re.escape(feature.token)
            script = "ァ-ヿ" if feature.token == "カード" else "一-鿿"
            parts.append((weight, 0.4, len(re.findall(f"(?<![{script}]){run}(?![{script}])", text))))
        else:
            asked = {word for word in latin_words(QUESTION) if stem(word) == feature.token}
            parts += [(weight / 2, 1.0, words.count(word)) for word in asked]
            parts.append((weight / 2, 1.0, sum(stem(word) == feature.token for word in words)))
    share = 0.25 + 0.75 * len(text) / CORPUS.mean_length
    return sum(weight * count * (k1 + 1) / (count + k1 * share) for weight, k1, count in parts if count)


@given(texts)
@example("。 。")
@example("税額の軽減と税額軽減、カードのカード。running a run 12")
def test_the_score_is_bm25_of_the_features(text: str) -> None:
    assert SCORER.score(text) == pytest.approx(counted_directly(close_up(text)))


def test_a_text_with_some_blanks_between_japanese_characters_is_as_it_stands() -> None:
    assert close_up("第一条 目的 この規程は") == "第一条 目的 この規程は"


def test_blanks_between_all_characters_are_no_part_of_the_length() -> None:
    assert SCORER.score("税 額 の 軽 減") == SCORER.score("税額の軽減")


@given(texts, texts)
def test_what_stands_beside_a_text_adds_less_than_in_it(text: str, beside: str) -> None:
    own, other = SCORER.frequencies(text), SCORER.frequencies(beside)
    shared = SCORER.combine([mine + 0.3 * theirs for mine, theirs in zip(own, other, strict=True)], len(text))
    whole = SCORER.combine([mine + theirs for mine, theirs in zip(own, other, strict=True)], len(text))
    assert SCORER.combine(own, len(text)) <= shared <= whole


def test_a_second_occurrence_beside_a_first_says_little() -> None:
    once, twice = (SCORER.combine(SCORER.frequencies(text), 10) for text in ("軽減", "軽減と軽減"))
    assert 0 < twice - once < once / 2


@given(texts)
def test_the_share_is_that_of_the_question_s_weight(text: str) -> None:
    share = SCORER.share(SCORER.frequencies(text))
    assert 0 <= share <= SCORER.share(SCORER.frequencies(text + QUESTION + "。へたり")) <= 1
    assert (share > 0) == (SCORER.score(text) > 0)


def test_a_text_with_all_parts_has_the_whole_share() -> None:
    assert SCORER.share(SCORER.frequencies(QUESTION + "。へたり")) == pytest.approx(1)
    assert SCORER.share(SCORER.frequencies("")) == 0


def test_pairs_of_hiragana_order_and_say_nothing_of_what_is_covered() -> None:
    question = "税額のへたり"
    features = extract_features(question)
    scorer = Scorer(question, features, Corpus(100, 40.0, {feature.key: 10 for feature in features}))
    assert scorer.score("税額とへたり") > scorer.score("税額とほかに")
    assert scorer.coverage("税額とへたり") == scorer.coverage("税額とほかに")


def test_stop_words_order_and_say_nothing_of_what_is_covered() -> None:
    question = "how do i start it in the company's car?"
    features = extract_features(question)
    assert {feature.token for feature in features if not feature.only_orders} == {"start", "compani", "car"}
    scorer = Scorer(question, features, Corpus(100, 40.0, {feature.key: 10 for feature in features}))
    assert scorer.coverage("a company car: start") == scorer.coverage("how do you start the company car") == 1.0
    assert scorer.score("how to start") > scorer.score("you start")
    assert scorer.score("the company car") > scorer.score("how do i do it in the") > 0


def test_a_stop_word_that_is_part_of_a_name_or_in_code_is_none() -> None:
    features = extract_features("how do `for` and v-if work in vue?")
    assert {feature.token for feature in features if not feature.only_orders} == {"for", "v", "if", "work", "vue"}


@pytest.mark.parametrize(
    ("question", "telling"),
    [("is 属性", {"is"}), ("v-for と for 文の違い", {"v", "for"}), ("what is 有給休暇", set())],
)
def test_a_stop_word_alone_among_japanese_words_is_a_name(question: str, telling: set[str]) -> None:
    features = extract_features(question)
    assert {f.token for f in features if f.token.isascii() and not f.only_orders} == telling


def test_stop_words_count_as_others_do_where_there_is_nothing_else() -> None:
    weights = {feature.token: (feature.weight, feature.only_orders) for feature in extract_features("how to")}
    assert weights == {"how": (2.0, False), "to": (2.0, False)}


def test_pairs_of_another_script_are_features_like_those_of_kanji() -> None:
    weights = {feature.token: feature.weight for feature in extract_features("ศักราช москва cafe")}
    assert weights["ศั"] == weights["мо"] == 1.0
    assert "ca" not in weights


def test_a_term_of_hiragana_weighs_what_a_term_of_kanji_does() -> None:
    question = "へたりの償却"
    features = extract_features(question) + phrase_features(["へたり", "償却"])
    scorer = Scorer(question, features, Corpus(100, 40.0, {feature.key: 10 for feature in features}))
    assert scorer.coverage("へたりがある") == pytest.approx(scorer.coverage("償却がある"), rel=0.3)
    assert scorer.score("へたりがある") == pytest.approx(scorer.score("償却がある"), rel=0.3)


@pytest.mark.parametrize("latin", ["dna", "running", "2009"])
def test_a_latin_word_and_a_number_weigh_what_a_japanese_word_does(latin: str) -> None:
    question = f"{latin} 償却"
    features = extract_features(question)
    scorer = Scorer(question, features, Corpus(100, 40.0, {feature.key: 10 for feature in features}))
    assert scorer.score(f"{latin} がある") == pytest.approx(scorer.score("償却 がある"), rel=0.3)
    assert scorer.coverage(f"{latin} がある") == pytest.approx(scorer.coverage("償却 がある"), rel=0.3)


def test_a_lone_letter_or_digit_weighs_what_the_run_of_a_lone_kanji_does() -> None:
    weights = {feature.token: feature.weight for feature in extract_features("v model 向 1") if feature.kind == "word"}
    assert weights == {"v": 1.0, "model": 2.0, "向": 1.0, "1": 1.0}


def test_a_name_in_latin_letters_is_as_rare_as_its_rarest_word() -> None:
    words: dict[FeatureKey, int] = {("word", "auto"): 30, ("word", "commit"): 3}
    corpus = Corpus(100, 40.0, {**words, ("pair", "ut"): 90, ("pair", "税額"): 3})
    assert corpus.rarity("auto-commits") == corpus.rarity("commits") == corpus.rarity("税額") > corpus.rarity("auto")
