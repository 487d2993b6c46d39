"""What TAMSK is: tubes, players, ruleset, position, sand, notation. Pure values, no time and no hardware."""
