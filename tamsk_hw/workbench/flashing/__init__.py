"""``tamsk-hw flash``: writes the controller's program to a board."""
