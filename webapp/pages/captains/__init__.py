"""The pages of captains: playing alone, hints, seats handed over, forecasts."""
