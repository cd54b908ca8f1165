"""The tools over the vault."""

from morenashi.server.vault import listing

from . import vault_inputs, vault_outputs
from .tool import Tool, without_deadline

VAULT_TOOLS = (
    Tool(
        "vault_ls",
        "List a folder of the vault",
        "List one folder of the vault: its folders, then its files.",
        vault_inputs.VaultLs,
        vault_outputs.VaultLsOutput,
        without_deadline(listing.vault_ls),
    ),
)
