"""Secrets that show what they are: private keys, and the tokens of services that mark theirs.

The marks are those the services publish in their documentation so that scanners find their tokens.
"""

import re
from collections.abc import Iterator
from itertools import chain

import re2

from .scanning import Span

_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
_TOKENS = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",  # Amazon
    r"(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})",
    r"(?:glpat|gldt|glrt|glptt|glsoat|glcbt|glimt|glagent|gloas|glffct|glft)-[A-Za-z0-9_.-]{16,}",  # GitLab
    r"(?:xox[abcposre]-|xapp-[0-9]-|xoxe\.xox[bp]-)[A-Za-z0-9-]{10,}",  # Slack
    r"xoxd-[A-Za-z0-9%+/=]{10,}",
    r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{20,}",
    r"discord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{30,}",
    r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,}",  # Teams
    r"chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]{1,60}/messages\?[^\s\"'<>]{30,}",
    r"hooks\.zapier\.com/hooks/catch/[0-9]{1,20}/[a-z0-9]{5,}",
    r"maker\.ifttt\.com/trigger/[^\s/]{1,60}/(?:json/)?with/key/[A-Za-z0-9_-]{20,}",
    r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",  # Discord
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}",  # Stripe
    r"whsec_[A-Za-z0-9+/=]{20,}",
    r"sk-(?:proj|svcacct|admin|ant|or|lf|None|live|test)-[A-Za-z0-9_-]{10,}",  # OpenAI, Anthropic, OpenRouter
    r"sk-[A-Za-z0-9]{16,}",
    r"AIza[A-Za-z0-9_-]{30,}",  # Google
    r"GOCSPX-[A-Za-z0-9_-]{20,}",
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"[A-Za-z0-9_-]{7,30}:APA91b[A-Za-z0-9_-]{100,}",  # Firebase
    r"1//0[A-Za-z0-9_-]{30,}",
    r"sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{15,}",  # Mapbox
    # JSON Web Tokens: encrypted, signed, and what stands on the first line of one that goes on below.
    r"eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{16,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?",
    r"eyJ(?:hbGciO|0eXAiO|raWQiO)[A-Za-z0-9_.-]{40,}",
    r"npm_[A-Za-z0-9]{20,}",
    r"pypi-AgE[A-Za-z0-9_-]{20,}",
    r"rubygems_[a-f0-9]{40,}",
    r"(?:CLOJARS_[a-z0-9]{60}|oy2[a-z0-9]{43})",  # Clojars, NuGet
    r"SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",  # SendGrid
    r"(?:SK|AC)[a-f0-9]{32}",  # Twilio
    r"(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})",  # Mailgun
    r"x(?:keys|smtps)ib-[a-f0-9]{40,}-[A-Za-z0-9]{10,}",  # Brevo
    r"[a-f0-9]{32}-us[0-9]{1,2}",  # Mailchimp
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{25,}",  # Telegram
    r"hf_[A-Za-z0-9]{20,}",
    r"(?:dop|doo|dor)_v1_[a-f0-9]{40,}",  # DigitalOcean
    r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{30,}",  # Shopify
    r"(?:sq0[a-z]{3}-|EAAA)[A-Za-z0-9_-]{22,}",  # Square
    r"dapi[a-f0-9]{32}",  # Databricks
    r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}",
    r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})",  # Notion
    r"(?:AT[ACS]TT3[A-Za-z0-9_=-]{30,}|ATBB[A-Za-z0-9]{28,}|ATTA[a-f0-9]{64}[A-F0-9]{8})",  # Atlassian
    r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",  # Airtable
    r"2/[0-9]{12,}/[0-9]{12,}:[a-f0-9]{32}",  # Asana
    r"pk_[0-9]{5,12}_[A-Z0-9]{32}",  # ClickUp
    rf"pat-[a-z]{{2}}[0-9]-{_UUID}",  # HubSpot
    r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}",  # Salesforce
    rf"sdk-{_UUID}",  # LaunchDarkly
    r"WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{8,}",  # LinkedIn
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}",  # Vault
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}",  # Doppler
    r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",  # 1Password
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    r"(?:NRAK|NRII|NRJS)-[A-Za-z0-9_-]{19,}",  # New Relic
    r"(?:glsa_[A-Za-z0-9_]{30,}|glc_[A-Za-z0-9+/=]{30,})",  # Grafana
    r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",  # Dynatrace
    r"(?:sb[ps]_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{25,})",  # Supabase
    r"napi_[a-z0-9]{50,}",  # Neon
    r"r8_[A-Za-z0-9]{30,}",  # Replicate
    r"gsk_[A-Za-z0-9]{20,}",  # Groq
    r"xai-[A-Za-z0-9]{40,}",
    r"pplx-[A-Za-z0-9]{30,}",
    r"tvly-[A-Za-z0-9-]{20,}",
    r"csk-[a-z0-9]{40,}",  # Cerebras
    r"sk_[a-f0-9]{48}",  # ElevenLabs
    r"fc-[a-f0-9]{32}",  # Firecrawl
    r"jina_[A-Za-z0-9]{50,}",
    r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",  # LangSmith
    r"rpa_[A-Z0-9]{40,}",  # RunPod
    r"e2b_[a-f0-9]{40}",
    r"[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{5}jsn[a-f0-9]{12}",  # RapidAPI
    r"PMAK-[A-Za-z0-9-]{40,}",  # Postman
    r"fig[do]_[A-Za-z0-9_-]{30,}",
    r"sntry[su]_[A-Za-z0-9_+/=]{30,}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}",  # Terraform
    r"dckr_[po]at_[A-Za-z0-9_-]{20,}",
    r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}",  # CircleCI
    r"bk[a-z]{2}_[a-f0-9]{40}",  # Buildkite
    r"sq[apu]_[a-f0-9]{40}",  # SonarQube
    r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}",  # Harness
    r"API-[A-Z0-9]{26}",  # Octopus
    r"pul-[a-f0-9]{40}",
    r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}",
    r"tskey-[a-z]+-[A-Za-z0-9-]{15,}",
    r"nfp_[A-Za-z0-9]{36,}",
    r"vercel_blob_rw_[A-Za-z0-9_]{30,}",
    r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}",  # Cloudflare
    r"dnkey-[A-Z0-9=_-]{26}-[A-Z0-9=_-]{52}",  # Defined Networking
    r"rdme_[a-z0-9]{60,}",  # ReadMe
    r"ops_eyJ[A-Za-z0-9_=-]{40,}",
    r"fo1_[A-Za-z0-9_-]{40,}",
    r"sl\.[A-Za-z0-9_-]{60,}",  # Dropbox
    r"ya[.]?AQAAAA[A-Za-z0-9_-]{30,}",
    r"EAA[A-Za-z0-9]{80,}",  # Meta
    r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",  # Braintree
    rf"access-(?:production|development|sandbox)-{_UUID}",  # Plaid
    r"rzp_(?:live|test)_[A-Za-z0-9]{14,}",  # Razorpay
    r"FLWSECK(?:_TEST)?-[a-z0-9]{12,}(?:-X)?",  # Flutterwave
    r"shippo_(?:live|test)_[a-f0-9]{40}",
    r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,}",
    r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9]{11}\.[A-Za-z0-9_-]{32}",  # Onfido
    r"GOOG1E[A-Z0-9]{50,}",
    r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",  # Entra
    r"p8e-[a-z0-9]{32}",  # Adobe
    r"HRKU-[A-Za-z0-9_-]{36,}",  # Heroku
    r"django-insecure-[^\s\"'`]{20,}",
    r"[0-9]{6}(?:-[0-9]{6}){7}",  # BitLocker
    # Signed addresses of clouds.
    r"(?:AccountKey|SharedAccessKey|sig|X-(?:Amz|Goog)-Signature|X-Amz-Security-Token)=[A-Za-z0-9+/%]{40,}={0,2}",
)
# Behind a name that ends with _, a token would be a part of it; behind _ alone it is emphasised: _ghp_..._
_TOKEN = re2.compile(rf"\b_{{0,3}}({'|'.join(_TOKENS)})")
_LOGIN = re2.compile(r"(?:\b|_)[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}:([^\s@/\"'<>]{3,200})@[^\s@/]")
_ORACLE_LOGIN = re2.compile(r"jdbc:oracle:[a-z]{2,5}:[^\s/@:\"']{1,60}/([^\s@/\"'<>]{3,200})@")
_PLACEHOLDER = re.compile(r"[*x.•…]+$|[$<{%\[(]|your|pass(?:word|wd)?$|pwd$|secret$|token$|x{4}", re.IGNORECASE)
_FILLING = re.compile("[xX]{4,}|[*]{4,}|0{8,}")
_LONGEST_MARK, _LEAST_FILLING = 16, 8
# Lines are seldom broken earlier, and a token that ends sooner has come to its end.
_LEAST_WIDTH = 60
_NEXT_LINE = re.compile(
    r"\\?\r?\n[ \t>]{0,8}(?=[A-Za-z+/_.=-]{0,200}[0-9])[A-Za-z0-9+/_.=-]{4,200}(?=\\?\r?\n|\s{0,8}$)"
)
# PEM, OpenPGP and SSH2; PuTTY's own.
_KEY_HEAD = re.compile(
    r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-[0-9]:"
)
_KEY_END = re.compile(
    r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-(?:MAC|Hash): {0,4}[0-9a-f]{0,64}"
)


