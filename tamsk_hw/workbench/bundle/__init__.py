"""``tamsk-hw bundle``: one file for a bug report, without secrets."""
