"""Secrets in commands, in fields and arguments of programs, and what gets somebody in without a password."""

import pytest

from morenashi.server.memory.redaction import redact

HEX, UUID = "0123456789abcdef", "7f722729-caf1-4a78-a732-682b6153da2b"
PASSWORD, STRONG, KEY = "mK29xQp7Lz", "Gh5!kdLm92x", "mz7j547pgvn7g056ra8k10l3r9boetze"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('{"password":"a1b2c3d4","db_password":"e5f6g7h8"}', '{"password":"[secret]","db_password":"[secret]"}'),
        (
            '[{"api_key":"k3j9x2m7q4w8"},{"api_key":"z9y8x7w6v5u4"}]',
            '[{"api_key":"[secret]"},{"api_key":"[secret]"}]',
        ),
        ("DB_PASSWORD=abc12345;MQ_PASSWORD=xyz98765", "DB_PASSWORD=[secret];MQ_PASSWORD=[secret]"),
        ("password:abc12345|password:xyz98765|x", "password:[secret]|password:[secret]|x"),
    ],
)
def test_each_secret_of_a_run_without_blanks_is_masked(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("before", "part"), [("password=", "aB3#xK9"), ("パスワードは", "aB3#xK9"), ("api_key: ", "0123456789abcdef")]
)
def test_nothing_is_left_of_a_secret_however_long_it_is(before: str, part: str) -> None:
    assert redact(f"{before}{part * 200} x").text == f"{before}[secret] x"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('"password": "aB3$,k9(zQ"', '"password": "[secret]"'),
        ("password = 'x7#Kp;m2)Lq' # old", "password = '[secret]' # old"),
        (r'{"password":"ab\"c12#x9","id":"a1"}', '{"password":"[secret]","id":"a1"}'),
        ("password: aB3$,k9(zQ, until May", "password: [secret], until May"),
        (r"password: Pa\ss1!xyz9", "password: [secret]"),
        ("password: Abc#12345,user: Taro2", "password: [secret],user: Taro2"),
        (r"{'note': 'password: Abc#12345\nuser is Taro2'}", r"{'note': 'password: [secret]\nuser is Taro2'}"),
        ("password: ^(?=.*[A-Z])(?=.*[0-9]).{8,}$", "password: ^(?=.*[A-Z])(?=.*[0-9]).{8,}$"),
        ("'password' => 'required|min:8|max:20'", "'password' => 'required|min:8|max:20'"),
        ("password=fields[0],Name2(x)", "password=fields[0],Name2(x)"),
    ],
)
def test_a_password_that_is_drawn_by_lot_may_have_any_sign(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize("key", ["ApxgpJPLQvserTKGCGpG69981kbzwaJp", "xNTUnlzVDTxOCUPgTmpZCaTGYRBlwnIH"])
def test_a_long_key_that_is_called_so_may_have_long_runs_of_letters_or_no_digit(key: str) -> None:
    assert redact(f"API_KEY={key}").text == "API_KEY=[secret]"
    assert redact(f"value {key}").findings == ()


@pytest.mark.parametrize("name", ["ed25519.Ed25519PrivateKey", "AuthTokenProviderForUser2", "UserDefaultKeyName"])
def test_a_name_in_a_program_is_no_key_whatever_it_is_called(name: str) -> None:
    assert redact(f"private_key: {name}, token: {name}").findings == ()


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("ENV DB_PASSWORD hunter2x9", "ENV DB_PASSWORD [secret]"),
        ("machine db.example.com login taro password hunter2x9", "machine db.example.com login taro password [secret]"),
        ("WIFI:T:WPA;S:cafe;P:hunter2x9;;", "WIFI:T:WPA;S:cafe;P:[secret];;"),
        ("アクセストークン「k3j9x2m7q4w8」", "アクセストークン「[secret]」"),
        ("確認コード: 482913", "確認コード: [secret]"),
        ("PuTTY-User-Key-File-3: ssh-rsa\nAAAB\nPrivate-MAC: 0a1b2c\nend", "[secret]\nend"),
        ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAB\n---- END SSH2 ENCRYPTED PRIVATE KEY ----.", "[secret]."),
        ("ARG DB_PASSWORD\nlogin and password are required", "ARG DB_PASSWORD\nlogin and password are required"),
    ],
)
def test_what_has_a_blank_for_a_sign_or_a_form_of_its_own_is_masked(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("パスワード：Abc12345（初回のみ）", "パスワード：[secret]（初回のみ）"),
        ("パスワードはhunter2x9(仮)です", "パスワードは[secret](仮)です"),
        ("password: hunter2x9[^1]", "password: [secret][^1]"),
        ("password: hunter2x9(salt)", "password: hunter2x9(salt)"),
        ("password = row2[1]", "password = row2[1]"),
        ("PIN: 4821.", "PIN: [secret]."),
        ("PIN: 4821. It opens 48.21.", "PIN: [secret]. It opens 48.21."),
        ("PIN: 4821.5", "PIN: 4821.5"),
    ],
)
def test_what_is_said_behind_a_secret_does_not_hide_it(text: str, masked: str) -> None:
    assert redact(text).text == masked


