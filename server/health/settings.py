"""Settings that are well formed, and yet keep a server from starting or a search from finding."""

from collections.abc import Iterator

from morenashi.indexer.collections import collection_of
from morenashi.indexer.config import Config, ConfigError
from morenashi.indexer.files import to_nfc
from morenashi.indexer.listing import RootMissingError
from morenashi.server.clients import LOCAL
from morenashi.server.edge.http.tokens import load_tokens
from morenashi.server.memory.boundary import narrow
from morenashi.server.memory.providers import make_provider

from .findings import Finding, listed


def setting_findings(config: Config) -> Iterator[Finding]:
    """What a server would say when it starts, or at each search. No model is asked for vectors."""
    yield from _model_findings(config)
    yield from _token_findings(config)
    yield from _default_manual_findings(config)


def _model_findings(config: Config) -> Iterator[Finding]:
    try:
        make_provider(config)
    except ConfigError as error:
        yield Finding(
            "model_unusable",
            "error",
            str(error),
            "no server starts with a model for memory that it cannot use",
            "set it as docs/reference.md says, or leave it out: memory is then found by its words",
        )


def _token_findings(config: Config) -> Iterator[Finding]:
    token = config.http_token.get_secret_value() if config.http_token else None
    try:
        tokens = load_tokens(config.http_token_file, token, LOCAL)
    except ConfigError as error:
        yield Finding(
            "tokens_unusable",
            "error",
            str(error),
            "`morenashi serve --http` does not start with them",
            "mend what HTTP_TOKENS names, or HTTP_TOKEN; docs/reference.md has an example",
        )
        return
    for client in tokens.clients if tokens else ():
        uses = sorted(use for use in client.memory_tags or () if not narrow(config.memory_tags, [use]))
        if uses and "memory" in client.toolsets:
            yield Finding(
                "token_use_not_granted",
                "warning",
                f"the token {client.name} allows {listed(uses)}, which MEMORY_ALLOW does not grant",
                "a token only narrows what MEMORY_ALLOW grants: of memory that use shows nothing",
                "add it to MEMORY_ALLOW, or take it out of the token's `allow`",
            )


def _default_manual_findings(config: Config) -> Iterator[Finding]:
    name = config.default_manual_id
    if name is None:
        return
    try:
        # A folder without documents is no manual.
        manuals = {to_nfc(file.key[0]) for file in collection_of(config, "manuals").list().files}
    except RootMissingError:
        # That there are no manuals at all, or none that can be read, is another finding.
        return
    if to_nfc(name) not in manuals:
        yield Finding(
            "no_default_manual",
            "error",
            f"DEFAULT_MANUAL_ID: there is no manual {name}",
            "every search that names no manual is refused",
            "name a folder of manuals/ with documents, or leave it out: then all are searched",
        )
