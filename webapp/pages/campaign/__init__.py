"""The pages of the campaigns: a map drawn on the server, and everything that happens around it."""
