"""Questions to the index: full-text expressions, postings, passages, and whether the tables may be believed."""
