"""API v1: everything that the pages can do, for other programs."""
