"""A physical board in software: world, hands, sensors, players, faults. Its truth is its own."""
