"""``tamsk-hw frames``: the bytes of the line, decoded."""
