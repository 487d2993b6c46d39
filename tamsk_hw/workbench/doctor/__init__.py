"""``tamsk-hw doctor``: checks configuration, computer and board, and says what to do."""
