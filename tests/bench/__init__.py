"""``make bench``: the budgets, measured and printed as a table. Nothing is asserted; what is over is marked."""
