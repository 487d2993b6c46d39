"""The command line ``tamsk-hw``, a file a command."""
