"""A campaign's public page."""