@pytest.mark.parametrize(
    ("heading", "values", "kind"),
    [
        ("電話番号", ["0312345678", "045-123-4567", "+81312345678"], "phone"),
        ("Phone number", ["0312345678", "0451234567", "(03)1234-5678"], "phone"),
        ("個人番号", ["123456789018", "1234-5678-9018", "123456789018"], "my_number"),
        ("zip_code", ["1000001", "100-0001", "94107"], "postal_code"),
        ("API key", ["k3j9x2m7q4w8", "0123456789abcdef" * 2, "z9y8x7w6v5u4"], "secret"),
        ("暗証番号", ["4821", "13579", "80246"], "secret"),
        ("password", ["Abc#12345", "Xyz#98765", "Qrs#45678"], "secret"),
    ],
)
@pytest.mark.parametrize("row", ["{},{},x", "{}\t{}\tx", "{};{};x", "| {} | {} | x |", '"{}","{}","x"'])
def test_what_a_heading_says_holds_of_all_in_its_column(heading: str, values: list[str], kind: str, row: str) -> None:
    names = ["name", "a" * 70, "b" * 70, "c" * 70]
    table = "\n".join(row.format(*cells) for cells in zip(names, [heading, *values], strict=True))
    masked = "\n".join(row.format(*cells) for cells in zip(names, [heading, *[f"[{kind}]"] * 3], strict=True))
    assert redact(table).text == masked


@pytest.mark.parametrize("name", [r"a\|b", r"a\\\|b", r"`x \| y \| z`"])
def test_a_cell_of_markdown_may_have_the_sign_that_divides_them_behind_a_stroke(name: str) -> None:
    rows = f"| 名前 | パスワード |\n|---|---|\n| {name} | S3cr3t!pw9 |\n| c | T4cr\\|3t!pw9 |\n"
    masked = f"| 名前 | パスワード |\n|---|---|\n| {name} | [secret] |\n| c | [secret] |\n"
    assert redact(rows).text == masked


def test_a_cell_in_quotes_may_have_the_sign_that_divides_them() -> None:
    rows = 'user,password\n"Yamada, Taro","Abc#12345"\nb,Xyz#98765\n'
    assert redact(rows).text == 'user,password\n"Yamada, Taro","[secret]"\nb,[secret]\n'
    assert redact('user,password\n"unfinished,Abc#12345\n').text == 'user,password\n"unfinished,[secret]\n'


@pytest.mark.parametrize(
    "text",
    [
        "name,phone\na,none\nb,1000\n",
        "token,count\nfoo,12\nbar_baz_qux,13\n",
        "| pin | signal |\n|---|---|\n| 1001 | VCC |",
        "zip,phone,password,token,個人番号\nsize,model,minimum8,string,123456789012\n",
    ],
)
def test_what_cannot_be_what_the_heading_says_stays(text: str) -> None:
    assert redact(text).findings == ()


@pytest.mark.parametrize("below", ["\n--------\n", "\n・", "\n\n• ", "\n====\n\n"])
def test_a_password_below_an_underlined_heading_or_in_a_list_is_masked(below: str) -> None:
    assert redact(f"パスワード{below}Abc#12345").text == f"パスワード{below}[secret]"


