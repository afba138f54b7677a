"""Lessons, one rule each, and puzzles: played, not read."""
