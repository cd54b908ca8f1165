"""Policies for tests: the seed's example as it stands, and a small one with a part put in."""

EXAMPLE = """
# policy with retrieval parameters
version: 0.1
scopes:
  session:   { ttl: '7d',    max_tokens: 20000 }
  project:   { ttl: '120d',  max_tokens: 50000 }
  principle: { ttl: 'inf',   max_tokens: 100000 }
boundary_classes:
  public:   { allow: ['*'] }
  internal: { allow: ['answer:task','tool:*'] }
  pii:      { allow: ['tool:contact-lookup'], redact: ['email','phone'], escalation: 'human_review' }
  secret:   { allow: [], escalation: 'deny' }
retrieval:
  hybrid:
    alpha: 0.65
    k_txt: 48
    k_vec: 96
    k_final: 12
  rerank:
    use_quality: false
    recency_half_life_days: 30
    recency:
      half_life_days_by_kind:
        fact: 120
        task: 14
        preference: 90
        policy_hint: 365
"""
"""Seed 002 §2.6, `yaml` of the example request."""


def policy_with(part: str = "", version: str = "1.2.3") -> str:
    """The example's classes, and one more part."""
    return f"""
version: {version}
boundary_classes:
  public:   {{ allow: ['*'] }}
  internal: {{ allow: ['answer:task','tool:*'] }}
  pii:      {{ allow: ['tool:contact-lookup'], redact: ['email','phone'], escalation: 'human_review' }}
  secret:   {{ allow: [], escalation: 'deny' }}
{part}
"""
