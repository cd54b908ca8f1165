"""The steps that take the side tables of any older database to `schema.sql`, in order.

Derived tables have no steps: when their layout changes they are dropped and rebuilt.
"""
