"""Where two fleets meet in a campaign: the engagement, how it is settled, and its way to the battle and home again."""
