"""The map as text: every space in words."""
