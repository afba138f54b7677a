"""The campaign as a seat or a television sees it."""
