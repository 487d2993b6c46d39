"""Lessons: short positions in an ordinary game, each judged by the referee's own rulings (docs/lessons.md)."""
