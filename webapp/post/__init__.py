"""Groups that play by post: people, letters, deadlines, standing orders, mail."""
