"""SymPy scalars, vectors and dyadics to the graph; the only place that knows both."""
