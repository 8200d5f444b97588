"""Which linear system is solved how: static elimination, LDL^T, adjugates, pivoted LU.

Always numerically, in the emitted C; never as a symbolic inverse.
"""
