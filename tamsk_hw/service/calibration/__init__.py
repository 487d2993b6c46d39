"""Measuring a board and its glasses, and the file where the figures are kept (`tamsk-hw calibrate`)."""
