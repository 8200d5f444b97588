"""Passes over the graph: differentiate, substitute, collect, schedule. Standard library only."""
