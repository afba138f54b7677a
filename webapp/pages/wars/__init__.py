"""Campaigns of one's own: a map's armies, leaders, fleets and holders put down by tapping, kept as files for others."""
