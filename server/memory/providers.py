"""Where vectors come from, as the settings say."""

from morenashi.indexer.config import Config, ConfigError

from .embedding import Provider
from .embedding_endpoint import HttpProvider
from .static_model import StaticModel


def make_provider(config: Config) -> Provider | None:
    """The provider that the configuration names, if any. Raises `ConfigError`."""
    if config.memory_model_folder is not None:
        return StaticModel(config.root / config.memory_model_folder)
    if config.memory_embedding_url is None:
        if config.memory_embedding_model is not None:
            raise ConfigError("MEMORY_EMBEDDING_URL: say where the model is that MEMORY_EMBEDDING_MODEL names")
        return None
    if config.memory_embedding_model is None:
        raise ConfigError("MEMORY_EMBEDDING_MODEL: name the model that MEMORY_EMBEDDING_URL is to be asked for")
    key = config.memory_embedding_key.get_secret_value() if config.memory_embedding_key else None
    return HttpProvider(config.memory_embedding_url, config.memory_embedding_model, key)
