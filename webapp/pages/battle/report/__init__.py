"""The report after the action: what became of each ship, as a page and as files."""
