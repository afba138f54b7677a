"""O10 A season's pages: its table and rounds, what the organizer and the players do, the wall, the journal."""
