"""The battle's pages: the board, the sheets, the dice, the journal, and what is printed."""
