"""Tokens of services that mark theirs are masked as a whole, wherever they stand. No real one is written here."""

import pytest

from morenashi.server.memory.redaction import redact

HEX, UPPER, LOWER = "0123456789abcdef", "ABCDEFGHJKMNPQRSTVWXYZ", "abcdefghjkmnpqrstvwxyz"
MIXED, UUID = f"{LOWER}0123{UPPER}456789", f"{HEX[:8]}-{HEX[:4]}-{HEX[:4]}-{HEX[:4]}-{HEX[:12]}"
# Unlike the others, as if a generator of random numbers had made it.
DRAWN = "gtD7fGUOv8fwNfBb0jXxUJR4QQAAabVVloZaXZxmCu1"

TOKENS = {
    "1Password": f"A3-{UPPER[:6]}-{UPPER[:6]}-{UPPER[:5]}-{UPPER[:5]}-{UPPER[:5]}-{UPPER[:5]}",
    "Adobe": f"p8e-{HEX * 2}",
    "Airtable": f"pat{MIXED[:14]}.{HEX * 4}",
    "Asana": f"2/{'12' * 7}/{'34' * 7}:{HEX * 2}",
    "Atlassian": f"ATCTT3{MIXED}",
    "Braintree": f"access_token$production${HEX}${HEX * 2}",
    "Brevo": f"xkeysib-{HEX * 4}-{MIXED[:16]}",
    "Buildkite": f"bkua_{HEX * 2}{HEX[:8]}",
    "Cerebras": f"csk-{LOWER * 2}",
    "CircleCI": f"CCIPAT_{MIXED[:22]}_{HEX * 2}{HEX[:8]}",
    "ClickUp": f"pk_12345678_{UPPER}{UPPER[:10]}",
    "Clojars": f"CLOJARS_{(LOWER * 3)[:60]}",
    "Cloudflare": f"v1.0-{HEX}{HEX[:8]}-{HEX * 9}ab",
    "Defined Networking": f"dnkey-{UPPER}1234-{UPPER * 2}12345678",
    "Django": f"django-insecure-{LOWER}@#^&({LOWER}",
    "Duffel": f"duffel_live_{MIXED[:43]}",
    "Dynatrace": f"dt0c01.{UPPER}12.{(UPPER * 3)[:64]}",
    "E2B": f"e2b_{HEX * 2}{HEX[:8]}",
    "ElevenLabs": f"sk_{HEX * 3}",
    "Entra": f"abc8Q~{MIXED[:34]}",
    "Firecrawl": f"fc-{HEX * 2}",
    "Flutterwave": f"FLWSECK-{HEX * 2}-X",
    "Google Chat": f"chat.googleapis.com/v1/spaces/AAAA/messages?key={MIXED}&token={MIXED}",
    "Google Cloud Storage": f"GOOG1E{(UPPER * 3)[:55]}",
    "Harness": f"pat.{MIXED[:22]}.{MIXED[:24]}.{MIXED[:20]}",
    "HubSpot": f"pat-na1-{UUID}",
    "IFTTT": f"maker.ifttt.com/trigger/door/with/key/{MIXED[:22]}",
    "Jina": f"jina_{HEX * 2}{MIXED[:28]}",
    "LangSmith": f"lsv2_pt_{HEX * 2}_{HEX[:10]}",
    "LaunchDarkly": f"sdk-{UUID}",
    "LinkedIn": f"WPL_AP1.{MIXED[:16]}.{MIXED[:8]}==",
    "Mailgun": f"{HEX * 2}-{HEX[:8]}-{HEX[:8]}",
    "Mapbox": f"sk.eyJ{MIXED}.{MIXED[:22]}",
    "Neon": f"napi_{(LOWER * 3)[:64]}",
    "NuGet": f"oy2{(LOWER * 2)[:43]}",
    "Octopus": f"API-{UPPER}1234",
    "Onfido": f"api_live.{MIXED[:11]}.{MIXED[:32]}",
    "Plaid": f"access-production-{UUID}",
    "RapidAPI": f"{HEX[:10]}msh{HEX[:15]}p1{HEX[:5]}jsn{HEX[:12]}",
    "Razorpay": f"rzp_live_{MIXED[:14]}",
    "ReadMe": f"rdme_{(LOWER * 4)[:70]}",
    "RunPod": f"rpa_{UPPER * 2}",
    "Salesforce": f"00D{MIXED[:12]}!{MIXED}.{MIXED}",
    "Shippo": f"shippo_live_{HEX * 2}{HEX[:8]}",
    "Slack in a browser": f"xoxc-123456789012-123456789012-{HEX * 2}",
    "SonarQube": f"sqp_{HEX * 2}{HEX[:8]}",
    "Supabase": f"sb_secret_{MIXED[:22]}_{MIXED[:8]}",
    "Teams": f"example.webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/{HEX * 2}/{UUID}",
    "Trello": f"ATTA{HEX * 4}0A1B2C3D",
    "Vercel": f"vercel_blob_rw_{MIXED[:16]}_{MIXED[:30]}",
    "Zapier": "hooks.zapier.com/hooks/catch/1234567/abcdefg",
    "an encrypted JSON Web Token": f"eyJ{MIXED}.{MIXED}.{MIXED[:16]}.{MIXED}.{MIXED[:22]}",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_the_token_of_a_service_is_masked_as_a_whole(token: str) -> None:
    assert redact(token).text == "[secret]"
    assert redact(f"共有: {token} です").text == "共有: [secret] です"


@pytest.mark.parametrize(
    "text",
    [
        f"id {UUID}",
        f"commit {HEX * 2}01234567",
        f"md5 {HEX * 2}",
        f"request api-{UUID}",
        f'"sha256": "{MIXED[:43]}="',
        "sdk-1.2.3",
        "Core1Edge2Data3Flow4Grid5Node6",
        "電話 AB0312345678",
        "pat.pub",
    ],
)
def test_identifiers_and_digests_are_no_secrets(text: str) -> None:
    assert redact(text).findings == ()


PUBLIC = [
    "sha256-",
    "sha-512 ",
    "sha1:",
    'md5: "',
    "h1:",
    "blake2b-",
    "blake3:",
    "data:image/png;base64,",
    "ssh-ed25519 ",
    "ecdsa-sha2-nistp256 ",
    "public_key = ",
    'integrity="',
    'etag: W/"',
    "fingerprint: ",
    "checksum: ",
    "digest: ",
    "https://example.com/a/",
]


@pytest.mark.parametrize("before", PUBLIC)
def test_what_looks_drawn_by_lot_is_no_secret_where_it_is_said_to_be_public(before: str) -> None:
    for around in ("", "前の文。" * 60):
        assert redact(f"{around}{before}{DRAWN}\n{'後の文。' * 60}").findings == ()


def test_below_the_name_of_what_is_public_it_is_no_secret_and_below_an_address_it_is_one() -> None:
    assert redact(f"checksum:\n{DRAWN}").findings == ()
    assert redact(f"https://example.com/a/\n{DRAWN}").text == "https://example.com/a/\n[secret]"


@pytest.mark.parametrize("before", ["config-for-the-production-environment-of-the-shop-", "a/" * 300])
def test_words_that_a_random_string_is_joined_to_do_not_hide_it(before: str) -> None:
    assert DRAWN[:24] not in redact(f"{before}{DRAWN[:24]}-production").text
    assert redact(f"{before}production2").findings == ()


def test_an_address_ends_where_a_sentence_goes_on() -> None:
    assert redact(f"https://example.com/a。{DRAWN}").text == "https://example.com/a。[secret]"
    assert redact(f"https://example.com/aの{DRAWN}").text == "https://example.com/aの[secret]"


def test_a_block_of_a_public_key_hides_no_secret_behind_it() -> None:
    block = f"-----BEGIN PUBLIC KEY-----\n{DRAWN}\n-----END PUBLIC KEY-----"
    assert redact(f'{DRAWN}\n{block}\n{block}\n"{DRAWN}"').text == f'[secret]\n{block}\n{block}\n"[secret]"'


@pytest.mark.parametrize("header", [MIXED[:26], MIXED, MIXED * 2])
def test_a_token_that_goes_on_in_the_next_lines_is_masked_to_its_end(header: str) -> None:
    token = f"eyJhbGciOi{header}.eyJ{MIXED * 4}.{MIXED * 3}"
    lines = "\n".join(token[start : start + 64] for start in range(0, len(token), 64))
    assert redact(f"Token:\n{lines}\nuntil Friday").text == "Token:\n[secret]\nuntil Friday"


def test_a_token_that_ends_before_the_line_is_full_has_come_to_its_end() -> None:
    assert redact(f"ghp_{MIXED[:36]}\nstep2\n").text == "[secret]\nstep2\n"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("jdbc:oracle:thin:scott/t1ger_99@//db:1521/x", "jdbc:oracle:thin:scott/[secret]@//db:1521/x"),
        (f"curl -H 'cookie: sid={HEX * 2}; theme=dark'", "curl -H 'cookie: sid=[secret]; theme=dark'"),
        ("Cookie: consent=accept-all-cookies; lang=ja", "Cookie: consent=accept-all-cookies; lang=ja"),
    ],
)
def test_logins_in_addresses_and_cookies_are_masked(text: str, masked: str) -> None:
    assert redact(text).text == masked
