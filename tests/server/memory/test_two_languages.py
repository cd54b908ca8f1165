"""Claims in Japanese and in English stand side by side: neither is ranked below for its language."""

from morenashi.indexer.claim_tokens import length_of

from .remembering import Remembering


def test_the_words_of_a_question_stand_before_the_translation_of_one(memory: Remembering) -> None:
    english = memory.remember(
        'Fix for "x509: certificate signed by unknown authority": mount the corporate CA bundle into the container'
    )
    memory.remember("エラー E0599 は trait の use 忘れだった")
    memory.remember("Sentryのサンプリング率は0.2、エラーは全部送る")
    for place in ("mail", "auth", "search", "export", "import", "report"):
        memory.remember(f"{place} error rate rose because of clock skew")
        memory.remember(f"{place}の障害は証明書の期限切れが原因だった")
    assert memory.found("certificate error in the container")[0] == english
    assert memory.found("certificate error at build time")[0] == english


def test_parts_of_a_long_translation_do_not_stand_before_the_word_itself(memory: Remembering) -> None:
    memory.remember("マイグレーションを流す前に必ず確認を取ること。")
    english = memory.remember("Since last year CI runs on our own machines, labelled and kept in the rack below.")
    assert memory.found("ci")[0] == english


def test_a_word_inside_another_that_has_a_translation_is_not_translated(memory: Remembering) -> None:
    english = memory.remember("Login uses OIDC.")
    for place in ("api", "mail", "export"):
        memory.remember(f"{place} logs are kept in Loki")
    assert memory.found("ログイン") == [english]


def test_a_text_is_about_as_long_as_its_translation() -> None:
    japanese, english = "出張の精算は帰着から七日以内に行う", "travel is settled within seven days of the return"
    assert len(english) > 2.5 * len(japanese)
    assert length_of(english) < 1.5 * length_of(japanese) == 1.5 * len(japanese)
