"""Secrets that show what they are: private keys, and the tokens of services that mark theirs.

The marks are those the services publish in their documentation so that scanners find their tokens.
"""

import re
from collections.abc import Iterator

import re2

from .scanning import Span

_TOKENS = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",  # Amazon
    r"(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})",
    r"(?:glpat|gldt|glrt|glptt|glsoat|glcbt|glimt|glagent|gloas|glffct|glft)-[A-Za-z0-9_.-]{16,}",  # GitLab
    r"(?:xox[abposre]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-[A-Za-z0-9-]{10,})",  # Slack
    r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{20,}",
    r"discord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{30,}",
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
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?",  # JSON Web Token
    r"npm_[A-Za-z0-9]{20,}",
    r"pypi-AgE[A-Za-z0-9_-]{20,}",
    r"rubygems_[a-f0-9]{40,}",
    r"SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",  # SendGrid
    r"(?:SK|AC)[a-f0-9]{32}",  # Twilio
    r"key-[a-f0-9]{32}",  # Mailgun
    r"[a-f0-9]{32}-us[0-9]{1,2}",  # Mailchimp
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{25,}",  # Telegram
    r"hf_[A-Za-z0-9]{20,}",
    r"(?:dop|doo|dor)_v1_[a-f0-9]{40,}",  # DigitalOcean
    r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{30,}",  # Shopify
    r"(?:sq0[a-z]{3}-|EAAA)[A-Za-z0-9_-]{22,}",  # Square
    r"dapi[a-f0-9]{32}",  # Databricks
    r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}",
    r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})",  # Notion
    r"ATATT3[A-Za-z0-9_=-]{30,}",  # Atlassian
    r"ATBB[A-Za-z0-9]{28,}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}",  # Vault
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}",  # Doppler
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    r"(?:NRAK|NRII|NRJS)-[A-Za-z0-9_-]{19,}",  # New Relic
    r"(?:glsa_[A-Za-z0-9_]{30,}|glc_[A-Za-z0-9+/=]{30,})",  # Grafana
    r"sb[ps]_[a-f0-9]{40}",  # Supabase
    r"r8_[A-Za-z0-9]{30,}",  # Replicate
    r"gsk_[A-Za-z0-9]{20,}",  # Groq
    r"xai-[A-Za-z0-9]{40,}",
    r"pplx-[A-Za-z0-9]{30,}",
    r"tvly-[A-Za-z0-9-]{20,}",
    r"PMAK-[A-Za-z0-9-]{40,}",  # Postman
    r"fig[do]_[A-Za-z0-9_-]{30,}",
    r"sntry[su]_[A-Za-z0-9_+/=]{30,}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}",  # Terraform
    r"dckr_pat_[A-Za-z0-9_-]{20,}",
    r"pul-[a-f0-9]{40}",
    r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}",
    r"tskey-[a-z]+-[A-Za-z0-9-]{15,}",
    r"nfp_[A-Za-z0-9]{36,}",
    r"ops_eyJ[A-Za-z0-9_=-]{40,}",
    r"fo1_[A-Za-z0-9_-]{40,}",
    r"sl\.[A-Za-z0-9_-]{60,}",  # Dropbox
    r"ya[.]?AQAAAA[A-Za-z0-9_-]{30,}",
    r"EAA[A-Za-z0-9]{80,}",  # Meta
    r"(?:AccountKey|SharedAccessKey|sig|X-Amz-Signature|X-Amz-Security-Token)=[A-Za-z0-9+/%]{40,}={0,2}",  # clouds
)
_TOKEN = re2.compile(rf"\b(?:{'|'.join(_TOKENS)})")
_LOGIN = re2.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}:([^\s@/\"'<>]{3,200})@[^\s@/]")
_PLACEHOLDER = re.compile(r"[*x.•…]+$|[$<{%\[(]|your|pass(?:word|wd)?$|pwd$|secret$|token$|x{4}", re.IGNORECASE)
_KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")


def find_tokens(text: str) -> Iterator[Span]:
    """Private keys, marked tokens, and passwords in addresses."""
    yield from _private_keys(text)
    for match in _TOKEN.finditer(text):
        yield match.span()
    for match in _LOGIN.finditer(text):
        if not is_placeholder(match[1]):
            yield match.span(1)


def is_placeholder(value: str) -> bool:
    """Whether a value only shows where one would stand."""
    return _PLACEHOLDER.match(value) is not None or len(set(value)) == 1


def _private_keys(text: str) -> Iterator[Span]:
    """Blocks from head to end; one without an end goes to the end of the text, and nothing is looked for after it."""
    position = 0
    while (head := _KEY_HEAD.search(text, position)) is not None:
        end = _KEY_END.search(text, head.end())
        position = end.end() if end else len(text)
        yield head.start(), position
