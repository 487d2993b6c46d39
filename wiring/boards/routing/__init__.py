"""The router: finds tracks and vias for a placed board, the same ones each time."""
