"""Computer players on the server: hints, seats handed to captains, matches, forecasts and the laboratory."""
