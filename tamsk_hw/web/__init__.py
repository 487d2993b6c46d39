"""The page: a process of its own that reads the live stream and shows it in browsers (docs/web.md)."""
