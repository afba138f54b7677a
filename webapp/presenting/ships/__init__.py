"""Galleys drawn by parameters: from above for boards and chips, from the side and above for a sheet."""
