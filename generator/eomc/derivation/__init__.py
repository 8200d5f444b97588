"""Model to equations of motion, over the graph: Kane, Lagrange, Hamilton."""
