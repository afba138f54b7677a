"""The pages of a war of one's own: dispatches, orders, the umpire's desk, the set-up."""
