"""Files in, index out: parsing, normalisation, the databases and the only code that writes an index.

Imports nothing from `morenashi.server`.
"""
