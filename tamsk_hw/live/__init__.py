"""The live stream: one stream of what the service knows, many readers (docs/live.md)."""