def test_no_word_of_a_program_is_taken_for_a_secret() -> None:
    innocent = [
        "docker run -p 5432:5432 postgres:16, mkdir -p /var/log/app2026, unzip -P",
        "net user admin * /add",
        "password: !vault |",
        "db_password: !secret db_password_2",
        "password_hash_iterations=600000, PASSWORD_RESET_TIMEOUT: 259200",
        "- name: MAX_PASSWORD_LENGTH\n  value: 128",
        "('password', 'required|min:8')",
        "password=getUserPasswordFromRequestBody, PASSWORD: REQUIRED_FIELD, the bearer AuthenticationTokenProvider",
        "ls -a /home/App2026x, sort -n Sales2026Q1.csv, sqlplus /nolog, redis-cli -a",
        "getpass('Password', 'default')",
        "<code>{ psk: &#x3C;Buffer|TypedArray> }</code>",
        "pkg:npm/left-pad@1.3.0 react@19.0.0",
        "otp login, 2FA key rotation, backup: 2026-11-22",
        "recovery codes: ABCD-EFGH (letters only), backup-code: 2026-1122",
        "wandb login --relogin, gh auth login --with-token",
        "undefined symbol: _ZNKSt10moneypunctIwLb0EE10neg_formatEv",
        "__ZN4core3fmt9Formatter9write_str17h8a1f0c9d3b7e2f45E",
        "郵便番号は 100 0001 件、812 0011 行",
        "requirepass foobared, enable secret, echo $HOME/App2026 | sudo tee file",
        "net use Z: \\\\fs01\\App2026 /user:svc *",
        "docker run -v a:/b db1:5432:prod, 10:30:12:5, the door code is changed every month, 認証コードは6桁",
        "パスワードには英数字を含める、パスワードにPBKDF2-SHA256を使う、backup codes: 2026-1122",
        "パスワードは1Passwordで管理、パスワードは KeePass2 に保管、パスワードは Vault2 から取る",
        "パスワードは1Passwordの「検証」にある、パスワードは1Passwordにある、パスワードは KeePass2 に置く",
        "パスワードに Argon2id を使う、パスワードに Bcrypt$12 を使う",
        "enable secret scanning2 in the repository, enable password reset2fa, username aoi password auth2 is off",
        "ログインは POST /api/v2/Sessions2、login via https://sso.example/Auth2?x=1, accounts: AWS / GCP2",
        "シークレットには External-Secrets2 を使う、PIN コードは 4〜8 桁、番号 123456-654321",
        'ETag: W/"5f3c-T2UZUVjOslzn6HsBky64rZnm2rq", pubkey sha256: SIXvRyDmBJSgatgTQRGbInBaAK+hZOQ18UmrSwnDlK8=',
        "暗証番号は2026年から6桁、金庫番号は4桁、シリアルキー: 2026-1101-0001、license key: ABCD-EFGH-IJKL",
        "Argon2id をパスワードに使う、SHA-256をパスワードのハッシュに、BCRYPT_SHA256 as the password hasher",
        "password: |\n  must have 8 characters\npassword: >-\n  ${DB_PASSWORD}",
        "--pass 2 -b:v 1M, --passphrase-file pass2.txt, --secret id=npmrc,src=/home/aoi/.npmrc2, /docs?key=items_2026",
        "password was set in config2.yaml, rootpw --iscrypted, user_pw: required, http -a -v GET /items2",
        f"ghp_{'x' * 36} や sk-{'X' * 20}、xoxb-{'x' * 12}-{'x' * 12} の形",
    ]
    assert {text: found for text in innocent if (found := redact(text).findings)} == {}


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"net use \\\\fs01\\share /user:CORP\\svc {STRONG}", STRONG),
        (f"net user admin {STRONG} /add", STRONG),
        (f"zip -P {PASSWORD} out.zip dir", PASSWORD),
        (f"7z x -p{PASSWORD} a.7z", PASSWORD),
        (f"keytool -storepass {PASSWORD} -keystore k.jks", PASSWORD),
        (f"openssl enc -aes-256-cbc -pass pass:{PASSWORD} -in a", PASSWORD),
        (f"CREATE USER app IDENTIFIED BY '{PASSWORD}';", PASSWORD),
        (f"identified with mysql_native_password by '{PASSWORD}'", PASSWORD),
        (f"mongosh -u root -p {PASSWORD}", PASSWORD),
        (f"redis-cli -h cache -a {PASSWORD}", PASSWORD),
        (f"ssh-keygen -t ed25519 -N '{PASSWORD}' -f key", PASSWORD),
        (f"sqlplus app/{PASSWORD}@ORCL", f"{PASSWORD}@ORCL"),
        (f"DSN=app:{PASSWORD}@tcp(10.0.0.3:3306)/app", PASSWORD),
        ("Proxy-Authorization: Basic dTpIajNrZDlYdzJxMQ==", "dTpIajNrZDlYdzJxMQ=="),
        ('SMTP_PASSWORD="lVEnIKXVuuEomFKB"', "lVEnIKXVuuEomFKB"),
        (f"echo 'root:{PASSWORD}' | chpasswd", PASSWORD),
        (f"requests.get(url, auth=('ci', '{STRONG}'))", STRONG),
        (f"admin:{PASSWORD}@192.168.1.1", PASSWORD),
        (f"wandb login {HEX * 2}{HEX[:8]}", f"{HEX * 2}{HEX[:8]}"),
        (f"requirepass {PASSWORD}", PASSWORD),
        (f"ldapsearch -x -D cn=admin -w {PASSWORD} -b dc=a", PASSWORD),
        (f"htpasswd -cb users.pw aoi {PASSWORD}", PASSWORD),
        (f"sqlcmd -S db1 -U sa -P {PASSWORD}", PASSWORD),
        (f"smbclient //fs01/share -U 'aoi%{PASSWORD}'", PASSWORD),
        (f"enable secret 5 {PASSWORD}", PASSWORD),
        (f"username aoi privilege 15 secret {PASSWORD}", PASSWORD),
        (f"snmp-server community {PASSWORD} RO", PASSWORD),
        (f"az login --service-principal -u app -p {PASSWORD} --tenant t", PASSWORD),
        (f"net use Z: \\\\fs01\\share {PASSWORD} /user:CORP\\svc", PASSWORD),
        (f"echo '{PASSWORD}' | sudo -S true", PASSWORD),
        (f"echo {PASSWORD} | docker login -u ci --password-stdin ghcr.io", PASSWORD),
        (f"db1:5432:*:app:{STRONG}", STRONG),
        (f"curl -u 'ci:{PASSWORD}' https://repo", PASSWORD),
        (f'curl --user "ci:{PASSWORD}" https://repo', PASSWORD),
        (f"http -a ci:{PASSWORD} GET https://repo", PASSWORD),
        (f"unzip -P {PASSWORD} a.zip", PASSWORD),
        (f"bindpw {PASSWORD}", PASSWORD),
        (f"signer --pass {PASSWORD} a.jar", PASSWORD),
        ("cloud configure --secret-key q9Xv7Lm2Tz4Rk8Wb1Yc3", "q9Xv7Lm2Tz4Rk8Wb1Yc3"),
        ("kubeadm join 10.0.0.4:6443 --token 03btmk.7zl1yqubnwtwnxgw", "03btmk.7zl1yqubnwtwnxgw"),
    ],
)
def test_a_password_in_a_command_is_masked(text: str, secret: str) -> None:
    assert redact(text).text == text.replace(secret, "[secret]")


