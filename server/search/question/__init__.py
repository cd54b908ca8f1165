"""A question: what in it only asks, its terms in all their spellings, what it cites, what is wanted of the subject."""
