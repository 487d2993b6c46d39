"""What is printed: tubes, cradle and jigs as solids (STEP) and as triangles (STL), made from the wiring maps."""