@pytest.mark.parametrize("label", ["mailto:", "[連絡](mailto:", "From:", "Reply-To:", "sip:", "SMTP:", "2014-08-22:"])
def test_an_address_behind_what_calls_it_so_is_no_login(label: str) -> None:
    assert redact(f"{label}Taro2Yamada@example.com へ").text == f"{label}[email] へ"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"- name: DB_PASSWORD\n  value: {PASSWORD}", PASSWORD),
        (f'{{"name":"DB_PASSWORD","value":"{PASSWORD}!"}}', f"{PASSWORD}!"),
        (f'{{"name": "API_TOKEN", "value": "{KEY}"}}', KEY),
        (f"password:\n  value: {PASSWORD}", PASSWORD),
        (f"define('DB_PASSWORD', '{PASSWORD}');", PASSWORD),
        (f'os.environ["DB_PASSWORD"] = "{PASSWORD}"', PASSWORD),
        (f"API key\n\n{KEY}", KEY),
        (f"{{'user': 'aoi', 'password': b'{PASSWORD}'}}", PASSWORD),
        (f"stringData:\n  password: |-\n    {PASSWORD}\n", PASSWORD),
        (f"db_pw: {PASSWORD}, ROOT_PW={PASSWORD}, loginPw = {PASSWORD}", PASSWORD),
        (f"A temporary password is generated for root@localhost: {STRONG}", STRONG),
        (f"use {STRONG} as the admin password", STRONG),
        (f"「{STRONG}」がパスワードです、{STRONG}をパスワードに設定", STRONG),
        (f"https://maps.example.com/api?key={KEY}&q=a", KEY),
        ("WIFI_PSK=mK29xQp7Lz01", "mK29xQp7Lz01"),
        ("プロダクトキー: VK7JG-NPHTM-C97JM-9MPGT-3V66T", "VK7JG-NPHTM-C97JM-9MPGT-3V66T"),
        ("暗証番号4821、キーボックスの番号は 4821", "4821"),
        (f"subscription key: {HEX * 2}", HEX * 2),
        (f"NEW_RELIC_LICENSE_KEY={HEX * 2}{HEX[:4]}NRAL", f"{HEX * 2}{HEX[:4]}NRAL"),
        (f"config/master.key の中身: {HEX * 2}", HEX * 2),
        (f"instrumentation key={UUID}", UUID),
        (f"API キーは {UUID} です", UUID),
        ("PresharedKey = VbkuklF+NZbuNMsqhRyL+kGMoVbrHRGJOltNwdSiYEE=", "VbkuklF+NZbuNMsqhRyL+kGMoVbrHRGJOltNwdSiYEE="),
        ("PSK=mK29xQp7Lz01, 共有キー: mK29xQp7Lz01", "mK29xQp7Lz01"),
        ('{"auths":{"registry.example.com":{"auth":"Y2k6SHg4M2tkMHFMejcx"}}}', "Y2k6SHg4M2tkMHFMejcx"),
        ("PHPSESSID=z18p7ojoywu01x5tn5xaug3091", "z18p7ojoywu01x5tn5xaug3091"),
        ("パスワードを Hx83!kd0qLz にリセットした", "Hx83!kd0qLz"),
        ("パスワードは先週から Hx83!kd0qLz に変わっています", "Hx83!kd0qLz"),
        ("シークレットには Hx83!kd0qLz7u を入れる", "Hx83!kd0qLz7u"),
        ("ログインは admin／Hx83!kd0qLz でできる", "Hx83!kd0qLz"),
        ("ログイン情報: aoi@localhost / Hx83!kd0qLz", "Hx83!kd0qLz"),
        ("credentials for the lab are aoi:Hx83!kd0qLz", "Hx83!kd0qLz"),
        ("パスフレーズとして Hx83!kd0qLz を使う", "Hx83!kd0qLz"),
        ("合言葉には「Hx83!kd0qLz」", "Hx83!kd0qLz"),
        ("use passphrase hxKR#ZiEDs_uMw for it", "hxKR#ZiEDs_uMw"),
    ],
)
def test_a_secret_in_the_next_field_or_argument_is_masked(text: str, secret: str) -> None:
    assert redact(text).text == text.replace(secret, "[secret]")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("otpauth://totp/Acme:me?secret=JBSWY3DPEHPK3PXP&issuer=A", "otpauth://totp/Acme:me?secret=[secret]&issuer=A"),
        ("TOTPのシークレットは KVKFKRCPNZQUYMLX", "TOTPのシークレットは [secret]"),
        ("2FAのバックアップコード: 8f3k-29dm-xq71", "2FAのバックアップコード: [secret]"),
        ("recovery codes:\n- a1b2c-3d4e5\n- f6g7h-8i9j0", "recovery codes:\n- [secret]\n- [secret]"),
        ("recovery codes: 12345-67890, 1a2b3-c4d5e", "recovery codes: [secret], [secret]"),
        ("バックアップコード:\n1234 5678\n2345 6789\n", "バックアップコード:\n[secret]\n[secret]\n"),
        ("回復コード: 54b34-331f6", "回復コード: [secret]"),
        (f"回復キーは {'-'.join(['627087'] * 8)} です", "回復キーは [secret] です"),
        ("解錠コード 55021", "解錠コード [secret]"),
        ("the door code is 48213#、解錠番号：48213", "the door code is [secret]#、解錠番号：[secret]"),
        ("認証コードは 482913 です", "認証コードは [secret] です"),
        (f"seed phrase: {' '.join(['legal winner thank'] * 4)}.", "seed phrase: [secret]."),
    ],
)
def test_what_gets_somebody_in_without_a_password_is_masked(text: str, masked: str) -> None:
    assert redact(text).text == masked


def test_codes_with_a_blank_and_addresses_of_other_scripts_are_masked() -> None:
    assert redact("〒 812 0011 福岡市").text == "〒 [postal_code] 福岡市"
    assert redact("postal_code,812-0011").text == "postal_code,[postal_code]"
    assert redact("cc: x@example.xn--q9jyb4c,").text == "cc: [email],"
