"""Trees of joints in NumPy: every link as it is given, with a Jacobian of its own."""
