"""Which claims were found to be shown as they are kept, so that they are judged once and not with every question.

Holds ids, no text: what is masked, or not shown, is judged each time.
"""

from .claims import Claim
from .policy import Policy
from .tags import Tags

_MOST = 50_000


class Judged:
    """What is known under the policy that was asked about last; another one makes it begin anew. For any thread."""

    def __init__(self) -> None:
        # Both at once, so that no thread sees what is known under another policy.
        self._state: tuple[Policy | None, set[tuple[str, str, str, Tags]]] = (None, set())

    def is_as_kept(self, claim: Claim, policy: Policy, tags: Tags) -> bool:
        """Whether all of its text is known to be shown. The text of a claim never changes, its layer may."""
        judged_by, known = self._state
        return judged_by is policy and _key(claim, tags) in known

    def note_as_kept(self, claim: Claim, policy: Policy, tags: Tags) -> None:
        """All of its text is shown under this policy for these uses."""
        judged_by, known = self._state
        if judged_by is not policy or len(known) >= _MOST:
            known = set()
            self._state = (policy, known)
        known.add(_key(claim, tags))


def _key(claim: Claim, tags: Tags) -> tuple[str, str, str, Tags]:
    return claim.id, claim.scope, claim.boundary_class, tags
