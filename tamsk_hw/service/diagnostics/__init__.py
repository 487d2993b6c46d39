"""Looking at a board and its computer: ``tamsk-hw frames``, ``tamsk-hw sensors``, ``tamsk-hw doctor``.

Nothing here is loaded by the referee.
"""
