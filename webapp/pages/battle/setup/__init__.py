"""Before the battle and around it: deploying, seats, clocks, the photograph of the table."""
