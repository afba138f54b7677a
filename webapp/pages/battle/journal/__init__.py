"""The journal: all of it or a turn, and how lucky the dice were."""
