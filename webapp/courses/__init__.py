"""Courses: what a player has planned for a ship for the rest of the turn, and who makes the steps when they are due."""
