"""What finds the claims nearest to a question in meaning, by the model that is configured."""

from morenashi.server.log import log_event

from .embedding import EmbeddingError, Provider
from .policy import Policy
from .retrieve import NearestVectors
from .vectors import nearest_claims


def nearest_to(question: str, provider: Provider, policy: Policy) -> NearestVectors | None:
    """What to look for claims with; `None` if the model cannot be reached just now, which is logged."""
    # With all that redacts; few have a model, and everyone would wait for the import.
    from .embedder import redacted

    model = provider.model
    try:
        (vector,) = provider.embed([redacted(question, policy)])
    except EmbeddingError as error:
        log_event("warn", "embedding", ok=False, error=str(error))
        return None
    return lambda connection, view, count: nearest_claims(connection, view, model, vector, count)
