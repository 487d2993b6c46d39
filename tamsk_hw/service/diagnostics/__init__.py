"""Looking at a board and its computer: ``tamsk-hw`` ``frames``, ``sensors``, ``doctor``, ``selftest``, ``bundle``.

Nothing here is loaded by the referee.
"""
