"""Services of the operating system: signals, systemd's notifications, temporary folders."""
