"""Sentences of a system for its own events; what has none is told plainly."""
