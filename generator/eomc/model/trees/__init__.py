"""Trees of joints: links and joints as a robot's description lists them, without SymPy's frames."""
