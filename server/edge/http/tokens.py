"""Who may call over HTTP: tokens, each with a name and what it grants. Only their hashes are kept in memory."""

import hashlib
import hmac
import os
import re
import stat
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from morenashi.indexer.config import USE_FORM, ConfigError
from morenashi.indexer.expected import describe_expected
from morenashi.server.clients import ALL_TOOLSETS, LOCAL, Client, Toolset

ENVIRONMENT_NAME = "http"
"""What the token of the environment is called."""

_LEAST_CHARACTERS = 16
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_TOKEN = re.compile(rf"[!-~]{{{_LEAST_CHARACTERS},}}")
_FORM = f"expected {_LEAST_CHARACTERS} characters or more, of ASCII and without blanks: a header carries no others"


def _require_form(token: SecretStr) -> SecretStr:
    if not _TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError(_FORM)
    return token


class TokenEntry(BaseModel):
    """A token of the file: itself, or its SHA-256 in hexadecimal digits, and what it grants.

    `allow` are uses of memory, in the words of a policy; they only narrow those of the configuration.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    token: Annotated[SecretStr, AfterValidator(_require_form)] | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    toolsets: Annotated[list[Toolset], Field(min_length=1)] = Field(default_factory=lambda: sorted(ALL_TOOLSETS))
    read_only: bool = False
    allow: list[Annotated[str, StringConstraints(pattern=USE_FORM)]] | None = None

    @model_validator(mode="after")
    def _has_one_secret(self) -> "TokenEntry":
        if (self.token is None) == (self.sha256 is None):
            raise ValueError("expected either token or sha256")
        return self

    @property
    def digest(self) -> bytes:
        """SHA-256 of the token."""
        if self.token is not None:
            return hashlib.sha256(self.token.get_secret_value().encode()).digest()
        return bytes.fromhex(self.sha256 or "")


class _TokenFile(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    tokens: Annotated[list[TokenEntry], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that are known, each with the client that it makes."""

    entries: tuple[tuple[bytes, Client], ...]

    @property
    def clients(self) -> tuple[Client, ...]:
        """Whom the tokens stand for."""
        return tuple(client for _, client in self.entries)

    def find(self, presented: str) -> Client | None:
        """Whose token it is. All are compared, each in constant time."""
        digest = hashlib.sha256(presented.encode("utf-8", "surrogatepass")).digest()
        found = None
        for known, client in self.entries:
            if hmac.compare_digest(known, digest):
                found = client
        return found


def load_tokens(path: Path | None, from_environment: str | None, most: Client) -> Tokens | None:
    """The tokens of a file and of the environment; `None` if there are none.

    None of them grants more than `most` has. Raises `ConfigError`, which never says what a token is.
    """
    entries = [] if path is None else list(_read(path))
    if from_environment is not None:
        if not _TOKEN.fullmatch(from_environment):
            raise ConfigError(f"HTTP_TOKEN: {_FORM}")
        entries.append(TokenEntry(name=ENVIRONMENT_NAME, token=SecretStr(from_environment)))
    _check_unique(entries)
    return Tokens(tuple((entry.digest, _client(entry, most)) for entry in entries)) if entries else None


def _read(path: Path) -> Sequence[TokenEntry]:
    try:
        # A pipe is not waited for.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_mode & _FOR_OTHERS:
                raise ConfigError(f"tokens: {path} must be a file that only its owner can read: chmod 600")
            return _TokenFile.model_validate(tomllib.load(file)).tokens
    except OSError as error:
        raise ConfigError(f"tokens: {path}: {error.strerror}") from None
    except ValidationError as error:
        raise ConfigError(f"tokens: {path}: {_first_problem(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # The parser's message may quote the file.
        raise ConfigError(f"tokens: {path} is no TOML") from None


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: expected {_expected(first)}"


def _expected(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        known = (_TokenFile if len(problem["loc"]) == 1 else TokenEntry).model_fields
        return f"one of the known names: {', '.join(known)}"
    return describe_expected(problem)


def _check_unique(entries: Sequence[TokenEntry]) -> None:
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names) or LOCAL.name in names:
        raise ConfigError(f"tokens: each needs a name of its own, and none may be called {LOCAL.name}")
    if len({entry.digest for entry in entries}) < len(entries):
        raise ConfigError("tokens: two of them are the same")


def _client(entry: TokenEntry, most: Client) -> Client:
    toolsets = most.toolsets & set(entry.toolsets)
    if not toolsets:
        raise ConfigError(f"tokens: {entry.name} has none of the toolsets that are served")
    return replace(
        most,
        session_id=f"http:{entry.name}",
        name=entry.name,
        memory_tags=None if entry.allow is None else frozenset(entry.allow),
        toolsets=toolsets,
        read_only=most.read_only or entry.read_only,
    )
