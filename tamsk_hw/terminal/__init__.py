"""Everything shown on a terminal: live pictures, lines and tables."""
