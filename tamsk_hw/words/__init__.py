"""Every sentence that a person reads, made from facts."""
