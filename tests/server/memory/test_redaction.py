"""What is found in a text and masked: by labelled lines, and at every place of the text."""

import json
from pathlib import Path

import pytest
from benchmarks.labelled import LABELLED, LABELLED_OTHERWISE, grade
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.masking import mask_words
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.redaction import Redacted, redact

from ...examples import examples
from .policies import EXAMPLE

KEY = "AKIAIOSFODNN7EXAMPLE"


def kinds(text: str) -> list[str]:
    return [finding.kind for finding in redact(text).findings]


@pytest.mark.parametrize(("path", "lines", "least"), [(LABELLED, 500, 1.0), (LABELLED_OTHERWISE, 599, 0.996)])
def test_labelled_lines_are_graded_as_high_as_ever(path: Path, lines: int, least: float) -> None:
    graded = grade(path)
    assert len(graded.lines) >= lines
    assert graded.precision == 1.0, [line.text for line in graded.wrong]
    assert graded.recall >= least, [line.text for line in graded.wrong]


def test_half_of_the_labelled_lines_are_clean() -> None:
    rows = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    assert len(rows) == 500
    assert sum(not row["holds"] for row in rows) >= 250


@pytest.mark.parametrize(
    "text",
    [
        "password => Yii::$app->db->password2",
        "private_key: CertificateIssuerPrivateKeyTypes",
        "password = getpass.getpass(prompt2)",
        "https://docs.example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "the bearer 202611221234 of the pass, the bearer authenticationtoken",
        "`password`: *string*, **required**\npassword: **required**\npassword\nat least 12 characters",
        "PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
        "# PEP 600.\n@functools.lru_cache(maxsize=1)",
    ],
)
def test_what_programs_say_is_no_secret(text: str) -> None:
    assert redact(text).findings == ()


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("login: admin / kirakira2024", "login: admin / [secret]"),
        ("ログインは root / kirakira2024 です", "ログインは root / [secret] です"),
        ("ドアコード 8259", "ドアコード [secret]"),
        ("the door code 8259 opens it", "the door code [secret] opens it"),
        ("The door code of the server room is 8259#", "The door code of the server room is [secret]#"),
        ("door code (back entrance): 8259", "door code (back entrance): [secret]"),
        ("The PIN for Ken's locker is 8259.", "The PIN for Ken's locker is [secret]."),
        ("暗証番号（裏口）は 8259", "暗証番号（裏口）は [secret]"),
        ("ドアコードは #8259", "ドアコードは #[secret]"),
        ("サーバ室のドアの暗証番号は 8-2-5-9", "サーバ室のドアの暗証番号は [secret]"),
        ("recovery code 12345678", "recovery code [secret]"),
        ("復旧コードは 12345678 です", "復旧コードは [secret] です"),
        ("パスワードはさくら2024", "パスワードは[secret]"),
        ("パスワードは「さくら2024」です", "パスワードは「[secret]」です"),
        ("password\nhunter2x9", "password\n[secret]"),
        ("手順\n\nパスワード：\nhunter2x9\n\n以上", "手順\n\nパスワード：\n[secret]\n\n以上"),
        ("## Password\n\n`hunter2x9`\n", "## Password\n\n`[secret]`\n"),
    ],
)
def test_what_people_make_up_is_found_where_hardly_anything_else_can_stand(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    "text",
    [
        "login: google / office365",
        "Account: admin / guest",
        "金庫番号 1234",
        "ドアコードは 4桁",
        "alarm code 1234",
        "暗証番号は 8-2-5-9-10 の順",
        "recovery code 20240131",
        "error code 12345678",
        "パスワードは英数字12文字以上",
        "パスワードはポート8080で受ける",
        "password\naddress1\naddress2",
        "- password\n- address1",
        "## Password\n\naddress1 is the field",
        "ISBN: 0321146530",
        "0312345678",
    ],
)
def test_what_only_resembles_it_is_not(text: str) -> None:
    assert redact(text).findings == ()


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"鍵は{KEY}です", "鍵は[secret]です"),
        ("電話090-1234-5678まで", "電話[phone]まで"),
        ("連絡は x@example.com まで", "連絡は [email] まで"),
        ("連絡は taro[@]example.co.jp まで", "連絡は [email] まで"),
        ("０９０－１２３４－５６７８へ", "[phone]へ"),
        ("コールセンター03-1234-5678", "コールセンター[phone]"),
        ("〒100-0001 東京都", "〒[postal_code] 東京都"),
        ("090-12345678 か 0801234-5678", "[phone] か [phone]"),
        ("カード 4111 1111 1111 1111 123 と 4242-4242-4242-4242-314", "カード [credit_card] と [credit_card]"),
        ("カードは 4111 1111\n1111 1111、4111・1111・1111・1111", "カードは [credit_card]、[credit_card]"),
        ("数は 4111 1111 1111 1112 123", "数は 4111 1111 1111 1112 123"),
        ("4111 1111\n1111 1111", "4111 1111\n1111 1111"),
        (
            "マイナンバー 1234-5678-\r\n9018、individualNumber: 123456789018",
            "マイナンバー [my_number]、individualNumber: [my_number]",
        ),
        ("1,090-1234-5678,2026-11-22,03-1234-5678", "1,[phone],2026-11-22,[phone]"),
        ("09012345678,+81312345678", "[phone],[phone]"),
        ("TEL03-1234-5678FAX03-1234-5679", "TEL[phone]FAX[phone]"),
        ('"phoneNumber": "0312345678", phone_number: 0312345678', '"phoneNumber": "[phone]", phone_number: [phone]'),
        ("電話 090-1234-\n5678 まで", "電話 [phone] まで"),
        ("**Password:** `Abc#12345`", "**Password:** `[secret]`"),
        ("パスワードは、Abc#12345です", "パスワードは、[secret]です"),
        ("### パスワード\n\nAbc#12345\n", "### パスワード\n\n[secret]\n"),
        ("パスワードは以下の通りです。\nAbc#12345", "パスワードは以下の通りです。\n[secret]"),
        ("初期PW【Abc#12345】、SSID office / PW office-2026-guest", "初期PW【[secret]】、SSID office / PW [secret]"),
        ("ansible_become_pass: Abc12345", "ansible_become_pass: [secret]"),
        ("暗証番号 4821", "暗証番号 [secret]"),
        ("金庫の暗証番号（4821）", "金庫の暗証番号（[secret]）"),
        ("| 項目 | 値 |\n|---|---|\n| 暗証番号 | `4821` |", "| 項目 | 値 |\n|---|---|\n| 暗証番号 | `[secret]` |"),
        ("| Door code | 4821 |\n| 暗証番号 | 4桁 |", "| Door code | [secret] |\n| 暗証番号 | 4桁 |"),
        ("Password:\r\n  Abc#12345\r\nnext", "Password:\r\n  [secret]\r\nnext"),
        ("postgres://app:s3cr3tPw@db.example.com/x", "postgres://app:[secret]@db.example.com/x"),
        ("20261121", "20261121"),
    ],
)
def test_words_around_a_finding_stay(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("<zip>100-0001</zip>", "<zip>[postal_code]</zip>"),
        ('"zip": "94107", zip_code=94107-1234', '"zip": "[postal_code]", zip_code=[postal_code]'),
        ("gzip 12345, unzip 1234567, gzip: 100-0001", "gzip 12345, unzip 1234567, gzip: 100-0001"),
    ],
)
def test_a_postal_code_is_called_so_by_a_whole_word(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize("form", ["**{}**: {}", "**{}:** {}", "**{}**：`{}`", "- {}: `{}`", "{}: **{}**"])
@pytest.mark.parametrize(("name", "code"), [("郵便番号", "530-0001"), ("ZIP", "94107"), ("Postal code", "SW1A 1AA")])
def test_a_postal_code_is_called_so_in_markdown_too(form: str, name: str, code: str) -> None:
    assert redact(form.format(name, code)).text == form.format(name, "[postal_code]")


@pytest.mark.parametrize("between", ["は `", "は**", "は『", "は、", " | `"])
def test_a_postal_code_is_found_behind_what_sets_it_apart(between: str) -> None:
    assert redact(f"郵便番号{between}530-0001").text == f"郵便番号{between}[postal_code]"


def test_twelve_digits_are_a_my_number_only_near_a_word_for_it() -> None:
    assert kinds("マイナンバー 123456789018") == ["my_number"]
    assert kinds("123456789018") == []
    assert kinds("マイナンバー 123456789012") == []


@pytest.mark.parametrize(
    ("above", "value", "masked"),
    [
        ("Call the office", "03-1234-5678", "[phone]"),
        ("ver. 2.", "090-1234-5678", "[phone]"),
        ("item_", "+81 90 1234 5678", "[phone]"),
        ("https://example.com", "taro@example.com", "[email]"),
        ("送付先 Tokyo No.", "123-4567 東京都港区", "[postal_code] 東京都港区"),
    ],
)
def test_what_begins_a_line_is_joined_to_nothing_on_the_line_above(above: str, value: str, masked: str) -> None:
    assert redact(f"{above}\n{value}").text == f"{above}\n{masked}"
    assert redact(f"{above}{value.split()[0]}").findings == ()


@pytest.mark.parametrize("above", ["about the order", "the item-", "ver.", "a part of a case"])
def test_what_a_line_ends_with_calls_the_number_below_it_nothing(above: str) -> None:
    assert redact(f"{above}\n03-1234-5678").text == f"{above}\n[phone]"
    assert redact(f"{above} 03-1234-5678").findings == ()
    assert redact("order number:\n090-1234-5678、注文番号\n090-1234-5678").findings == ()


@pytest.mark.parametrize(
    "before", ["the server ", "he said ", "over ", "the recorder: ", "Denver ", "ご予約は", "受付 "]
)
def test_a_word_that_ends_as_a_label_does_and_what_one_calls_for_are_no_labels(before: str) -> None:
    assert redact(f"{before}03-1234-5678").text == f"{before}[phone]"


@pytest.mark.parametrize(
    "before", ["order ", "orderId: ", "userid=", "build ", "予約番号 ", "予約番号は", "注文 ", "item no. "]
)
def test_a_number_that_is_called_otherwise_is_no_telephone_number(before: str) -> None:
    assert redact(f"{before}03-1234-5678").findings == ()


@pytest.mark.parametrize(("before", "after"), [("“", "”"), ("„", "“"), ("‘", "’"), ("‚", "‘")])
def test_a_value_in_the_quotation_marks_of_word_processors_is_found(before: str, after: str) -> None:
    for name in ("パスワードは", "The password is ", "API_KEY=", "暗証番号は"):
        value = "482113" if name.startswith("暗証") else "hX9kLm2pQ7rT"
        assert redact(f"{name}{before}{value}{after}.").text == f"{name}{before}[secret]{after}."


@pytest.mark.parametrize("mark", ["_", "__", "*", "**", "~~", "`"])
@pytest.mark.parametrize(
    ("value", "kind"),
    [(KEY, "secret"), ("090-1234-5678", "phone"), ("x@example.com", "email"), ("ghp_abcdEFGH0123ijklMNOP", "secret")],
)
def test_what_is_emphasised_is_found(mark: str, value: str, kind: str) -> None:
    assert kinds(f"see {mark}{value}{mark}.") == [kind]
    assert value not in redact(f"see {mark}{value}{mark}.").text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("詳細はhttps://example.com、連絡はtaro@example.com", "詳細はhttps://example.com、連絡は[email]"),
        ("https://example.com,taro@example.com", "https://example.com,[email]"),
        ("https://taro@example.com/x", "https://taro@example.com/x"),
    ],
)
def test_an_address_of_mail_behind_one_of_the_web_is_no_login_of_it(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (r'{"note":"Contact:\n090-1234-5678\t+81 3 1234 5678"}', r'{"note":"Contact:\n[phone]\t[phone]"}'),
        (rf'{{"a":"{{\"b\":\"x\\n{KEY}\\r\\ny\"}}"}}', r'{"a":"{\"b\":\"x\\n[secret]\\r\\ny\"}"}'),
        (r"\u96fb\u8a710312345678\u3067", r"\u96fb\u8a71[phone]\u3067"),
        (r"\u30d1\u30b9\u30ef\u30fc\u30c9: hunter2x9\u3002", r"\u30d1\u30b9\u30ef\u30fc\u30c9: [secret]\u3002"),
        (r"x\ud83d\ude42090-1234-5678", r"x\ud83d\ude42[phone]"),
        (r"postgres:\/\/app:s3cr3tPw@db.example.com\/x", r"postgres:\/\/app:[secret]\/x"),
        (r"taro\_yamada@example.com 090\-1234\-5678", "[email] [phone]"),
        ("taro&#64;example.com, &#x74;aro@example&period;com", "[email], [email]"),
        ("x&#10;090-1234-5678&nbsp;&#9999999;", "x&#10;[phone]&nbsp;&#9999999;"),
        ("&quot;password&quot;:&quot;hunter2x9&quot;", "&quot;password&quot;:&quot;[secret]&quot;"),
        ("?q=tel%0A090-1234-5678%20x&m=taro%40example%2Ecom", "?q=tel%0A[phone]%20x&m=[email]"),
        ("?q=%E9%9B%BB%E8%A9%B10312345678", "?q=%E9%9B%BB%E8%A9%B1[phone]"),
        ("call\u200b03-1234-5678", "call\u200b[phone]"),
        ("AKIA\x1b[31mIOSFODNN7EXAMPLE\x1b[0m.", "[secret]\x1b[0m."),
        (rf"\u001b[32m{KEY}\u001b[0mx\b090-1234-5678", r"\u001b[32m[secret]\u001b[0mx\b[phone]"),
        ("Call me—090-1234-5678—or write—x@example.com—soon", "Call me—[phone]—or write—[email]—soon"),
    ],
)
def test_what_programs_write_for_a_character_hides_nothing(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    "text", [r"C:\new\t2026-1122.txt", r"\d{3}-\d{4}", "50%20 of 100%", "a&b;c", r"\item[3] 2.1", "\\"]
)
def test_what_looks_escaped_is_nothing_by_itself(text: str) -> None:
    assert redact(text).findings == ()


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\u2028", "\x85", "\f", "\v"])
def test_a_line_ends_as_unicode_says(line_break: str) -> None:
    assert redact(f"Password:{line_break}Abc#12345{line_break}x").text == f"Password:{line_break}[secret]{line_break}x"
    rows = f"user,password{line_break}taro,Abc#12345{line_break}hanako,Xyz#98765"
    assert kinds(rows) == ["secret", "secret"]


