"""The things that people see and touch: lights, buzzer, buttons."""
