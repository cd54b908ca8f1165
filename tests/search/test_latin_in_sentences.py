"""Blanks that only set Latin words apart in a Japanese sentence part no keywords (contract §3)."""

import pytest

from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Samba にユーザーを追加する", ["samba", "ユーザー", "追加"]),
        ("インストーラで USB メモリから起動するには", ["インストーラ", "usb", "メモリ", "起動"]),
        ("サーバへの SSH 接続を許可する", ["サーバ", "ssh", "接続", "許可"]),
        ("pbuilder を使ったクリーンなビルド", ["pbuilder", "クリーン", "ビルド"]),
        ("dpkg --configure -a を実行するのはどんなとき", ["dpkg", "--configure", "実行"]),
        ("conffile とは何ですか", ["conffile"]),
        ("ssh の鍵を gpg で署名する", ["ssh", "鍵", "gpg", "署名"]),
        ("SSR における Teleport の取り扱い", ["ssr", "teleport", "取り扱い"]),
        ("TypeScript での props の扱いについて", ["typescript", "props", "扱い"]),
        ("ビルドステップなしで Vue を使用する", ["ビルドステップ", "vue", "使用"]),
        # No particle says that these go on past the Latin word.
        ("tar 特定のファイルを除外", ["tar", "特定のファイルを除外"]),
        ("iDeCo 掛金の上限", ["ideco", "掛金の上限"]),
        # A blank between Japanese words is the user's own.
        ("Excel のマクロ 一覧の作り方", ["excel", "マクロ", "一覧の作り方"]),
        ('"Samba にユーザーを追加する"', ["samba にユーザーを追加する"]),
        ('Samba にユーザーを追加する "手順"', ["samba", "ユーザーを追加する", "手順"]),
    ],
)
def test_a_sentence_with_latin_words_between_blanks_is_its_words(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


def test_what_goes_on_behind_a_latin_word_is_no_gap_where_its_words_stand(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 手引\n\n## ビルド\n\npbuilder でクリーンな環境を作る。\n")
    found = serve().find("pbuilder を使ったクリーンなビルド")
    assert (found.hits("gaps"), found.lines["matched"]) == ([], 2)


@pytest.mark.parametrize("question", ["メモリから起動する", "正午まで延長", "メモリより起動"])
def test_a_phrase_joined_by_a_particle_of_two_letters_is_found_by_its_words(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 手引\n\n起動にはメモリを使う。\n\n延長は正午に限る。\n")
    found = serve().find(question)
    assert (found.status, found.hits("gaps")) == ("found", [])


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("v-ifとv-showの違いを教えてください", ["v-if", "v-show"]),
        ("v-on:clickの設定を知りたいのですが", ["v-on", "click", "設定"]),
        ("C++とC#で書かれたサンプルはありますか", ["c++", "c#", "サンプル"]),
        ("E-mailの送信先はどこですか", ["e-mail", "送信先"]),
        ("バージョン3.10以降の変更点を教えてください", ["3.10", "バージョン", "変更点"]),
        ("v2.0の変更点を一覧にしてください", ["v2.0", "変更点"]),
        ("192.168.1.1に接続できないのはなぜですか", ["192.168.1.1", "接続"]),
        ("1.5倍の割増賃金を払うのはいつですか", ["1.5倍", "割増賃金"]),
        ("tarの-xと--configureを使うのはどんなとき", ["--configure", "tar"]),
        ("package.jsonの設定を教えてください", ["package.json", "設定"]),
        ("vue.config.jsを編集するとどうなりますか", ["vue.config.js", "編集"]),
        ("src/main.rsとdocs/v2/setup.mdの違いは何ですか", ["src/main.rs", "docs/v2/setup.md"]),
        ("~/.ssh/configに書ける項目を教えてください", ["~/.ssh/config", "項目"]),
        (".envファイルはどこに置きますか", [".env", "ファイル"]),
        ("max_retriesの既定値はいくつですか", ["max_retries", "既定値"]),
        ("Kube-proxyの設定を変えるには", ["kube-proxy", "設定"]),
        ("user@example.comへ送信できないのはなぜですか", ["user@example.com", "送信"]),
        ("https://example.com/a?b=c、に接続できない場合の対処", ["https://example.com/a?b=c", "接続", "対処"]),
        ("getter/setterの違いを教えてください", ["getter", "setter"]),
        ("TCP/IPの設定方法を教えてください", ["tcp", "ip", "設定方法"]),
        ("10,000.50円の手数料は返金されますか", ["10,000.50円", "手数料", "返金"]),
    ],
)
def test_a_name_in_latin_letters_and_signs_is_one_term(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


def test_such_names_are_found_in_a_short_question(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 手引\n\n## v-for\n\nくり返しは v-for で書く。\n\n## 他\n\nIf, for, show.\n")
    manuals = serve()
    for question in ("v-forの使い方", "v-forって何"):
        found = manuals.find(question)
        assert (found.status, found.places()) == ("found", {("x.md", 3)})


def test_a_file_is_asked_for_by_its_name_and_not_by_the_words_in_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 手引\n\n## 依存\n\npackage.json に書く。\n\n## 形式\n\nPackage の JSON を書く。\n")
    found = serve().find("package.jsonに書くものを教えてください")
    assert (found.status, found.places()) == ("found", {("x.md", 5)})


def test_words_between_dashes_that_stand_nowhere_so_are_looked_for_apart(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 手引\n\n## 例外\n\nTry の中で起きたものは catch で受ける。\n")
    found = serve().find("try-catchブロックの書き方を教えてください")
    assert found.places() == {("x.md", 5)}


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("package.jsonに書くものを教えてください", "Package の JSON に書く。"),
        ("max.retriesの値を変えるには", "max-retries は 3 とする。"),
        ("/etc/hostsに書く内容を教えてください", "hosts ファイルに書く。"),
        ("/var/log/app.logを見るには", "var の log にある。"),
        (".envに書く内容を教えてください", "dot env に書く。"),
        ("~/.ssh/authorized_keysに書くものは何ですか", "公開鍵は authorized keys に書く。"),
        ("docker-compose.ymlの書き方を教えてください", "Docker Compose のファイルに書く。"),
        ("UserService::getUserNameの使い方を教えてください", "UserService クラスを使う。"),
        ("try-catch-finallyの使い方を教えてください", "try と catch で囲む。"),
        ("v1.2.3で変わったことは何ですか", "バージョン1.2.3では設定の形式が違う。"),
        ("https://www.example.co.jp/faqを見るには", "example の FAQ に載せる。"),
    ],
)
def test_a_name_that_stands_nowhere_is_looked_for_by_its_words(
    workspace: WorkspaceFolder, serve: Serve, question: str, held: str
) -> None:
    workspace.write("m/x.md", f"# 手引\n\n## 例\n\n{held}\n\n## 他\n\nIf, www, co and jp.\n")
    found = serve().find(question)
    assert (found.status, found.places()) == ("found", {("x.md", 5)})


def test_a_name_whose_words_say_nothing_is_absent_where_it_stands_nowhere(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 手引\n\n## 他\n\nIf, 10, C.\n")
    manuals = serve()
    for question in ("v-ifの使い方を教えてください", "C++の使い方を教えてください", "3.10の使い方を教えてください"):
        assert manuals.find(question).status == "absent"


def test_the_end_of_a_sum_is_no_version() -> None:
    asked = parse_query("$1,000.50の手数料を返金してもらえますか", {}, {})
    assert "000.50" not in {term.text for term in asked.terms}
