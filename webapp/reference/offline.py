"""The web app without a network."""