def find_tokens(text: str) -> Iterator[Span]:
    """Private keys, marked tokens, and passwords in addresses."""
    yield from _private_keys(text)
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start(1) >= end and not _shows_form(match[1]):
            end = _end_of_wrapped(text, *match.span(1))
            yield match.start(1), end
    for match in chain(_LOGIN.finditer(text), _ORACLE_LOGIN.finditer(text)):
        if not is_placeholder(match[1]):
            yield match.span(1)


def is_placeholder(value: str) -> bool:
    """Whether a value only shows where one would stand."""
    return _PLACEHOLDER.match(value) is not None or len(set(value)) == 1


def _shows_form(token: str) -> bool:
    """Whether a token is its mark and a filling, as in texts about what such tokens look like."""
    rest = _FILLING.sub("", token)
    return len(rest) <= _LONGEST_MARK and len(token) - len(rest) >= _LEAST_FILLING


def _end_of_wrapped(text: str, start: int, end: int) -> int:
    """Where a token ends that reaches to the end of a full line and goes on in those below."""
    if end >= _LEAST_WIDTH and "\n" not in text[end - _LEAST_WIDTH : start]:
        while line := _NEXT_LINE.match(text, end):
            end = line.end()
    return end


def _private_keys(text: str) -> Iterator[Span]:
    """Blocks from head to end; one without an end goes to the end of the text, and nothing is looked for after it."""
    position = 0
    while (head := _KEY_HEAD.search(text, position)) is not None:
        end = _KEY_END.search(text, head.end())
        position = end.end() if end else len(text)
        yield head.start(), position
