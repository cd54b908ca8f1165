"""Agent memory under a policy: what may be kept, who may see it, what is masked before it leaves (seed 002)."""
