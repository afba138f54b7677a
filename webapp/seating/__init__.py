"""Getting in: who knows a game's code asks for a seat with a name, and the umpire or the organizer says yes or no."""
