"""Results: what happened, as sentences, and the cards that stay until they are read."""
