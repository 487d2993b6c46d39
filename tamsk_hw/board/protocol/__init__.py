"""The wire protocol of firmware/PROTOCOL.md: framing, messages and a codec without I/O."""
