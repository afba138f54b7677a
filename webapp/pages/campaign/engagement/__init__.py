"""Where campaign and table meet: what is at stake, the outcome's review, the waiting engagement, the register."""
