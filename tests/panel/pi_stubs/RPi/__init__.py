"""Stands for the package of RPi.GPIO."""
