"""Orders: what a seat may command, as buttons and as places to tap on the board."""
