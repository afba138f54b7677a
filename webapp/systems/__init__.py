"""How each campaign system is shown: its folder here, and what several of them share."""
