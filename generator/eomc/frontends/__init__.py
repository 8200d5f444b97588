"""Front ends: from sympy.physics.mechanics objects, Lagrangians, Hamiltonians and files to a Model.

Each module holds one way in; import the one that you need, or use the names that ``eomc`` itself offers.
"""
