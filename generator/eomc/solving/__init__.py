"""Which linear system is solved how: static elimination, LDL^T, adjugates, pivoted LU; always at run time, never as a symbolic inverse."""