def test_offsets_are_those_of_the_text_as_it_came() -> None:
    text = "🙂 全角　ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ　まで"
    (finding,) = redact(text).findings
    assert text[finding.start : finding.end] == "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ"


def test_a_text_without_findings_comes_back_as_it_was() -> None:
    assert redact("改行\r\nと　空白 ﾊﾝｶｸ") == Redacted("改行\r\nと　空白 ﾊﾝｶｸ", ())


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("ﾊﾟｽﾜｰﾄﾞ：hunter2x9", "ﾊﾟｽﾜｰﾄﾞ：[secret]"),
        (
            "パスワード：hunter2x9".replace("パ", "ハ\u309a").replace("ド", "ト\u3099"),
            "ハ\u309aスワート\u3099：[secret]",
        ),
        ("ﾏｲﾅﾝﾊﾞｰ 123456789018", "ﾏｲﾅﾝﾊﾞｰ [my_number]"),
        ("電話 090\u200b-1234\u200b-5678\ufeff", "電話 [phone]\ufeff"),
        ("ta\u2060ro@example.com", "[email]"),
        ("ta\u200ero@exam\u034fple.com", "[email]"),
        ("電話 090\u202a-1234\u2069-5678", "電話 [phone]"),
        ("電話 090\u00ad1234\u00ad5678", "電話 [phone]"),
        ("pass\u00adword: hunter\U000e00412x9", "pass\u00adword: [secret]"),
        ("p\u0332a\u0332s\u0332s\u0332: hunter2x9", "p\u0332a\u0332s\u0332s\u0332: [secret]"),
        ("𝐭𝐚𝐫𝐨@𝐞𝐱𝐚𝐦𝐩𝐥𝐞.𝐜𝐨𝐦", "[email]"),
        ("電話 𝟎𝟗𝟎-𝟏𝟐𝟑𝟒-𝟓𝟔𝟕𝟖", "電話 [phone]"),
        ("tel ٠٩٠-١٢٣٤-٥٦٧٨", "tel [phone]"),
        ("①090-1234-5678", "①[phone]"),
    ],
)
def test_half_width_decomposed_and_unseen_characters_hide_nothing(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Host:            db1\nPassword:        S3cr3t!pw9", "Host:            db1\nPassword:        [secret]"),
        ("DB_PASSWORD          = hx7!Qm2zLp", "DB_PASSWORD          = [secret]"),
        ("token\t\t\t\t\t\t= a8Fk20sKd93jfLs02kdP", "token\t\t\t\t\t\t= [secret]"),
        ("パスワード　　　　　　：　Kj8#mPq2xZ", "パスワード　　　　　　：　[secret]"),
        ("| Password         | S3cr3t!pw9        |", "| Password         | [secret]        |"),
        ("暗証番号            : 4821", "暗証番号            : [secret]"),
        ("smtp_pass        is S3cr3t!q9z", "smtp_pass        is [secret]"),
        ("db_pass (prod): xK9vQ2mm71", "db_pass (prod): [secret]"),
        ("Recovery code            : a1b2-c3d4-e5f6", "Recovery code            : [secret]"),
        ("--password           the password of the account", "--password           the password of the account"),
        ("| password      | string    | required    |", "| password      | string    | required    |"),
        ("パスワード       ：　12文字以上で、記号を含める", "パスワード       ：　12文字以上で、記号を含める"),
    ],
)
def test_values_that_are_aligned_by_many_blanks_are_found(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('{"credentials":{"token":"x7Gh29KqLm4PzR8tWv31"}}', '{"credentials":{"token":"[secret]"}}'),
        ("secret: {token: x7Gh29KqLm4PzR8tWv31}", "secret: {token: [secret]}"),
        ("credentials: token: x7Gh29KqLm4PzR8tWv31", "credentials: token: [secret]"),
        ("Password: password is hunter2x9", "Password: password is [secret]"),
        ("password: password: password: hunter2x9", "password: password: password: [secret]"),
        ("password: {type: string, password: string}", "password: {type: string, password: string}"),
    ],
)
def test_a_name_behind_a_name_is_no_value_of_it(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("パスワードを Abc#12345 から「Xyz#67890」に変えた", "パスワードを [secret] から「[secret]」に変えた"),
        ("パスワード：Abc#12345 → kirakira2025", "パスワード：[secret] → [secret]"),
        ("password changed from Abc#12345 to Xyz#67890", "password changed from [secret] to [secret]"),
        ("API_KEY=x7Gh29KqLm4PzR8t -> q8Zk2Lw0Xv7Bn4Tm", "API_KEY=[secret] -> [secret]"),
        ("暗証番号を4821から5932に変えた", "暗証番号を[secret]から[secret]に変えた"),
        ("解錠コードを「4821」とする", "解錠コードを「[secret]」とする"),
        ("パスワードは Abc#12345 から始まらない", "パスワードは [secret] から始まらない"),
        ("password: Abc#12345 -> see the manual", "password: [secret] -> see the manual"),
        ("Read the password from AppSettings2.json", "Read the password from AppSettings2.json"),
        ("暗証番号を4桁から6桁に、2026年から2027年まで", "暗証番号を4桁から6桁に、2026年から2027年まで"),
    ],
)
def test_what_comes_in_the_place_of_a_secret_is_one(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("attributes", "masked"),
    [
        ({"password": {"alice": "S3cr3t!pw9"}}, {"password": {"alice": "[secret]"}}),
        (
            {"password": [{"since": "2026-01-02", "now": "S3cr3t!pw9"}]},
            {"password": [{"since": "2026-01-02", "now": "[secret]"}]},
        ),
        ({"name": "DB_PASSWORD", "value": "hunter2x9"}, {"name": "DB_PASSWORD", "value": "[secret]"}),
        ({"env": [{"key": "pin", "value": 4821}]}, {"env": [{"key": "pin", "value": "[secret]"}]}),
        ({"pin": {"value": 4821}}, {"pin": {"value": "[secret]"}}),
        ({"api_key": {"primary": "k3j9x2m7q4w8"}}, {"api_key": {"primary": "[secret]"}}),
        ({"password": {"algorithm": "argon2id", "least": 12}}, {"password": {"algorithm": "argon2id", "least": 12}}),
        ({"key": "retries", "value": "3"}, {"key": "retries", "value": "3"}),
        ({"field": "password", "val": "hunter2x9"}, {"field": "password", "val": "[secret]"}),
        ({"password": 'ab"c12#x9Q'}, {"password": "[secret]"}),
        ({"password": "aB3#xK9Q,(z"}, {"password": "[secret]"}),
        ({"password": "Xag3Yf2fce>eeaaggf"}, {"password": "[secret]"}),
        ({"password": "Xag3Yf2fce since May"}, {"password": "[secret] since May"}),
        ({"password": "\n hunter2x9 since May"}, {"password": "\n [secret] since May"}),
        ({"passwords:": ["hunter2x9", "abc12345"]}, {"passwords:": ["[secret]", "[secret]"]}),
        ({"PASSWORD2": "hunter2x9"}, {"PASSWORD2": "[secret]"}),
        ({"password": "min:8,max:20"}, {"password": "min:8,max:20"}),
        ({"note": "Password:\n  Abc#12345\nnext"}, {"note": "Password:\n  [secret]\nnext"}),
        ({"note": "### パスワード\n\nAbc#12345\n"}, {"note": "### パスワード\n\n[secret]\n"}),
        ({"note": "password,user\nAbc#12345,aoi"}, {"note": "password,user\n[secret],aoi"}),
        ({"note": "Password:\\nAbc#12345\\nnext"}, {"note": "Password:\\n[secret]\\nnext"}),
    ],
)
def test_what_stands_further_in_below_a_name_is_masked_by_it(
    attributes: dict[str, object], masked: dict[str, object]
) -> None:
    assert mask_words(attributes, parse_policy(EXAMPLE)) == masked


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The password is\n", "\nand nobody else knows it."),
        ("The password for the staging db is:\n\n", ""),
        ("管理画面のパスワードは、\n", "です。"),
        ("管理画面のパスワード：\n「", "」"),
    ],
)
def test_a_password_is_found_where_its_sentence_goes_on_in_the_next_line(before: str, after: str) -> None:
    assert redact(f"{before}hunter2Xy9!{after}").text == f"{before}[secret]{after}"


