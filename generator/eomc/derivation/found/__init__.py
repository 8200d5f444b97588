"""Trees of joints found in models of bodies, from the expressions of their frames and points."""
