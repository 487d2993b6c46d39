"""The journal: what the board has seen and ruled, in SQLite, kept through power cuts.

See docs/design.md, Dependencies.

The running program writes through `Journal`; everything else reads through `Archive`. The unit is a game: the
header of its stream, its events in order, and the rulings that each gave. A commit that SQLite has returned from
is on the disk (WAL, ``synchronous=FULL``); only then is a ticket durable. One thread writes; what comes while it
does shares the next transaction.
"""
