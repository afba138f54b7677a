"""The group of a game: who plays, letters, standing orders, deadlines."""
