"""Events in, rulings out: the referee, a pure core that reads no clock and no hardware."""