@pytest.mark.parametrize("below", ["https://example.com/reset", "90日ごとに変える", "PBKDF2-SHA256", "DB_PASSWORD"])
def test_what_else_stands_below_a_sentence_on_passwords_is_none(below: str) -> None:
    assert not redact(f"パスワードは\n{below}").findings


def test_the_class_of_a_text_is_that_of_the_worst_it_holds() -> None:
    assert redact("こんにちは").boundary_class is None
    assert redact("x@example.com").boundary_class == "pii"
    assert redact(f"x@example.com {KEY}").boundary_class == "secret"


def test_a_private_key_without_an_end_is_masked_to_the_end() -> None:
    assert redact("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nb").text == "a\n[secret]"


# Signs alone hardly ever make a finding.
PARTS = [*"09-１ー@.ab 〒あ電話:sk_\n", KEY, "x@example.com", "090-1234-5678", "password: hunter2"]


@examples(60)
@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_findings_are_in_order_and_what_is_between_them_stays(text: str) -> None:
    redacted = redact(text)
    rebuilt, position = "", 0
    for finding in redacted.findings:
        assert position <= finding.start < finding.end <= len(text)
        rebuilt += text[position : finding.start] + finding.replacement
        position = finding.end
    assert rebuilt + text[position:] == redacted.text


@given(
    st.sampled_from([KEY, "x@example.com", "090-1234-5678"]),
    st.text("あ漢、。「」\n ", max_size=9),
    st.text("で、。」\n", max_size=9),
)
def test_what_is_a_finding_is_one_between_any_japanese(value: str, before: str, after: str) -> None:
    assert value not in redact(before + value + after).text
