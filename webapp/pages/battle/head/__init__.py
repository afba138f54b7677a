"""The head of the page: the sides with their points, the clocks, colours and language."""
