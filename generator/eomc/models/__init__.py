"""Shipped models: worked examples of the text-books and benchmarks, each a short file to learn from.

Every module here holds one function, ``model(...) -> Model``; the module's name is the name by which ``eomc.load`` and
the command line know it, and ``name:argument`` passes an argument (``n_link_pendulum:10``).

Each module's docstring draws the mechanism, names its coordinates, speeds, parameters and inputs, and gives the source.
"""
