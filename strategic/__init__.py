"""The campaign systems and what they hand down to a battle."""
