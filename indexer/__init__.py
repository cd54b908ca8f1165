"""Files in, index out: parsing, normalisation, the database and the only code that writes it.

Imports nothing from `morenashi.server`.
"""
