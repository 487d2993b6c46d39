"""``make curves``: the strength of each disturbance up to which nothing is missed or invented."""
