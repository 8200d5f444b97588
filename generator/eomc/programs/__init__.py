"""Which functions a simulator has, and the program that computes them."""
