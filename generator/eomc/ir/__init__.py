"""The expression graph: a closed op set, hash-consed nodes, programs over them. Standard library only."""
