"""The laboratory: a plan of scenarios, options, fleets and levels, fought through, and what it shows."""
