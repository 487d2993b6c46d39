"""Games at one board: refereeing, the games one after the other, and the loops that run them."""
