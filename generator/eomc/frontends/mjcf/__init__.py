"""MJCF: from a description that MuJoCo compiles to a tree of joints.

::

    file -> mujoco.MjModel -> compiled (records of numbers) -> links and joints, loads, closures of a tree

The format has defaults, includes, meshes and conventions of many kinds, which its own compiler alone knows in full. So
that reads the file, and here begins what it made of it. Source of what its numbers mean: the documentation of MuJoCo,
chapters *XML Reference* and *Computation*.
"""
